import Foundation
import Testing

@testable import frametool

/// Absolute limits.
@Suite struct GateTests {
  static func gate(_ limits: [String], _ options: [String] = []) -> Run {
    Run(
      ["gate", "a0.jsonl"] + limits.flatMap { ["--limit", $0] } + options, in: CompareTests.folder)
  }

  @Test func aLimitIsKeptOrFails() {
    let kept = Self.gate(["p95(frameTime)<=20ms", "averageFrameRate >= 90 fps"])
    #expect(kept.status == .success && kept.output.contains("kept: 2 of 2 limits kept"))
    let failed = Self.gate(["p95(frameTime)<=20ms", "max(frameTime)<10"])
    #expect(
      failed.status == .regression && failed.output.contains("failed: 1 of 2 limits failed, 1 kept")
    )
    #expect(failed.output.contains("FAILED, over by "))
    let slow = Self.gate(["fps>=1000"])
    #expect(slow.status == .regression && slow.output.contains("FAILED, short by "))
    // The failing file is named where a CI system shows only the name of a test.
    let junit = Self.gate(["max(frameTime)<10"], ["--format", "junit"]).output
    #expect(junit.contains("name=\"a0.jsonl: ") && junit.contains(" ms, over by "))
  }

  /// A margin is a share of the limit, on either side of it; a limit of 0 has none.
  @Test func aKeptLimitSaysByHowMuch() throws {
    let below = Self.gate(["p95(frameTime)<=1000ms"]).output
    #expect(below.contains(#/kept, 9[89]\.\d % below the limit/#), "\(below)")
    let above = Self.gate(["fps>=1"]).output
    #expect(above.contains(#/kept, \d+\.\d % above the limit/#), "\(above)")
    let zero = Self.gate(["fps>=0"]).output
    #expect(zero.contains("kept") && !zero.contains("the limit\n"), "\(zero)")
    let json = Self.gate(["p95(frameTime)<=1000ms"], ["--format", "json"]).output
    #expect(json.contains(#/"margin": 0\.98/#), "\(json)")
  }

  @Test func whatCannotBeToldDoesNotPass() {
    let run = Self.gate(["dropped<=1%"])
    #expect(run.status == .undecided)
    #expect(run.output.contains("cannot be decided: no frame has a display time"))
    #expect(Self.gate(["dropped<=1%"], ["--allow-missing"]).status == .success)
    #expect(Self.gate(["frameTime<=20ms"]).status == .undecided)
  }

  @Test func launchesAreHeldToLimitsByTheirKind() {
    let trace = Array(Run(["generate", "launches"]).output.utf8)
    let gate = { (limits: [String]) in
      Run(["gate", "-"] + limits.flatMap { ["--limit", $0] }, input: trace)
    }
    let kept = gate(["p50(warmLaunchTime)<=400ms", "max(coldLaunchTime)<400"])
    #expect(kept.status == .success)
    #expect(kept.output.contains("Star Searcher, warm, from the tap to the first frame  288.771"))
    #expect(gate(["p50(warmLaunchTime)<=200ms"]).status == .regression)
    #expect(gate(["p50(launchTime)<=200ms"]).status == .undecided)
    #expect(gate(["p95(frameTime)<=200ms"]).output.contains("the trace has no surface"))
    #expect(gate(["p95(frameTime)<=200ms"]).status == .undecided)
    #expect(gate(["warmLaunchTime<=200ms"]).output.contains("has many values"))
    let test = Run(
      ["gate", "-", "--limit", "p50(warmLaunchTime)<=300ms", "--self-test", "10"], input: trace)
    #expect(test.status == .success && test.output.contains("self-test passed"))
  }

  @Test func theSelfTestProvesThatTheGateCanFail() {
    let noticed = Self.gate(["p95(frameTime)<=11ms"], ["--self-test", "10"])
    #expect(noticed.status == .success && noticed.output.contains("self-test passed"))
    let loose = Self.gate(["p95(frameTime)<=1000ms"], ["--self-test", "10"])
    #expect(loose.status == .regression && loose.output.contains("self-test FAILED"))
    #expect(loose.output.contains("does not fail"))
  }

  @Test func limitsAreReadStrictly() {
    for limit in ["p95(frameTime)", "p42(frameTime)<3", "nothing<=3", "p95(frameTime)<=fast", ""] {
      let run = Self.gate([limit])
      #expect(run.status == .usage, "\(limit)")
      #expect(run.errors.contains("--limit"))
    }
    #expect(Run(["gate", "a0.jsonl"], in: CompareTests.folder).status == .usage)
  }

  @Test func jsonAndJUnitCarryTheResult() throws {
    let json = Self.gate(["p95(frameTime)<=20ms", "dropped<=1%"], ["--format", "json"]).output
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(object["schema"] as? String == "frametool.gate/2")
    let junit = Self.gate(["max(frameTime)<10"], ["--format", "junit"]).output
    #expect(junit.contains("failures=\"1\""))
  }

  /// Limits on several runs that differ: five from a table of frame times, the last ones slower.
  static let noisy: URL = {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (run, time) in [10.0, 10.4, 9.8, 10.9, 10.2].enumerated() {
      var text = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
      for frame in 0..<600 {
        let length = time * (0.9 + 0.2 * Double(frame * 7 % 600) / 600)
        text += "{\"type\": \"frame\", \"presentInterval\": \(length)}\n"
      }
      try? Data(text.utf8).write(to: folder.appending(path: "r\(run).jsonl"))
    }
    return folder
  }()

  static func gateRuns(_ limit: String, _ options: [String] = []) -> Run {
    Run(
      ["gate"] + (0..<5).map { "r\($0).jsonl" } + ["--limit", limit] + options, in: noisy)
  }

  @Test func theMedianOfSeveralRunsIsJudgedWithTheirNoise() {
    // The medians are 10, 10.4, 9.8, 10.9 and 10.2 ms.
    let kept = Self.gateRuns("p50(frameTime)<=10.5ms")
    #expect(kept.status == .success, "\(kept.output)")
    #expect(kept.output.hasPrefix("kept: 1 of 1 limit kept; 5 runs"))
    #expect(
      kept.output.contains(
        "judged separately, one unchanged run in 3 would fail p50(frameTime)<=10.5ms (estimated from 5 runs)"
      ))
    #expect(Self.gateRuns("p50(frameTime)<=10.5ms", ["--each"]).status == .regression)
    let within = Self.gateRuns("p50(frameTime)<=10.1ms")
    #expect(within.status == .undecided)
    #expect(within.output.contains("1 of 1 limit exceeded within the noise of the runs"))
    let failed = Self.gateRuns("p50(frameTime)<=9ms")
    #expect(failed.status == .regression && failed.output.contains("failed: 1 of 1 limit failed"))
    #expect(Self.gateRuns("averageFrameRate>=100fps").status == .undecided)
    #expect(Self.gateRuns("averageFrameRate>=110fps").status == .regression)
  }

  @Test func severalRunsAreSaidToScriptsToo() throws {
    let json = Self.gateRuns("p50(frameTime)<=10.5ms", ["--format", "json"]).output
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let runs = try #require(object["runs"] as? [[String: Any]])
    #expect((object["traces"] as? [Any])?.count == 5 && runs.count == 1)
    #expect(runs[0]["result"] as? String == "kept" && runs[0]["n"] as? Int == 5)
    let chance = try #require(runs[0]["chance_unchanged_fails"] as? Double)
    #expect(chance > 0.25 && chance < 0.35)
    let junit = Self.gateRuns("p50(frameTime)<=9ms", ["--format", "junit"]).output
    #expect(junit.contains("failures=\"1\"") && junit.contains("n = 5 runs"))
  }

  @Test func aSuggestedLimitIsOneThatTheRunsKeep() throws {
    let files = (0..<5).map { "r\($0).jsonl" }
    let run = Run(["gate", "--suggest"] + files + ["--format", "json"], in: Self.noisy)
    #expect(run.status == .success)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let figures = try #require(object["figures"] as? [[String: Any]])
    let median = try #require(figures.first { $0["metric"] as? String == "p50(frameTime)" })
    let limits = try #require(median["limits"] as? [[String: Any]])
    #expect(limits.map { $0["runs"] as? Int } == [1, 3, 5])
    for limit in limits {
      #expect(Self.gateRuns(try #require(limit["limit"] as? String)).status == .success)
    }
    let loose = try #require(limits[0]["notices"] as? Double)
    let tight = try #require(limits[2]["notices"] as? Double)
    #expect(tight < loose && tight > 0.03)
  }

  @Test func suggestingTakesThreeRunsAndNothingElse() {
    let suggest = { (words: [String]) in Run(["gate", "--suggest"] + words, in: Self.noisy) }
    let few = suggest(["r0.jsonl", "r1.jsonl"])
    #expect(few.status == .usage && few.errors.contains("at least 3 runs, found 2"))
    let three = ["r0.jsonl", "r1.jsonl", "r2.jsonl"]
    #expect(suggest(three).output.contains("few runs give loose limits"))
    #expect(suggest(three + ["--limit", "dropped<=1%"]).status == .usage)
    #expect(suggest(three + ["--format", "junit"]).status == .usage)
  }

  @Test func missedRefreshesAreAGateMetric() {
    let trace = Array(Run(["generate", "dropped-frames", "--encode", "presentmon"]).output.utf8)
    let gate = { (limit: String) in Run(["gate", "-", "--limit", limit], input: trace) }
    #expect(gate("missedRefreshShare<=5%").status == .success)
    #expect(gate("missedRefreshShare<=4%").status == .regression)
    #expect(gate("intervalHitchRatio<=20ms/s").status == .regression)
    // Runs with nothing in common are shown one by one.
    #expect(
      Run(["gate", "r0.jsonl", "r1.jsonl", "--limit", "dropped<=1%"], in: Self.noisy).output
        .contains("r1.jsonl: undecided: 1 of 1 limit cannot be decided"))
    let uncapped = Self.gateRuns("missedRefreshShare<=5%")
    #expect(uncapped.status == .undecided)
    #expect(uncapped.output.contains("no fixed refresh was found"))
    #expect(Self.gateRuns("missedRefreshShare<=5%", ["--refresh", "60"]).status == .success)
  }

  /// The interaction to next paint is limited whether a source states it or not: the page's one in the first trace is
  /// 208 ms, and 376 ms the median of the visits in the second.
  @Test(arguments: [("entries/input.json", 208), ("visits/input.jsonl", 376)])
  func interactionsHaveALimit(_ file: String, _ found: Int) {
    for (limit, status) in [(found, ExitStatus.success), (found - 1, .regression)] {
      let run = Run([
        "gate", "Tests/Golden/web-vitals/\(file)", "--limit",
        "p50(interactionToNextPaint)<=\(limit)ms",
      ])
      #expect(run.status == status, "\(run.output)\(run.errors)")
      #expect(run.output.contains("\(found).000"))
    }
  }
}

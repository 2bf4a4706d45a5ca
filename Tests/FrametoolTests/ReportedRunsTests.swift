import Foundation
import FrameKit
import Testing

@testable import frametool

/// Files that report figures of runs and have no frames.
@Suite struct ReportedRunsTests {
  private static let mobile = Cases.folder.appending(path: "mobile")

  /// A benchmark's results: for each run the times of its frames, and how long after the deadline they ended.
  private static func results(
    _ scenes: [(name: String, runs: [[Double]], overruns: [[Double]])]
  ) -> String {
    let list = { (runs: [[Double]]) in
      "["
        + runs.map { "[" + $0.map { "\($0)" }.joined(separator: ",") + "]" }.joined(separator: ",")
        + "]"
    }
    let benchmarks = scenes.map { scene in
      """
      {"name": "\(scene.name)", "className": "a.Scroll", "params": {}, "metrics": {}, "sampledMetrics": {
      "frameDurationCpuMs": {"runs": \(list(scene.runs))}, "frameOverrunMs": {"runs": \(list(scene.overruns))}}}
      """
    }
    return
      #"{"context": {"build": {"model": "Phone"}}, "benchmarks": [\#(benchmarks.joined(separator: ","))]}"#
  }

  /// Runs of frames whose times differ from run to run by some percent.
  private static func runs(_ count: Int, scale: Double = 1, stall: Double = 0) -> [[Double]] {
    (0..<count).map { run in
      (0..<60).map { frame in
        let own = 3 + Double(frame % 7) / 5 + Double((run * 37) % 11) / 100
        return own * scale + (frame == 59 ? stall : 0)
      }
    }
  }

  private static func compare(
    _ before: String, _ after: String, _ options: [String] = []
  ) throws -> Run {
    let folder = try TemporaryFolder()
    try Data(before.utf8).write(to: folder.url.appending(path: "before.json"))
    try Data(after.utf8).write(to: folder.url.appending(path: "after.json"))
    return Run(["compare", "before.json", "after.json"] + options, in: folder.url)
  }

  private static func scroll(_ runs: [[Double]]) -> String {
    results([("scroll", runs, runs.map { $0.map { $0 - 16.7 } })])
  }

  @Test func theRunsOfAFileAreTheUnits() throws {
    let same = try Self.compare(Self.scroll(Self.runs(6)), Self.scroll(Self.runs(6)))
    #expect(same.status == .success && same.output.hasPrefix("fine: "), "\(same.output)")
    #expect(same.output.contains("6 runs each"))
    let slower = try Self.compare(
      Self.scroll(Self.runs(6)), Self.scroll(Self.runs(6, scale: 1.3)),
      ["--fail-on", "regression"])
    #expect(slower.status == .regression && slower.output.hasPrefix("regressed: "))
    #expect(slower.output.contains("p50(frameDurationCPU)"), "\(slower.output)")
    let faster = try Self.compare(
      Self.scroll(Self.runs(6, scale: 1.3)), Self.scroll(Self.runs(6)))
    #expect(faster.output.hasPrefix("improved: "), "\(faster.output)")
    // One file with one run shows no noise, and none is assumed of such figures.
    let single = try Self.compare(
      Self.scroll(Self.runs(1)), Self.scroll(Self.runs(1, scale: 1.3)))
    #expect(single.output.hasPrefix("undecided: "), "\(single.output)")
  }

  /// Of three runs a side, each of the few figures counts as a test.
  @Test("of comparisons without a change at most 5 % are regressed, and as many improved")
  func falseAlarms() throws {
    var random = SplitMix64(seed: 1)
    let normal = { (random: inout SplitMix64) in
      (0..<12).reduce(-6.0) { sum, _ in sum + random.nextUnit() }
    }
    let side = { (random: inout SplitMix64) in
      let runs = (0..<3).map { _ in
        let level = 4 * (1 + 0.02 * normal(&random))
        return (0..<120).map { _ in level * (1 + 0.2 * normal(&random)).magnitude }
      }
      return Self.results([("scroll", runs, runs.map { $0.map { $0 - 6 } })])
    }
    let words = try (0..<100).map { _ in
      try String(Self.compare(side(&random), side(&random)).output.prefix { $0 != ":" })
    }
    #expect(words.count { $0 == "regressed" } <= 8)
    #expect(words.count { $0 == "improved" } <= 8)
  }

  /// Both sides of the threshold of 5 %, with runs that hardly differ.
  @Test(arguments: [(1.03, "fine: "), (1.049, "undecided: "), (1.051, "regressed: ")])
  func aChangeCountsFromTheThresholdOn(_ scale: Double, _ verdict: String) throws {
    let run = try Self.compare(
      Self.scroll(Self.runs(6)), Self.scroll(Self.runs(6, scale: scale)),
      ["--metric", "p50(frameDurationCPU)"])
    #expect(run.output.hasPrefix(verdict), "\(run.output)")
  }

  /// Late frames are counted from the deadline on, and more of them never look better.
  @Test func moreLateFramesAreWorse() throws {
    var shares: [Double] = []
    for late in [0, 1, 3, 12, 60] {
      let runs = Self.runs(6)
      let overruns = runs.map { $0.indices.map { $0 < late ? 0.1 : 0 } }
      let run = try Self.compare(
        Self.scroll(runs), Self.results([("scroll", runs, overruns)]), ["--format", "json"])
      let after = #/"overrunShare",\s*"before": [\d.]+,\s*"after": ([\d.]+)/#
      let found = try #require(run.output.firstMatch(of: after))
      shares.append(try #require(Double(found.1)))
      #expect(run.output.contains(#""overall": "regressed""#) == (late > 0), "\(late)")
    }
    #expect(shares == shares.sorted() && shares.first == 0 && shares.last == 100, "\(shares)")
  }

  /// Each scene of a file is compared with the scene of the same name.
  @Test func scenesAreKeptApart() throws {
    let scenes = { (fling: Double) in
      let (one, other) = (Self.runs(5), Self.runs(5, scale: fling))
      let early = one.map { $0.map { _ in -5.0 } }
      return Self.results([("scroll", one, early), ("fling", other, early)])
    }
    let run = try Self.compare(scenes(2), scenes(3))
    #expect(
      run.output.hasPrefix("regressed: ")
        && run.output.contains(": p50(frameDurationCPU) of Scroll.fling "), "\(run.output)")
    let none = try Self.compare(
      Self.scroll(Self.runs(5)), #"{"average_frame_build_time_millis": 3}"#)
    #expect(
      none.status != .success
        && none.errors.contains("reports no figure that before.json reports too"),
      "\(none.errors)")
  }

  /// The name of the only scene does not matter; that of one of several does.
  @Test func oneSceneIsComparedWhateverItsName() throws {
    let runs = Self.runs(5)
    let early = runs.map { $0.map { _ in -5.0 } }
    let other = Self.results([("other", runs, early)])
    let one = try Self.compare(Self.scroll(runs), other)
    #expect(one.output.hasPrefix("fine: "), "\(one.output)")
    let both = Self.results([("scroll", runs, early), ("other", runs, early)])
    let part = try Self.compare(Self.scroll(runs), both)
    #expect(part.output.contains("p50(frameDurationCPU) of Scroll.scroll"), "\(part.output)")
    #expect(part.output.contains("left out: not in every run"), "\(part.output)")
    #expect(!part.output.contains("of Scroll.other"))
  }

  /// Where a source states a quantile of each run, a limit is for the worst of them.
  @Test(arguments: [("<=9", true), ("<=8.9", false), (">=5", true), (">=5.1", false)])
  func aLimitHoldsForEachRun(_ limit: String, _ isKept: Bool) throws {
    let folder = try TemporaryFolder()
    let results =
      #"{"context": {}, "benchmarks": [{"name": "a", "className": "B", "metrics": {"frameTime95thPercentileMs": {"runs": [5, 9, 7]}}}]}"#
    try Data(results.utf8).write(to: folder.url.appending(path: "a.json"))
    let run = Run(["gate", "a.json", "--limit", "p95(frameDurationCPU)\(limit)ms"], in: folder.url)
    #expect(run.status == (isKept ? .success : .regression), "\(run.output)\(run.errors)")
    #expect(run.output.contains("the worst of 3 runs") == isKept, "\(run.output)")
  }

  @Test func aFileIsGivenOnce() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] {
      let results = Self.scroll(Self.runs(3, scale: name == "a" ? 1 : 1.01))
      try Data(results.utf8).write(to: folder.url.appending(path: "\(name).json"))
    }
    let twice = Run(
      ["compare", "--before", "a.json", "a.json", "--after", "b.json"], in: folder.url)
    #expect(twice.status != .success && twice.errors.contains("the same recording as a.json"))
    let once = Run(["compare", "--before", "a.json", "--after", "b.json"], in: folder.url)
    #expect(once.status == .success, "\(once.errors)")
  }

  @Test func metricsOfSourcesCanBeChosen() throws {
    let run = try Self.compare(
      Self.scroll(Self.runs(5)), Self.scroll(Self.runs(5, scale: 1.3)),
      ["--metric", "frameOverrun"])
    #expect(run.output.contains("overrunShare") && !run.output.contains("frameDurationCPU"))
    let none = try Self.compare(
      Self.scroll(Self.runs(5)), Self.scroll(Self.runs(5)), ["--metric", "jankShare"])
    #expect(none.status != .success)
  }

  /// Samples of a rate are judged by its low end, and dips never look better as they get deeper.
  @Test func dipsOfARateAreSlower() throws {
    let results = { (dip: Double) in
      let measures = { (run: Int) in
        (0..<40).map { sample in
          let rate =
            sample % 10 == 9 ? max(0, dip + Double(run) / 10) : 59 + Double((sample * run) % 5) / 5
          return
            #"{"cpu": {"perName": {}, "perCore": {}}, "ram": 300, "fps": \#(rate), "time": 500}"#
        }.joined(separator: ",")
      }
      let runs = (1...5).map { #"{"time": 20000, "measures": [\#(measures($0))]}"# }
      return
        #"{"name": "List", "status": "SUCCESS", "iterations": [\#(runs.joined(separator: ","))]}"#
    }
    for dip in [50.0, 30, 10, 0.5, -1] {
      let run = try Self.compare(results(58), results(dip))
      #expect(run.output.hasPrefix("regressed: "), "\(dip): \(run.output)\(run.errors)")
      #expect(run.output.contains("frameTime by p5(sampledFrameRate)"), "\(run.output)")
    }
  }

  @Test(.enabled(if: Cases.isPresent, Cases.absence))
  func thirtyPercentMoreCPUTimeIsFound() throws {
    let run = Run(
      ["compare", "macrobenchmark-before.json", "macrobenchmark-after.json"], in: Self.mobile)
    #expect(run.output.hasPrefix("regressed: ") && run.output.contains("10 runs each"))
    let answer = Run(["analyze", "macrobenchmark-before.json"], in: Self.mobile).output
    #expect(answer.contains("0.0 % of 600 frames in 10 runs ended after their deadline"))
    #expect(answer.contains("p50 2.9, p90 4.8, p95 5.3, p99 6.8 ms"))
  }

  @Test(.enabled(if: Cases.isPresent, Cases.absence))
  func aSummaryOfFlutterHasItsBudgets() throws {
    let file = "flutter-summary-missed-budget.json"
    let answer = Run(["analyze", file], in: Self.mobile).output
    #expect(
      answer.contains(
        "12 of 250 frames over the build budget (4.8 %), 3 of 250 frames over the raster")
    )
    #expect(answer.contains("garbageCollections.old") && answer.contains("p99 61.0 ms"))
    for (limit, status) in [("16ms", ExitStatus.regression), ("61ms", .success)] {
      let gate = Run(["gate", file, "--limit", "p99(frameBuildTime)<=\(limit)"], in: Self.mobile)
      #expect(gate.status == status, "\(gate.output)")
    }
    let unknown = Run(["gate", file, "--limit", "p95(frameBuildTime)<=16ms"], in: Self.mobile)
    #expect(unknown.status == .undecided, "\(unknown.output)")
  }
}

import Foundation
import Testing

@testable import frametool

/// Comparing and gating, as scripts use them.
@Suite struct CompareTests {
  /// A folder with traces of a game: `a` and `b` alike, `c` slower.
  static let folder: URL = {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (side, seeds) in [("a", 1...3), ("b", 4...6), ("c", 7...9)] {
      for (number, seed) in seeds.enumerated() {
        var text = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
        var state = UInt64(seed)
        for _ in 0..<600 {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          let share = Double(state >> 40) / Double(1 << 24)
          let time = (side == "c" ? 11.5 : 10) * (0.95 + 0.1 * share)
          text += "{\"type\": \"frame\", \"presentInterval\": \(time)}\n"
        }
        try? Data(text.utf8).write(to: folder.appending(path: "\(side)\(number).jsonl"))
      }
    }
    return folder
  }()

  static func files(_ side: String) -> [String] { (0..<3).map { "\(side)\($0).jsonl" } }

  static func compare(_ after: String, _ options: [String] = []) -> Run {
    Run(["compare", "--before"] + files("a") + ["--after"] + files(after) + options, in: folder)
  }

  @Test func aRegressionIsSaidFirstAndFailsOnlyWhenAsked() {
    let run = Self.compare("c")
    #expect(run.status == .success)
    #expect(
      run.output.hasPrefix(
        "regressed: after is slower: p99(frameTime) 10.48 → 12.06 ms, +15.1 % [+15.0, +15.1] (95 % bounds), also mean(frameTime), "
      ))
    #expect(Self.compare("c", ["--fail-on", "regression"]).status == .regression)
    #expect(Self.compare("c", ["--fail-on", "inconclusive"]).status == .regression)
    #expect(Self.compare("b", ["--fail-on", "regression,inconclusive"]).status == .success)
    #expect(Self.compare("b").output.hasPrefix("fine: more than "))
  }

  @Test func whatCannotBeDecidedFailsOnlyWhenAsked() {
    let arguments = ["compare", "a0.jsonl", "b0.jsonl"]
    #expect(Run(arguments, in: Self.folder).status == .success)
    #expect(Run(arguments + ["--fail-on", "regression"], in: Self.folder).status == .success)
    #expect(Run(arguments + ["--fail-on", "inconclusive"], in: Self.folder).status == .undecided)
    let suspected = ["compare", "a0.jsonl", "c0.jsonl", "--fail-on", "regression"]
    let run = Run(suspected, in: Self.folder)
    let sentence = run.output.split(separator: "\n")[0]
    #expect(sentence.hasPrefix("suspected: ") && run.status == .success)
    #expect(Run(suspected + ["--gate-single-run"], in: Self.folder).status == .regression)
  }

  @Test func theJSONHasTheKeysOfTheContract() throws {
    let run = Self.compare("c", ["--format", "json"])
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(json["schema"] as? String == "frametool.comparison/2")
    #expect(json["overall"] as? String == "regressed")
    for key in ["state", "reason", "before", "after", "method", "metrics", "warnings"] {
      #expect(json[key] != nil)
    }
    let metric = try #require((json["metrics"] as? [[String: Any]])?.first)
    for key in [
      "metric", "unit", "before", "after", "effect", "effect_unit", "ci95", "p", "threshold",
      "gating", "verdict", "state", "runs_needed", "runs_to_decide",
    ] {
      #expect(metric.keys.contains(key), "\(key)")
    }
  }

  @Test func jUnitAndMarkdownSayTheSame() {
    let junit = Self.compare("c", ["--format", "junit"]).output
    #expect(junit.contains("<testsuite name=\"frametool compare\" tests=\"5\" failures=\"5\""))
    #expect(junit.contains("name=\"verdict\"><failure message=\"regressed: after is slower: p99"))
    let markdown = Self.compare("c", ["--format", "markdown"]).output
    #expect(
      markdown.hasPrefix(
        "<!-- frametool compare -->\n\n## Frame times: regressed: after is slower: "))
    #expect(markdown.contains("| p50(frameTime) |"))
    #expect(markdown.contains("<details><summary>Each figure before and after</summary>"))
  }

  @Test func summariesStandForTraces() {
    for side in ["a", "c"] {
      let run = Run(
        ["analyze", "--summary", "\(Self.folder.path)/\(side).runs.json"]
          + Self.files(side).map { "\(Self.folder.path)/\($0)" })
      #expect(run.status == .success, "\(run.errors)")
    }
    let short = Run(
      ["compare", "a.runs.json", "c.runs.json", "--format", "csv"], in: Self.folder)
    #expect(short.output == Self.compare("c", ["--format", "csv"]).output)
    for option in [["--refresh", "60"], ["--target-fps", "30"], ["--skip-first", "1"]] {
      let run = Run(["compare", "a.runs.json", "c.runs.json"] + option, in: Self.folder)
      #expect(
        run.status == .usage && run.errors.contains("\(option[0]) has no effect on ")
          && run.errors.contains("a summary whose frames"))
    }
  }

  /// The refresh grid of a table is that of its frame times, or the stated one.
  @Test func theRefreshOfATableIsInferredOrStated() throws {
    var random = SystemRandom(seed: 7)
    for (side, share) in [("t", 0.015), ("u", 0.045)] {
      for run in 0..<3 {
        let times = (0..<1500).map { _ in random.unit() < share ? 2 * 8.3333 : 8.3333 }
        let text = "FrameMs\n" + times.map { "\($0)\n" }.joined()
        try text.write(
          toFile: "\(Self.folder.path)/\(side)\(run).csv", atomically: true, encoding: .utf8)
      }
    }
    let sides =
      ["compare", "--columns", "frameTime=FrameMs", "--before"] + (0..<3).map { "t\($0).csv" }
      + ["--after"] + (0..<3).map { "u\($0).csv" }
    let inferred = Run(sides, in: Self.folder).output
    let sentence = inferred.split(separator: "\n")[0]
    #expect(sentence.hasPrefix("regressed: ") && inferred.contains("missedRefreshShare"))
    let stated = Run(sides + ["--refresh", "120"], in: Self.folder).output
    #expect(stated.split(separator: "\n")[0] == inferred.split(separator: "\n")[0])
    #expect(Run(sides + ["--refresh", "8.3333ms"], in: Self.folder).output == stated)
    #expect(Run(sides + ["--refresh", "0"], in: Self.folder).status == .usage)
  }

  /// A refresh rate within 1 % of the stated one changes nothing, and one beyond that does: the display times lie off the
  /// stated refreshes.
  @Test(arguments: [(16.82, true), (16.86, false), (16.52, true), (16.48, false)])
  func theStatedRefreshIsKept(_ milliseconds: Double, _ isKept: Bool) throws {
    var text =
      "{\"schema\": \"frametool.trace/1\", \"unit\": \"us\"}\n{\"type\": \"display\", \"id\": \"d\", \"interval\": 16667}\n{\"type\": \"surface\", \"id\": \"s\", \"display\": \"d\"}\n"
    for frame in 0..<60 {
      let time = frame * 25_300
      text +=
        "{\"type\": \"frame\", \"surface\": \"s\", \"commit\": \(time), \"displayed\": \(time + 9000)}\n"
    }
    let plain = Run(["analyze", "-", "--all"], input: Array(text.utf8)).output
    let stated = Run(
      ["analyze", "-", "--all", "--refresh", "\(milliseconds)ms"], input: Array(text.utf8)
    )
    .output
    #expect((stated == plain) == isKept)
  }

  @Test func aPlanTakesTurns() {
    #expect(
      Run(["compare", "--plan", "2"]).output == "1 before 1\n2 after 1\n3 after 2\n4 before 2\n")
  }

  @Test func theSelfTestFindsWhatItInjects() {
    let files = Self.files("a") + Self.files("b")
    let run = Run(["compare", "--self-test", "15", "--before"] + files, in: Self.folder)
    #expect(run.status == .success && run.output.contains("self-test passed"))
    // It splits one side, by the comparison that is configured, or refuses.
    for option in [["--after"] + files, ["--format", "json"], ["--fail-on", "regression"]] {
      let refused = Run(
        ["compare", "--self-test", "15", "--before"] + files + option, in: Self.folder)
      #expect(refused.status == .usage && refused.errors.contains("has no effect with --self-test"))
    }
    let paired = Run(
      ["compare", "--paired", "--self-test", "15", "--before"] + files, in: Self.folder)
    #expect(paired.output.contains("regressed, found"))
    let both = Run(
      ["compare", "--paired", "--self-test", "15", "--before"] + files + ["--history"] + files,
      in: Self.folder)
    #expect(both.errors.contains("pairs and earlier jobs"), "\(both.errors)")
    let tiny = Run(["compare", "--self-test", "0.1", "--before"] + files, in: Self.folder)
    #expect(tiny.status == .regression && tiny.output.contains("NOT FOUND"))
  }

  /// A run whose scene changes from second to second causes alarms on its own: the self-test
  /// reports it, and what to do.
  @Test func aFailedSelfTestSaysWhatToDo() throws {
    var text = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
    var elapsed = 0.0
    while elapsed < 20_000 {
      let time = Int(elapsed / 1000) % 2 == 0 ? 8.0 : 12.0
      text += "{\"type\": \"frame\", \"presentInterval\": \(time)}\n"
      elapsed += time
    }
    try text.write(
      to: Self.folder.appending(path: "scenes.jsonl"), atomically: true, encoding: .utf8)
    let run = Run(["compare", "--self-test", "10", "--before", "scenes.jsonl"], in: Self.folder)
    #expect(run.status == .regression && run.output.contains("a FALSE ALARM"))
    let last = try #require(run.output.split(separator: "\n").last)
    #expect(last.hasPrefix("self-test FAILED: mean(frameTime) by "), "\(last)")
    #expect(last.contains("as when the scene changes; give at least six runs"))
    #expect(last.contains("--threshold mean="))
  }

  @Test func callsThatMeanNothingAreRefused() {
    #expect(Run(["compare", "a0.jsonl"], in: Self.folder).status == .usage)
    #expect(Self.compare("b", ["--threshold", "p42=3"]).status == .usage)
    #expect(Self.compare("b", ["--sequential", "2,9"]).errors.contains("3,5,10"))
    #expect(Run(["compare", "a0.jsonl", "none.jsonl"], in: Self.folder).status == .inputOutput)
    let copies = Run(
      ["compare", "--before", "a0.jsonl", "a1.jsonl", "--after", "c0.jsonl", "./c0.jsonl"],
      in: Self.folder)
    #expect(copies.status == .badData)
    #expect(copies.errors.contains("./c0.jsonl: the same recording as c0.jsonl"))
  }

  /// The rates of one side's runs are the same as in a comparison.
  @Test func runsOfOneSideHaveTheirRatesWithBounds() throws {
    let own = Run(
      ["analyze", "--summary-of-runs", "--format", "json"] + Self.files("a"), in: Self.folder)
    #expect(own.status == .success, "\(own.errors)")
    let figures = try #require(
      (try JSONSerialization.jsonObject(with: Data(own.output.utf8)) as? [String: Any])?["figures"]
        as? [[String: Any]])
    let compared = try #require(
      (try JSONSerialization.jsonObject(
        with: Data(Self.compare("c", ["--format", "json"]).output.utf8)) as? [String: Any])?[
          "beside"] as? [[String: Any]])
    let rates = figures.filter { $0["unit"] as? String == "fps" }
    #expect(rates.count == 4)
    for rate in rates {
      let beside = try #require(
        compared.first { $0["metric"] as? String == rate["metric"] as? String })
      #expect(beside["before"] as? Double == rate["mean"] as? Double)
      #expect((rate["ci95"] as? [Double])?.count == 2)
    }
    let text = Run(["analyze", "--summary-of-runs"] + Self.files("a"), in: Self.folder).output
    #expect(text.hasPrefix("3 runs, 1800 frames"))
    let first = text.prefix { $0 != "\n" }
    #expect(first.contains(#/: frame rate [\d.]+ fps \[[\d.]+, [\d.]+\], 1 % low /#), "\(first)")
    #expect(first.hasSuffix("(95 % bounds)"))
    // A comparison has options for these, and this command does not.
    let folder = try TemporaryFolder()
    for names in [["steady-60", "steady-120"], ["launches"]] {
      let run = Run(["analyze", "--summary-of-runs"] + names.map { folder.generate($0) })
      #expect(run.status == .badData, "\(names)")
      #expect(!run.errors.contains("--allow") && !run.errors.contains("--launch"), "\(run.errors)")
    }
    let refused = [
      ["--brief"], ["--worst", "3"], ["--format", "otlp"], ["--summary", "s.jsonl"],
    ]
    for options in refused {
      let run = Run(["analyze", "--summary-of-runs", "a0.jsonl"] + options, in: Self.folder)
      #expect(run.status == .usage && run.errors.contains(options[0]), "\(options)")
    }
  }

  @Test func aThresholdIsWhatTheUserSays() {
    #expect(
      Self.compare(
        "c", ["mean", "p50", "p95", "p99"].flatMap { ["--threshold", "\($0)=30"] }
      )
      .output.hasPrefix("fine: "))
  }
}

/// A generator with a fixed sequence, for the numbers in tests.
private struct SystemRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func unit() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) * 0x1p-53
  }
}

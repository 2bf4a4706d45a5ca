import Fixtures
import Foundation
import Testing

@testable import FrameTrace
@testable import FrameVerdicts
@testable import frametool

/// Results over time, as scripts store and query them.
@Suite struct HistoryTests {
  /// Runs a history command on a store in the folder.
  static func history(
    _ arguments: [String], in folder: TemporaryFolder, input: [UInt8] = []
  ) -> Run {
    Run(
      ["history"] + arguments + ["--store", folder.path("h.sqlite")], input: input,
      in: URL(filePath: folder.path("")))
  }

  private static func json(_ run: Run) throws -> [String: Any] {
    #expect(run.status == .success, "\(run.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let object = try #require(json as? [String: Any])
    ContractTests.check(object, "history")
    return object
  }

  /// The values of a store, by metric.
  static func values(_ folder: TemporaryFolder) throws -> [String: [Double]] {
    let run = history(["export", "--format", "jsonl"], in: folder)
    #expect(run.status == .success, "\(run.errors)")
    var values: [String: [Double]] = [:]
    for line in run.output.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let metric = try #require(object?["metric"] as? String)
      values[metric, default: []].append(try #require(object?["value"] as? Double))
    }
    return values
  }

  private static func figure(_ json: String, _ path: [String]) throws -> Double {
    var value: Any? = try JSONSerialization.jsonObject(with: Data(json.utf8))
    for key in path {
      value = Int(key).map { (value as? [Any])?[$0] } ?? (value as? [String: Any])?[key]
    }
    return try #require(value as? Double)
  }

  // MARK: what can be added

  @Test func resultsOfAnalyzeKeepTheirFigures() throws {
    let folder = try TemporaryFolder()
    let trace = Array(Run(["generate", "gpu-overrun", "--frames", "400"]).output.utf8)
    let analysis = Run(["analyze", "-", "--format", "json"], input: trace).output
    let job = [
      "add", "-", "--scene", "scroll", "--device", "Pixel 8", "--commit", "abc", "--date",
      "2026-11-21T10:00:00+02:00", "--tag", "branch=main",
    ]
    let added = Self.history(job, in: folder, input: Array(analysis.utf8))
    #expect(added.status == .success && added.output.contains("job 1, scroll, 1 run"))
    let values = try Self.values(folder)
    let path = ["surfaces", "0", "metrics", "frameTime"]
    for statistic in ["mean", "p50", "p95", "p99"] {
      #expect(
        values["\(statistic)(frameTime)"] == [try Self.figure(analysis, path + [statistic])])
    }
    let share = try Self.figure(analysis, ["surfaces", "0", "metrics", "droppedShare", "value"])
    #expect(values["droppedShare"] == [share])
    let list = try Self.json(Self.history(["list", "--format", "json"], in: folder))
    let listed = try #require((list["jobs"] as? [[String: Any]])?.first)
    #expect(listed["date"] as? String == "2026-11-21T08:00:00Z")
    #expect(listed["commit"] as? String == "abc" && listed["device"] as? String == "Pixel 8")
    #expect((listed["tags"] as? [String: String]) == ["branch": "main"])
  }

  @Test func resultsOfLaunchAndCompareAndTracesAndSummariesAreTaken() throws {
    let folder = try TemporaryFolder()
    let launches = Array(Run(["generate", "star-searcher-after"]).output.utf8)
    let launch = Run(["launch", "-", "--format", "json"], input: launches).output
    _ = Self.history(["add", "-"], in: folder, input: Array(launch.utf8))
    let median = try Self.figure(launch, ["groups", "0", "total", "p50"])
    #expect(try Self.values(folder)["p50(warmLaunchTime)"] == [median])
    // The same launches as a trace: the profiled one is left out in both cases.
    _ = Self.history(["add", "-"], in: folder, input: launches)
    #expect(try Self.values(folder)["p50(warmLaunchTime)"] == [median, median])

    var files: [String] = []
    for seed in 1...4 {
      files.append(folder.path("\(seed).jsonl"))
      let scenario = seed < 3 ? "gpu-overrun" : "gpu-overrun-sustained"
      _ = Run([
        "generate", scenario, "--seed", "\(seed)", "--frames", "\(400 + seed)", "-o",
        files[seed - 1],
      ])
    }
    let sides = ["--before"] + files[..<2] + ["--after"] + files[2...]
    let comparison = Run(["compare", "--format", "json"] + sides).output
    _ = Self.history(["add", "-", "--scene", "c"], in: folder, input: Array(comparison.utf8))
    let mean = try Self.figure(comparison, ["metrics", "0", "after"])
    #expect(try Self.values(folder)["mean(frameTime)"] == [mean])
    let before = ["add", "-", "--scene", "c", "--side", "before"]
    _ = Self.history(before, in: folder, input: Array(comparison.utf8))
    #expect(
      try Self.values(folder)["mean(frameTime)"]
        == [mean, try Self.figure(comparison, ["metrics", "0", "before"])])

    let summary = folder.path("runs.json")
    _ = Run(["analyze", files[0], files[1], "--summary", summary])
    #expect(Self.history(["add", summary, files[2]], in: folder).output.contains("3 runs"))
    #expect(try Self.values(folder)["p95(frameTime)"]?.count == 5)
  }

  /// A job belongs to the commit that CI or git shows, with its date, unless the user names
  /// another.
  @Test func theCommitComesFromCIOrGit() throws {
    let folder = try TemporaryFolder()
    let trace = Array(Run(["generate", "steady-60"]).output.utf8)
    let hash = "0123456789abcdef0123456789abcdef01234567"
    let other = "ffff456789abcdef0123456789abcdef01234567"
    let git = [
      "HEAD": "\(hash) 2026-11-20T10:00:00+02:00", other: "\(other) 2026-10-01T00:00:00Z",
    ]
    let jobs: [(arguments: [String], variables: [String: String], said: String?)] = [
      ([], [:], "commit 0123456789 from git"),
      ([], ["GITHUB_SHA": other], "commit ffff456789 from GITHUB_SHA"),
      (
        [], ["CI_COMMIT_SHA": "abc", "CI_COMMIT_TIMESTAMP": "2026-09-01T00:00:00Z"],
        "commit abc from CI_COMMIT_SHA"
      ),
      (["--commit", other], ["GITHUB_SHA": hash], nil),
      (["--commit", "", "--date", "2026-08-01"], ["GITHUB_SHA": hash], nil),
    ]
    for (arguments, variables, said) in jobs {
      let run = Run(
        ["history", "add", "-", "--store", folder.path("h.sqlite")] + arguments, input: trace,
        variables: variables, git: git)
      #expect(run.status == .success, "\(run.errors)")
      #expect(
        said.map { run.output.contains($0) } ?? !run.output.contains("commit"), "\(run.output)")
    }
    let list = try Self.json(Self.history(["list", "--format", "json"], in: folder))
    let kept = (list["jobs"] as? [[String: Any]] ?? []).map {
      [$0["date"] as? String, $0["commit"] as? String]
    }
    #expect(
      kept == [
        ["2026-08-01T00:00:00Z", nil], ["2026-09-01T00:00:00Z", "abc"],
        ["2026-10-01T00:00:00Z", other], ["2026-10-01T00:00:00Z", other],
        ["2026-11-20T08:00:00Z", hash],
      ])
    let text = Self.history(["list"], in: folder).output
    #expect(text.contains("  0123456789 ") || text.contains("  0123456789\n"))
    #expect(
      !text.contains(hash)
        && Self.history(["list", "--format", "csv"], in: folder).output.contains(hash))
  }

  /// A trace stores the same as its analysis in JSON, and a summary the same for the checked
  /// metrics.
  @Test(arguments: [
    "gpu-overrun", "uncapped-game", "talk-predicted", "star-searcher-after", "batched-commits",
    "variable-refresh",
  ])
  func everyWayOfAddingKeepsTheSameFigures(_ scenario: String) throws {
    let trace = Array(Run(["generate", scenario, "--frames", "400"]).output.utf8)
    let analysis = Run(["analyze", "-", "--format", "json"], input: trace).output
    let folders = try (0..<3).map { _ in try TemporaryFolder() }
    _ = Self.history(["add", "-"], in: folders[0], input: Array(analysis.utf8))
    let added = Self.history(["add", "-"], in: folders[1], input: trace)
    #expect(added.status == .success, "\(added.errors)")
    let values = try folders[..<2].map(Self.values)
    #expect(!values[0].isEmpty, "\(values[0].keys)")
    #expect(Set(values[0].keys).symmetricDifference(values[1].keys) == [])
    for (metric, value) in values[0] {
      let other = try #require(values[1][metric]?.first)
      // JSON has six decimals.
      #expect(abs(value[0] - other) <= 1e-6, "\(metric)")
    }
    let summary = folders[2].path("run.json")
    let summarized = Run(["analyze", "-", "--summary", summary], input: trace)
    try #require(summarized.status == .success, "\(summarized.errors)")
    _ = Self.history(["add", summary], in: folders[2])
    let short = try Self.values(folders[2])
    // If there are several latencies, a summary has the one that covers most of the path.
    let checked = HistoryMetric.gating.filter {
      values[0][$0] != nil && !$0.contains("inputToPhoton")
    }
    #expect(!checked.isEmpty)
    for metric in checked {
      let (value, other) = (try #require(values[0][metric]?.first), short[metric]?.first)
      #expect(other.map { abs(value - $0) <= 1e-6 } == true, "\(metric)")
    }
  }

  @Test func fieldHistogramsAreSeriesOfTheirOwnByVersion() throws {
    let folder = try TemporaryFolder()
    for (day, version, counts) in [
      (1, "3.1", [10, 80, 10]), (2, "3.1", [10, 80, 10]), (3, "3.2", [5, 35, 60]),
    ] {
      let bins = counts.enumerated().map { position, count in
        "{\"from\": \(position * 200), \"to\": \((position + 1) * 200), \"count\": \(count)}"
      }.joined(separator: ", ")
      let text =
        "{\"schema\": \"frametool.histogram/1\", \"metric\": \"launchTime\", \"unit\": \"ms\", \"version\": \"\(version)\", \"device\": \"iPhone14,5\", \"date\": \"2026-11-0\(day)\", \"bins\": [\(bins)]}"
      let run = Self.history(["add", "-", "--scene", "Maps"], in: folder, input: Array(text.utf8))
      #expect(run.output.contains("1 histogram\n"), "\(run.errors)")
    }
    // 50 of 100: ten are below 200 ms, and 40 of 80 more in the next 200 ms.
    #expect(try Self.values(folder)["p50(launchTime)"] == [300, 300, 200 * (2 + 10.0 / 60)])
    let list = Self.history(["list"], in: folder).output
    #expect(list.contains("field") && list.contains("3.2") && list.contains("2026-11-03"))
    let plot = Self.history(
      ["plot", "--by", "version", "--source", "field", "-o", folder.path("v.json")], in: folder)
    #expect(plot.status == .success, "\(plot.errors)")
    let text = try String(contentsOfFile: folder.path("v.json"), encoding: .utf8)
    #expect(text.contains("n 200") && text.contains("n 100") && text.contains("Maps on iPhone14,5"))
  }

  @Test(arguments: [
    ("{\"schema\": \"frametool.analysis/2\"}", "expected figures, found none"),
    ("{\"schema\": \"frametool.analysis/9\"}", "frametool.analysis/3, found version 9"),
    ("{\"schema\": \"frametool.launch/1\", \"groups\": [", "byte"),
    (
      "{\"schema\": \"frametool.histogram/1\", \"metric\": \"x\", \"unit\": \"ms\", \"bins\": [{\"from\": 3, \"to\": 1, \"count\": 4}]}",
      "expected a histogram with its metric, unit and bins"
    ),
    ("{\"schema\": \"frametool.histogram/1\", \"date\": \"yesterday\"}", "a date such as"),
  ])
  func brokenResultsAreRefusedAndAddNothing(_ text: String, _ words: String) throws {
    let folder = try TemporaryFolder()
    let run = Self.history(["add", "-"], in: folder, input: Array(text.utf8))
    #expect(run.status == .badData && run.errors.contains(words), "\(run.errors)")
    #expect(folder.files.isEmpty)
  }

  @Test(arguments: [
    (
      "{\"schema\": \"frametool.histogram/1\", \"histograms\": [{\"metric\": \"x\", \"unit\": \"ms\", \"bins\": [{\"from\": -1e308, \"to\": 1e308, \"count\": 5}]}]}",
      "expected a histogram"
    ),
    (
      "{\"schema\": \"frametool.histogram/1\", \"histograms\": [H, H]}", "p50(x) in ms twice"
    ),
    (
      "{\"schema\": \"frametool.comparison/1\", \"after\": [{\"frames\": 9223372036854775807}, {\"frames\": 9223372036854775807}], \"metrics\": [{\"name\": \"a\", \"unit\": \"ms\", \"after\": 1e300}]}",
      "expected figures up to"
    ),
  ])
  func absurdFiguresAreRefused(_ text: String, _ words: String) throws {
    let folder = try TemporaryFolder()
    let histogram =
      "{\"metric\": \"x\", \"unit\": \"ms\", \"bins\": [{\"from\": 0, \"to\": 1, \"count\": 5}]}"
    let input = Array(text.replacingOccurrences(of: "H", with: histogram).utf8)
    let run = Self.history(["add", "-"], in: folder, input: input)
    #expect(run.status == .badData && run.errors.contains(words), "\(run.errors)")
    #expect(Self.history(["list"], in: folder).output.contains("0 jobs") || folder.files.isEmpty)
  }

  @Test func oneTraceGivesTheSameFiguresHoweverItIsAdded() throws {
    let trace = Array(
      """
      {"schema": "frametool.trace/1", "unit": "ms"}
      {"type": "launch", "id": 1, "process": "A", "kind": "warm", "tapped": 0, "firstFrame": 100}
      {"type": "launch", "id": 2, "process": "B", "kind": "warm", "tapped": 200, "firstFrame": 900}
      {"type": "launch", "id": 3, "process": "A", "kind": "warm", "tapped": 1000, "firstFrame": 1120}
      {"type": "launch", "id": 4, "process": "A", "kind": "warm", "started": 2000, "marked": 2050, "until": "marked"}
      """.utf8)
    let results = [
      trace, Array(Run(["launch", "-", "--format", "json"], input: trace).output.utf8),
      Array(Run(["analyze", "-", "--format", "json"], input: trace).output.utf8),
    ]
    for (process, value) in [([], 110.0), (["--process", "B"], 700)] {
      for result in results {
        let folder = try TemporaryFolder()
        let run = Self.history(["add", "-"] + process, in: folder, input: result)
        #expect(run.status == .success, "\(run.errors)")
        let values = try Self.values(folder)
        #expect(values["p50(warmLaunchTime)"] == [value])
        #expect(values["p50(warmLaunchTimeToMarker)"] == (process.isEmpty ? [50] : nil))
      }
    }
  }

  @Test func nothingToAddIsSaid() throws {
    let folder = try TemporaryFolder()
    let trace = Array(
      """
      {"schema": "frametool.trace/1", "unit": "ms"}
      {"type": "launch", "tapped": 0, "firstFrame": 100, "profiled": true}
      """.utf8)
    let run = Self.history(["add", "-"], in: folder, input: trace)
    #expect(run.status == .badData && run.errors.contains("there are no figures to add"))
    #expect(folder.files.isEmpty)
  }

  @Test func aStoreWithoutANameIsNone() {
    let trace = Array(Run(["generate", "launches"]).output.utf8)
    let run = Run(["history", "add", "-", "--store", ""], input: trace)
    #expect(
      run.status == .inputOutput && run.errors.contains("expected a file name, found an empty one"))
  }

  @Test func versionsOfTheFieldAreThoseThatWereChosen() throws {
    let folder = try TemporaryFolder()
    for version in 1...2 {
      let text =
        "{\"schema\": \"frametool.histogram/1\", \"metric\": \"launchTime\", \"unit\": \"ms\", \"version\": \"\(version)\", \"bins\": [{\"from\": 0, \"to\": 100, \"count\": 5}]}"
      let tag = ["add", "-", "--tag", "os=\(version)"]
      _ = Self.history(tag, in: folder, input: Array(text.utf8))
    }
    let plot = ["plot", "--by", "version", "-o", folder.path("v.json")]
    for choice in [
      ["--app-version", "2"], ["--tag", "os=2"],
      ["--metric", "p95(launchTime)", "--app-version", "2"],
    ] {
      let run = Self.history(plot + choice, in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let text = try String(contentsOfFile: folder.path("v.json"), encoding: .utf8)
      #expect(text.contains("1 version;"), "\(choice)")
    }
  }

  // MARK: what is asked

  /// A store with a synthetic history.
  private static func store(_ history: SyntheticHistory, in folder: TemporaryFolder) throws {
    try HistoryStore(path: folder.path("h.sqlite"), isMade: true).add(history.additions)
  }

  @Test func aCheckNamesTheCommitsAndFailsWhenAsked() throws {
    let folder = try TemporaryFolder()
    let history = SyntheticHistory(
      jobs: 60, seed: 12, steps: [.init(job: 30, factor: 0.9), .init(job: 54, factor: 1.1)])
    try Self.store(history, in: folder)
    let run = Self.history(["check", "--fail-on", "regression"], in: folder)
    #expect(run.status == .regression)
    #expect(run.output.hasPrefix("regressed: p95(frameTime) "))
    #expect(try run.output.contains(Regex("^regressed: .* → .* ms, \\+.* %")))
    let jobs = history.additions.map(\.job)
    let name = { (job: HistoryJob) in String((job.commit ?? "").prefix(10)) }
    let range = "\(name(jobs[53]))..\(name(jobs[54]))"
    #expect(run.output.contains(range) && run.output.contains(jobs[54].date.dayText))
    #expect(!run.output.contains(name(jobs[30])))
    let commits = [jobs[53], jobs[54]].map { $0.commit ?? "" }
    let search =
      "frametool bisect --good \(commits[0]) --bad \(commits[1]) --metric 'p95(frameTime)' --result FILE --build COMMAND -- PROGRAM"
    #expect(run.output.contains("\nto find the commit: \(search)\n"), "\(run.output)")
    let all = Self.history(["check", "--all"], in: folder)
    #expect(all.status == .success && all.output.contains(name(jobs[30])))
    let junit = Self.history(["check", "--format", "junit"], in: folder).output
    let suite = "<testsuite name=\"frametool history check\" tests=\"1\" failures=\"1\""
    #expect(junit.contains(suite))
    #expect(junit.contains("p95(frameTime)\"><failure message=\"regressed: "))
    #expect(junit.contains(range))
    let json = try Self.json(Self.history(["check", "--format", "json"], in: folder))
    #expect(json["overall"] as? String == "regressed")
    let check = try #require((json["checks"] as? [[String: Any]])?.first)
    let changes = try #require(check["changes"] as? [[String: Any]])
    #expect(changes.count == 2 && changes[1]["search"] as? String == search)
    let accepted = Self.history(["accept", name(jobs[56]), "--note", "as meant"], in: folder)
    #expect(accepted.status == .success)
    #expect(accepted.output.contains("accepted up to job 57, "))
    let after = Self.history(["check", "--fail-on", "regression"], in: folder)
    #expect(after.status == .success && after.output.contains(": as meant"), "\(after.output)")
    #expect(Self.history(["accept", "no such job"], in: folder).status == .badData)
    let early = SyntheticHistory(jobs: 4, seed: 1)
    let other = try TemporaryFolder()
    try Self.store(early, in: other)
    #expect(Self.history(["check", "--fail-on", "regression"], in: other).status == .success)
    #expect(Self.history(["check", "--fail-on", "inconclusive"], in: other).status == .undecided)
  }

  @Test func questionsAreAboutWhatWasChosen() throws {
    let folder = try TemporaryFolder()
    try Self.store(SyntheticHistory(jobs: 120, runs: 1, seed: 1), in: folder)
    let list = Self.history(["list", "--last", "3"], in: folder).output
    #expect(list.contains("120 jobs, the newest 3 are listed"))
    #expect(list.split(separator: "\n").count == 5)
    #expect(Self.history(["list", "--app-version", "3.1"], in: folder).output.contains("50 jobs"))
    #expect(Self.history(["list", "--scene", "none"], in: folder).output.contains("0 jobs"))
    #expect(Self.history(["list", "--series"], in: folder).output.contains("p95(frameTime)"))
    #expect(Self.history(["check", "--metric", "none"], in: folder).status == .badData)
    let rows = Self.history(["export"], in: folder).output.split(separator: "\n")
    #expect(rows.count == 121 && rows[0].hasPrefix("job,date,commit,version"))
    let plot = Self.history(["plot", "-o", folder.path("p.json")], in: folder)
    #expect(plot.status == .success)
    let text = try String(contentsOfFile: folder.path("p.json"), encoding: .utf8)
    #expect(text.contains("120 jobs") && text.contains("new version"))
  }

  @Test(arguments: [
    (["list"], 74, "there is no history"),
    (["add", "x", "--date", "soon"], 64, "--date: expected"),
    (["add", "x", "--tag", "a"], 64, "--tag: expected NAME=VALUE"),
    (["add", "x", "--tag", "a=1", "--tag", "a=2"], 64, "--tag: a is given twice"),
    (["list", "--metric", "x"], 64, "--metric selects series"),
    (["list", "--series", "--app-version", "1"], 64, "select jobs"),
    (["add"], 64, "expected RESULT"), (["list", "--source", "moon"], 64, "--source: expected"),
  ])
  func wrongUseIsSaid(_ arguments: [String], _ status: Int32, _ words: String) throws {
    let folder = try TemporaryFolder()
    let run = Self.history(arguments, in: folder)
    #expect(run.status.rawValue == status && run.errors.contains(words), "\(run.errors)")
    #expect(folder.files.isEmpty)
  }

  @Test func otherDatabasesAreLeftAlone() throws {
    let folder = try TemporaryFolder()
    let trace = Array(Run(["generate", "steady-60", "--frames", "300"]).output.utf8)
    let path = folder.path("h.sqlite")
    let export = Run(["convert", "-", path], input: trace)
    #expect(export.status == .success)
    let before = try Data(contentsOf: URL(filePath: path))
    let run = Self.history(["add", "-"], in: folder, input: trace)
    #expect(run.status == .badData && run.errors.contains("another kind of database"))
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    try Data("hello".utf8).write(to: URL(filePath: path))
    #expect(Self.history(["list"], in: folder).status == .badData)
  }
}

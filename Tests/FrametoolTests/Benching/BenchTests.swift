import Foundation
import FrameKit
import Testing

@testable import FrameStatistics
@testable import FrameVerdicts
@testable import frametool

/// Two commands that are run in turns, on this machine.
@Suite struct BenchTests {
  /// A script that leaves one of several generated traces each time, the next one at each run.
  private static func player(
    _ name: String, of traces: [String], in folder: TemporaryFolder
  ) throws -> String {
    let list = traces.map { "'\($0)'" }.joined(separator: " ")
    return try folder.script(
      name,
      """
      cd "$(dirname "$0")"
      n=$(cat \(name).count 2>/dev/null || echo 0)
      set -- \(list)
      shift $((n % $#))
      echo $((n + 1)) >\(name).count
      cp "$1" out-\(name).jsonl
      """)
  }

  /// Traces of 300 frames of about a length in milliseconds, each a little different.
  private static func traces(
    _ name: String, _ count: Int, length: Double, in folder: TemporaryFolder
  ) throws -> [String] {
    var random = SplitMix64(seed: UInt64(length * 1000))
    return try (0..<count).map { number in
      let level = length * (1 + 0.02 * (random.nextUnit() - 0.5))
      let frames = (0..<300).map { _ in
        let interval = Int64(1e6 * level * (1 + 0.2 * (random.nextUnit() - 0.5)))
        return "{\"type\": \"frame\", \"surface\": \"s\", \"presentInterval\": \(interval)}\n"
      }
      let path = folder.path("\(name)\(number).jsonl")
      let start =
        "{\"schema\": \"frametool.trace/1\"}\n{\"type\": \"surface\", \"id\": \"s\"}\n"
      try Data((start + frames.joined()).utf8).write(to: URL(filePath: path))
      return path
    }
  }

  private static func json(_ run: Run) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any],
      "\(run.errors)")
  }

  @Test func aSlowerCommandIsFoundAndTheFileIsReadByOthers() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("runs.jsonl")
    let run = Run([
      "bench", "--a", "sleep 0.02", "--b", "sleep 0.06", "-o", file, "--format", "json",
      "--fail-on",
      "regression",
    ])
    #expect(run.status == .regression, "\(run.errors)")
    let json = try Self.json(run)
    #expect(json["overall"] as? String == "regressed" && json["ended"] as? String == "decided")
    // Six pairs are the fewest that can show a change; a loaded machine may take more.
    #expect((json["pairs"] as? Int).map { $0 >= 6 } == true)
    let sentence = try #require(json["sentence"] as? String)
    let compared = Run(["compare", file, "--fail-on", "regression"])
    #expect(compared.status == .regression && compared.output.hasPrefix(sentence))
    #expect(compared.output.contains("bets on the sign of each pair's difference"))
    #expect(Run(["plot", "compare", file, "-o", folder.path("p.json")]).status == .success)
    let page = folder.path("r.md")
    #expect(Run(["report", file, "-o", page]).status == .success)
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("B is slower"))
    let store = folder.path("h.sqlite")
    for side in ["before", "after"] {
      let added = Run([
        "history", "add", file, "--store", store, "--scene", side, "--side", side, "--date",
        "2026-11-26",
      ])
      #expect(added.output.contains("1 figure"), "\(added.errors)")
    }
    let means = try ["before", "after"].map { scene -> Double in
      let text = Run(["history", "export", "--store", store, "--scene", scene]).output
      let values = text.split(separator: "\n").dropFirst().compactMap { row in
        row.split(separator: ",").last.flatMap { Double($0) }
      }
      try #require(values.count >= 6, "\(text)")
      return values.reduce(0, +) / Double(values.count)
    }
    #expect(means[0] < means[1])
    let fleet = Run([
      "fleet", file, "--compare", "side=a..b", "--metric", "warmLaunchTimeToExit", "--format",
      "json",
    ])
    #expect(fleet.status == .success, "\(fleet.errors)")
  }

  /// A program that sleeps takes time, and hardly any time of a processor.
  ///
  /// Nothing is said about the verdict on two sleepers: after a longer sleep the caches are colder,
  /// so that their times of the processor may really differ.
  @Test func theProcessorTimeOfAProgramIsCompared() throws {
    let folder = try TemporaryFolder()
    let busy = try folder.script("busy", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done")
    let idle = try folder.script("idle", "sleep 0.01")
    let idler = try folder.script("idler", "sleep 0.4")
    for (other, isBusy) in [(busy, true), (idler, false)] {
      let file = folder.path("\(isBusy).jsonl")
      let run = Run([
        "bench", "--a", idle, "--b", other, "--metric", "cpuTime", "--max-runs", "12", "-o", file,
        "--format", "json",
      ])
      let json = try Self.json(run)
      let compared = (json["comparison"] as? [String: Any])?["metrics"] as? [[String: Any]]
      let metric = try #require(compared?.first, "\(run.output)")
      #expect(compared?.count == 1 && metric["metric"] as? String == "cpuTime", "\(run.output)")
      if isBusy {
        #expect(json["overall"] as? String == "regressed", "\(run.output)")
      } else {
        let after = try #require(metric["after"] as? Double, "\(run.output)")
        #expect(after > 0 && after < 200, "\(run.output)")
      }
      #expect(Run(["compare", file]).output.contains("cpuTime"))
    }
  }

  /// The order of each pair depends on the seed and the pair only, and each side is first in some.
  @Test func chanceDecidesTheOrder() throws {
    let orders = (1...3).map { seed in
      (1...40).map { MeasuringPlan.isBeforeFirst(inPair: $0, seed: UInt64(seed)) }
    }
    #expect(Set(orders).count == 3)
    for order in orders { #expect((10...30).contains(order.count { $0 })) }
    let folder = try TemporaryFolder()
    let file = folder.path("runs.jsonl")
    _ = Run(["bench", "--a", "true", "--b", "true", "--max-runs", "6", "--seed", "2", "-o", file])
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").dropFirst()
    let made = lines.map { $0.contains("\"side\":\"a\"") }
    #expect(made.count >= 10)
    for pair in 0..<5 {
      #expect(made[2 * pair] == orders[1][pair] && made[2 * pair + 1] != made[2 * pair])
    }
  }

  @Test func framesOfTheLeftFilesAreCompared() throws {
    let folder = try TemporaryFolder()
    let fast = try Self.traces("fast", 9, length: 10, in: folder)
    let slow = try Self.traces("slow", 9, length: 11, in: folder)
    let sides = [
      try Self.player("a", of: fast, in: folder), try Self.player("b", of: slow, in: folder),
    ]
    let run = Run([
      "bench", "--a", sides[0], "--b", sides[1], "--result", folder.path("out-*.jsonl"),
      "--max-runs",
      "8", "--warm-up", "0", "-o", folder.path("runs.jsonl"), "--format", "json",
    ])
    let json = try Self.json(run)
    #expect(json["overall"] as? String == "regressed" && json["pairs"] as? Int == 6)
    let comparison = try #require(json["comparison"] as? [String: Any], "\(run.output)")
    let metrics = try #require(comparison["metrics"] as? [[String: Any]])
    let mean = try #require(metrics.first { $0["metric"] as? String == "mean(frameTime)" })
    #expect((mean["effect"] as? Double).map { (8...12).contains($0) } == true)
    let one = Run(["compare", folder.path("runs.jsonl"), "--metric", "p95", "--format", "json"])
    let only = try #require(Self.json(one)["metrics"] as? [[String: Any]])
    #expect(only.map { $0["metric"] as? String } == ["p95(frameTime)"])
    for option in [["--paired"], ["--latency"], ["--sequential", "3,5"]] {
      let refused = Run(["compare", folder.path("runs.jsonl")] + option)
      #expect(refused.status == .usage && refused.errors.contains("has no effect on"))
    }
  }

  /// A run that leaves no new file, or too few frames, has failed.
  @Test func aResultThatIsNotNewIsAFailure() throws {
    let folder = try TemporaryFolder()
    _ = folder.generate("uncapped-game", frames: 400)
    let run = Run([
      "bench", "--a", "true", "--b", "true", "--result", folder.path("*.jsonl"), "-o",
      folder.path("runs.json"),
    ])
    #expect(run.status == .badData && run.errors.contains("it left no new file"), "\(run.errors)")
    let few = Run(["generate", "uncapped-game", "--frames", "100", "-o", folder.path("few")])
    #expect(few.status == .success)
    let script = try folder.script("s", "cp '\(folder.path("few"))' '\(folder.path("made.jsonl"))'")
    let short = Run([
      "bench", "--a", script, "--b", script, "--result", folder.path("made.jsonl"), "-o",
      folder.path("short.json"),
    ])
    #expect(short.errors.contains("frames, expected at least 240"), "\(short.errors)")
  }

  @Test(arguments: [
    ("exit 3", "it ended with status 3"), ("kill -9 $$", "it ended by signal 9"),
    ("sleep 60", "it ran for more than"),
  ])
  func aFailingCommandIsSaid(_ script: String, _ words: String) throws {
    let folder = try TemporaryFolder()
    let program = try folder.script("program", script)
    let run = Run([
      "bench", "--a", "true", "--b", program, "--timeout", "0.5", "-o", folder.path("runs.jsonl"),
    ])
    #expect(run.status == .badData && run.errors.contains("error: B: \(words)"), "\(run.errors)")
    // Nothing was measured, so that nothing is left.
    #expect(!folder.files.contains("runs.jsonl"))
  }

  /// A run that fails is tried once more; two that fail in a row for two pairs end it.
  @Test func aFlakyCommandIsTriedAgain() throws {
    let folder = try TemporaryFolder()
    let flaky = try folder.script(
      "flaky",
      """
      n=$(cat "$0.count" 2>/dev/null || echo 0)
      echo $((n + 1)) >"$0.count"
      [ $((n % 4)) != 2 ]
      """)
    let file = folder.path("runs.jsonl")
    let json = try Self.json(
      Run([
        "bench", "--a", flaky, "--b", "true", "--max-runs", "6", "-o", file, "--format", "json",
      ]))
    let failures = try #require(json["failures"] as? [String])
    #expect(failures.count >= 1 && failures[0].contains("it ended with status 1"))
    #expect((json["pairs"] as? Int).map { $0 >= 5 } == true)
    let broken = try folder.script(
      "broken",
      """
      n=$(cat "$0.count" 2>/dev/null || echo 0)
      echo $((n + 1)) >"$0.count"
      [ $n -lt 3 ]
      """)
    let run = Run(["bench", "--a", broken, "--b", "true", "-o", folder.path("broken.jsonl")])
    #expect(run.status == .badData && run.output.contains("ended because runs failed"))
    #expect(run.errors.contains("--resume"), "\(run.errors)")
  }

  /// A program that leaves the same recording each time has no noise to compare with.
  @Test func aRecordingThatIsTheSameIsRefusedAtOnce() throws {
    let folder = try TemporaryFolder()
    let trace = try Self.traces("same", 1, length: 10, in: folder)[0]
    let script = try folder.script("s", "cp -p '\(trace)' '\(folder.path("out.jsonl"))'")
    let file = folder.path("runs.jsonl")
    let run = Run([
      "bench", "--a", script, "--b", script, "--result", folder.path("out.jsonl"), "-o", file,
    ])
    #expect(run.status == .badData && run.errors.contains("same recording"), "\(run.errors)")
    #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 11)
  }

  /// A threshold goes by the name that is shown, or by that of the figure.
  @Test(arguments: ["warmLaunchTimeToExit=10000", "p50=10000"])
  func theThresholdOfATimeHasItsName(_ threshold: String) throws {
    let folder = try TemporaryFolder()
    let json = try Self.json(
      Run([
        "bench", "--a", "sleep 0.01", "--b", "sleep 0.01", "--threshold", threshold, "-o",
        folder.path("runs.jsonl"), "--format", "json",
      ]))
    #expect(json["overall"] as? String == "no change")
  }

  /// A file that was cut off anywhere is gone on with, and the pairs that it has count.
  @Test func aFileThatWasCutOffIsGoneOnWith() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("runs.jsonl")
    let arguments = ["bench", "--a", "sleep 0.01", "--b", "sleep 0.01", "-o", file]
    let first = Run(arguments + ["--max-runs", "6", "--threshold", "p50=0.001"])
    #expect(first.output.contains("runs: \(file)"), "\(first.errors)")
    let whole = try Data(contentsOf: URL(filePath: file))
    #expect(Run(arguments).errors.contains("expected a name that is free"))
    let lines = whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for cut in [whole.count, whole.count - 7, whole.count - lines[lines.count - 2].count - 1] {
      try whole.prefix(cut).write(to: URL(filePath: file))
      let run = Run(["bench", "--resume", file, "--max-runs", "8", "--format", "json"])
      let json = try Self.json(run)
      #expect((json["pairs"] as? Int).map { (5...8).contains($0) } == true)
      // Equal programs may be decided by chance, and mostly are not.
      #expect(["max_runs", "decided"].contains(json["ended"] as? String))
      try whole.write(to: URL(filePath: file))
    }
    try whole.prefix(lines[0].count / 2).write(to: URL(filePath: file))
    #expect(Run(["bench", "--resume", file]).status == .badData)
    let other = Run(["bench", "--resume", folder.path("none")])
    #expect(other.status == .inputOutput || other.status == .badData)
    // Options that change what is measured belong to a new file.
    try whole.write(to: URL(filePath: file))
    for option in [["--threshold", "p50=9"], ["--b", "true"], ["--seed", "4"], ["--", "true"]] {
      let run = Run(["bench", "--resume", file] + option)
      #expect(run.status == .usage && run.errors.contains(" has no effect"))
    }
    let moved = String(decoding: whole, as: UTF8.self)
      .replacing(/"folder":"[^"]*"/, with: "\"folder\":\"/elsewhere\"")
    try Data(moved.utf8).write(to: URL(filePath: file))
    #expect(Run(["bench", "--resume", file]).errors.contains("was begun in /elsewhere"))
  }

  @Test(arguments: [
    (["bench"], "expected --a COMMAND and --b COMMAND"),
    (["bench", "--a", "true"], "expected --a"),
    (["bench", "--a", "true", "--b", "true", "--build", "make"], "--build has no effect"),
    (["bench", "--checkout", "x", "--", "true"], "expected two commits"),
    (["bench", "--checkout", "a..b"], "expected one command after --"),
    (["bench", "--a", "true", "--b", "'"], "--b: expected a command"),
    (["bench", "--a", "true", "--b", "true", "--metric", "p95"], "only the time of each run"),
    (
      ["bench", "--a", "true", "--b", "true", "--latency"],
      "--latency has no effect without --capture or --result"
    ),
    (
      ["bench", "--a", "x", "--b", "x", "--capture", "vulkan", "--result", "y"],
      "--result has no effect with --capture"
    ),
    (["bench", "--a", "x", "--b", "x", "--result", "y", "--metric", "nothing"], "nothing"),
    (["bench", "--a", "x", "--b", "x", "--threshold", "p95"], "expected METRIC=N"),
    (["bench", "--a", "x", "--b", "x", "--duration", "3"], "--duration has no effect"),
    (["bench", "--a", "x", "--b", "x", "--keep", "/tmp"], "--keep has no effect"),
    (["bench", "--a", "x", "--b", "x", "--max-runs", "5"], "--max-runs: expected"),
    (
      ["bench", "--a", "x", "--b", "x", "--capture", "vulkan", "--keep", "/nonexistent"],
      "no folder"
    ),
    (["bench", "--a", "/nonexistent/x", "--b", "true", "-o", "/dev/null/x"], "/dev/null/x"),
  ])
  func wrongUsageIsSaid(_ arguments: [String], _ words: String) {
    let run = Run(arguments)
    #expect(run.status != .success && run.errors.contains(words), "\(run.errors)")
  }

  @Test(arguments: [
    ("out.csv", "out.csv", true), ("out-1.csv", "out*.csv", true), ("out.csv", "out*.csv", true),
    ("x-out.csv", "out*.csv", false), ("a-b-c", "a*b*c", true), ("a-c-b", "a*b*c", false),
    ("anything", "*", true), ("ab", "ab*b", false), ("", "*", true),
  ])
  func patternsMatchWholeNames(_ name: String, _ pattern: String, _ matches: Bool) {
    #expect(MeasuredCommand.matches(name, pattern) == matches)
  }
}

import Foundation
import Testing

@testable import frametool

/// Several sides, selected figures, folders and dumps, as scripts compare them.
@Suite struct CompareSidesTests {
  static func sides(_ options: [String], _ names: [String] = ["a", "b", "c"]) -> Run {
    let sides = names.flatMap { ["--side", "\($0)=\($0)0.jsonl", "\($0)1.jsonl", "\($0)2.jsonl"] }
    return Run(["compare"] + sides + options, in: CompareTests.folder)
  }

  @Test func eachSideIsComparedWithTheFirst() throws {
    let run = Self.sides(["--fail-on", "regression"])
    #expect(run.status == .regression)
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "regressed: 2 sides against a")
    #expect(lines[1].hasPrefix("b: fine: more than "))
    #expect(
      lines[2].hasPrefix("c: regressed: c is slower: p99(frameTime) 10.48 → 12.06 ms, +15.1 %"))
    #expect(run.output.contains("at 0.0250 for each of 2 sides"))
    #expect(run.output.contains("  metric"), "each side has its table")
    #expect(Self.sides(["--fail-on", "regression"], ["a", "b"]).status == .success)

    let json = try #require(
      JSONSerialization.jsonObject(with: Data(Self.sides(["--format", "json"]).output.utf8))
        as? [String: Any])
    #expect(json["schema"] as? String == "frametool.comparison/2")
    #expect(json["overall"] as? String == "regressed")
    let comparisons = try #require(json["comparisons"] as? [[String: Any]])
    #expect(comparisons.map { $0["after_name"] as? String } == ["b", "c"])
    #expect(comparisons.allSatisfy { $0["before_name"] as? String == "a" })

    let junit = Self.sides(["--format", "junit"]).output
    #expect(junit.contains("name=\"c: p50(frameTime)\"><failure"))
    #expect(junit.contains("name=\"b: p50(frameTime)\"/>"))
  }

  /// Two named sides give the same figures as before and after.
  @Test func namesChangeNoFigure() {
    let named = Self.sides(["--format", "csv"], ["a", "c"]).output
    let plain = CompareTests.compare("c", ["--format", "csv"]).output
    #expect(named.replacing("\na,c,", with: "\nbefore,after,") == plain)
  }

  @Test func sidesThatMeanNothingAreRefused() {
    let files = ["--side", "a=a0.jsonl"]
    let refused: [([String], String)] = [
      (files, "at least two sides, found only a"),
      (files + ["--side", "a=b0.jsonl"], "expected a name that no other side has"),
      (files + ["--side", "b0.jsonl"], "expected NAME=FILE…, found b0.jsonl"),
      (files + ["--side", "b=b0.jsonl", "--before", "c0.jsonl"], "--side names every side"),
    ]
    for (arguments, problem) in refused {
      let run = Run(["compare"] + arguments, in: CompareTests.folder)
      #expect(run.status == .usage && run.errors.contains(problem), "\(run.errors)")
    }
  }

  /// A folder without a trace, or a summary without runs, is not a valid side.
  @Test func aSideWithoutRunsIsRefused() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let empty = folder.appending(path: "empty").path
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    let summary = folder.path + "/none.json"
    try #"{"schema": "frametool.runs/1", "runs": []}"#.write(
      toFile: summary, atomically: true, encoding: .utf8)
    let trace = CompareTests.folder.path + "/a0.jsonl"
    for side in [empty, summary] {
      for sides in [[side, trace], [trace, side]] {
        for kind in [[], ["--latency"], ["--launch"]] {
          let run = Run(["compare"] + sides + kind)
          let name = sides[0] == side ? "before" : "after"
          #expect(run.status == .badData, "\(sides) \(kind)")
          let problem =
            side == empty
            ? "\(empty): expected traces in the folder, found nothing"
            : "\(name): expected a run, found none"
          #expect(run.errors.hasPrefix("error: \(problem)\n"))
        }
      }
    }
  }

  @Test func theFiguresThatAreChosenDecide() {
    let run = CompareTests.compare("c", ["--metric", "p90", "--metric", "mean", "--format", "csv"])
    let rows = CSVRows(run.output)
    #expect(rows["metric"] == ["mean(frameTime)", "p90(frameTime)"])
    #expect(rows["gating"] == ["true", "true"] && rows["verdict"] == ["regressed", "regressed"])
    let rate = CompareTests.compare("c", ["--metric", "FPS", "--format", "csv"])
    #expect(CSVRows(rate.output)["metric"] == ["mean(frameTime)"])
    for (words, problem) in [
      (["p95(gpuTime)", "cpuBusy"], "figures of one metric, found gpuTime and cpuBusy"),
      (["p42(gpuTime)"], "one of mean, p50, p90, p95, p99"),
      (["onePercentLowAverage"], "for frame rates, choose mean(frameTime)"),
      (["missedRefreshShare"], "no fixed refresh was found"),
      (["gpuTime"], "a0.jsonl: there are no values of gpuTime"),
      (["animationError"], "a0.jsonl: there are no values of animationError"),
    ] {
      let run = CompareTests.compare("c", words.flatMap { ["--metric", $0] })
      #expect(run.status != .success && run.errors.contains(problem), "\(words): \(run.errors)")
    }
    let latency = CompareTests.compare("c", ["--latency", "--metric", "p95"])
    #expect(latency.status == .usage && latency.errors.contains("no effect with --metric"))
  }

  @Test func anotherMetricIsComparedByItsOwnValues() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for (side, name) in [("before", "steady-60"), ("after", "gpu-overrun-sustained")] {
      let path = folder.appending(path: side)
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      for seed in side == "after" ? 1...1 : 1...3 {
        let file = path.appending(path: "\(seed).jsonl").path
        let run = Run(["generate", name, "--frames", "400", "--seed", "\(seed)", "-o", file])
        #expect(run.status == .success)
      }
    }
    // A folder stands for the files in it.
    let sides = ["before", "after"].map { folder.appending(path: $0).path }
    try "notes".write(toFile: sides[0] + "/notes.txt", atomically: true, encoding: .utf8)
    let run = Run(["compare"] + sides + ["--metric", "gpuTime"])
    #expect(run.errors == "note: \(sides[0]): left out 1 other file (notes.txt)\n")
    #expect(run.output.hasPrefix("suspected: after is slower: "), "\(run.errors)")
    #expect(run.output.contains("  mean(gpuTime)") && !run.output.contains("missedRefreshShare"))
    #expect(run.output.contains("before: 3 runs, 1200 frames of"), "\(run.output)")
  }

  /// Overlapping dumps of one running app are one run, with each frame in it once; another start of
  /// the app is another run.
  @Test func overlappingDumpsAreOneRun() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let whole = Run(["generate", "steady-60", "--encode", "gfxinfo", "--frames", "600"]).output
    let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
    let ends = lines.indices.filter { lines[$0] == "---PROFILEDATA---" }
    let rows = lines[(ends[0] + 2)..<ends[1]]
    try whole.write(toFile: folder.path + "/whole.txt", atomically: true, encoding: .utf8)
    for number in 0..<6 {
      let first = rows.startIndex + number * 90
      let part =
        lines[...(ends[0] + 1)] + rows[first..<min(first + 150, rows.endIndex)]
        + lines[ends[1]...]
      let text = part.joined(separator: "\n")
      try text.write(
        toFile: "\(folder.path)/\(number).txt", atomically: true, encoding: .utf8)
      try text.replacing("for pid 4242", with: "for pid 5000").write(
        toFile: "\(folder.path)/again\(number).txt", atomically: true, encoding: .utf8)
    }
    let dumps = (0..<6).map { "\($0).txt" }
    let run = Run(["compare", "--before"] + dumps + ["--after", "whole.txt"], in: folder)
    #expect(run.output.contains("before: 0.txt and 5 more, 599 frames of"), "\(run.errors)")
    #expect(run.output.contains("after: whole.txt, 599 frames of"))
    #expect(run.output.contains("is the same recording as a run of the other side"))

    let starts = (0..<6).map { "again\($0).txt" }
    let two = Run(["compare", "--before"] + dumps + starts + ["--after", "whole.txt"], in: folder)
    #expect(two.errors.contains("the same recording as"), "two starts are two runs: \(two.output)")
    let joined = Run(["analyze", "--one-recording", "0.txt", "again1.txt"], in: folder)
    #expect(joined.status == .badData && joined.errors.contains("with another process ID"))
  }

  /// If a dump has no rows of frames, its counts are compared.
  @Test func countsOfADumpAreCompared() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ name: String, pid: Int, _ bins: [(Int, Int)], janky: Int) throws {
      let histogram = bins.map { "\($0.0)ms=\($0.1)" }.joined(separator: " ")
      let text = """
        Applications Graphics Acceleration Info:
        ** Graphics info for pid \(pid) [com.example] **
        Total frames rendered: 1000
        Janky frames: \(janky) (\(janky / 10).00%)
        HISTOGRAM: \(histogram)

        """
      try text.write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
    }
    for number in 0..<3 {
      try write(
        "a\(number).txt", pid: 100 + number,
        [(8, 700 - number), (10, 250), (16, 50 + number), (18, 0)], janky: 50)
      try write(
        "b\(number).txt", pid: 200 + number,
        [(8, 200 - number), (10, 600), (16, 200 + number), (18, 0)], janky: 200)
    }
    let sides = ["--before", "a0.txt", "a1.txt", "a2.txt", "--after", "b0.txt", "b1.txt", "b2.txt"]
    let run = Run(["compare"] + sides, in: folder)
    #expect(run.output.contains("(frameDuration) "), "\(run.errors)")
    #expect(run.output.contains("before: 3 runs, 3000 frames of com.example"))
    #expect(run.output.contains("(jankShare)             5.00  20.00  %"))
    #expect(run.output == Run(["compare"] + sides, in: folder).output)
    let one = Run(["compare", "a0.txt", "b0.txt"], in: folder)
    #expect(one.output.contains("gives only a histogram, so the order of frames is unknown"))
    let summary = Run(["analyze", "a0.txt", "--summary", folder.path + "/a.json"], in: folder)
    #expect(summary.status == .success, "\(summary.errors)")
    #expect(
      Run(["compare", "a.json", "b0.txt", "--format", "csv"], in: folder).output
        == Run(["compare", "a0.txt", "b0.txt", "--format", "csv"], in: folder).output)
    // Frames and counts are different quantities.
    let frames = Run(["generate", "steady-60", "--encode", "gfxinfo", "--frames", "600"]).output
    try frames.write(toFile: folder.path + "/f.txt", atomically: true, encoding: .utf8)
    let mixed = Run(["compare", "a0.txt", "f.txt"], in: folder)
    #expect(
      mixed.status == .badData
        && mixed.errors.contains("use --metric to choose one that both sides"))
  }

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}

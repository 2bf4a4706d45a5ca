import Fixtures
import Foundation
import FrameKit
import Testing

@testable import frametool

/// `generate --random` and `score`, from the command line.
struct ScoreCommandTests {
  /// A folder with traces of all families.
  private static func traces(_ count: Int = 24, _ more: [String] = []) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let run = Run(["generate", "--random", "\(count)", "-o", folder.path("t")] + more)
    try #require(run.status == .success, "\(run.errors)")
    return folder
  }

  private static func truths(_ folder: TemporaryFolder) throws -> [JankTruth] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("t")).sorted()
    return try names.filter { $0.hasSuffix(JankTruth.suffix) }.map { name in
      let bytes = try Data(contentsOf: URL(filePath: folder.path("t/\(name)")))
      return try JankTruth([UInt8](bytes), path: name)
    }
  }

  @Test func tracesAreWrittenWithTheirTruths() throws {
    let folder = try Self.traces(24)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("t"))
    #expect(names.count == 48)
    let truths = try Self.truths(folder)
    #expect(Set(truths.map(\.family)) == Set(JankFamily.allCases.map(\.rawValue)))
    let again = try Self.traces(24)
    for name in names {
      let read = { (folder: TemporaryFolder) in
        try Data(contentsOf: URL(filePath: folder.path("t/\(name)")))
      }
      #expect(try read(folder) == read(again), "\(name)")
    }
    let few = try Self.traces(12, ["--family", "cadence,rests", "--seed", "7"])
    #expect(Set(try Self.truths(few).map(\.family)) == ["cadence", "rests"])
  }

  @Test func tracesThatAFormatCannotCarryAreCounted() throws {
    let folder = try TemporaryFolder()
    let run = Run([
      "generate", "--random", "24", "--encode", "perfetto", "-o", folder.path("t"),
    ])
    #expect(run.status == .success)
    #expect(
      run.errors.contains("left out 2: the format needs exactly one surface"), "\(run.errors)")
    let none = Run([
      "generate", "--random", "3", "--family", "two-surfaces", "--encode", "perfetto", "-o",
      folder.path("u"),
    ])
    #expect(none.status == .usage)
    #expect(none.errors.contains("none of 3 traces can be written as perfetto"), "\(none.errors)")
  }

  @Test(arguments: [
    (["--random", "2"], "--random needs a folder"),
    (["--random", "2", "steady-60", "-o", "x"], "--random takes no scenario, found steady-60"),
    (["--random", "2", "--frames", "3", "-o", "x"], "--random takes no --frames"),
    (["--family", "rests"], "--family is for --random"),
    ([], "expected SCENARIO, or --random N"),
  ])
  func callsThatCannotBeMeant(_ arguments: [String], _ message: String) {
    let run = Run(["generate"] + arguments)
    #expect(run.status == .usage)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  /// The same score from the traces, from frametool's own JSON and from a table of the truth.
  @Test func allWaysToScoreAgree() throws {
    let folder = try Self.traces(36)
    let own = Run(["score", folder.path("t"), "--format", "json"])
    try #require(own.status == .success, "\(own.errors)")
    let analysis = Run(["analyze", "--format", "json", folder.path("t")])
    try analysis.output.write(toFile: folder.path("a.json"), atomically: true, encoding: .utf8)
    let json = Run(["score", folder.path("t"), folder.path("a.json"), "--format", "json"])
    try #require(json.status == .success, "\(json.errors)")
    let same = json.output.replacingOccurrences(of: "frametool (JSON)", with: "frametool")
    #expect(own.output == same)
    var rows = ["trace,refresh_or_time,frame,stage,surface"]
    for truth in try Self.truths(folder) {
      for drop in truth.drops where truth.surfaces.count == 1 {
        let frame = drop.culprit.map { "\($0.frame)" } ?? ""
        rows.append("\(truth.name),\(drop.time)ns,\(frame),\(drop.stage.rawValue),0")
      }
    }
    try rows.joined(separator: "\n").write(
      toFile: folder.path("best.csv"), atomically: true, encoding: .utf8)
    let best = Run([
      "score", folder.path("t"), folder.path("best.csv"), "--format", "csv",
    ])
    try #require(best.status == .success, "\(best.errors)")
    let lines = best.output.split(separator: "\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let detected = try #require(lines[0].firstIndex(of: "detected"))
    let drops = try #require(lines[0].firstIndex(of: "drops"))
    for line in lines.dropFirst() where line[1] != "all" && line[1] != "two-surfaces" {
      #expect(line[drops] == "0" || Double(line[detected]) == 1, "\(line)")
    }
  }

  @Test func mistakesAreListedWithCommandsThatRun() throws {
    let folder = try Self.traces(24)
    let truth = try #require(try Self.truths(folder).first(where: { $0.isClean }))
    try "trace,refresh_or_time,frame,stage\n\(truth.name),12,,gpu\n\(truth.name),12,,gpu\n".write(
      toFile: folder.path("v.csv"), atomically: true, encoding: .utf8)
    let run = Run([
      "score", folder.path("t/\(truth.name)\(JankTruth.suffix)"), folder.path("v.csv"),
      "--explain", "--format", "json",
    ])
    try #require(run.status == .success, "\(run.errors)")
    let node = try #require(JSONNode(reading: Array(run.output.utf8)))
    let mistakes = try #require(node["mistakes"]?.array)
    #expect(mistakes.count == 1)
    #expect(mistakes[0]["mistake"]?.text == "false alarm")
    #expect(node["scores"]?.array?.first?["repeated"]?.integer == 1)
    let command = try #require(mistakes[0]["command"]?.text)
    #expect(Run(line: command).status == .success, "\(command)")
  }

  @Test func publishedRulesStandBesideIt() throws {
    let folder = try Self.traces(12)
    let run = Run(["score", folder.path("t"), "--rules"])
    #expect(run.status == .success)
    for rule in JankRules.all { #expect(run.output.contains(rule.name)) }
    let families = Run(["score", folder.path("t"), "--rules", "--by-family"])
    #expect(families.output.contains("not meant: made for apps that a refresh starts"))
  }

  /// Verdicts of sources: jank types in Perfetto traces, and counts in gfxinfo.
  @Test func tracesThatJudgeFramesAreScored() throws {
    let folder = try Self.traces(12, ["--family", "scheduling"])
    for truth in try Self.truths(folder) {
      let run = Run([
        "convert", folder.path("t/\(truth.name).jsonl"), folder.path("\(truth.name).pftrace"),
      ])
      try #require(run.status == .success, "\(run.errors)")
    }
    let outputs = try Self.truths(folder).map { folder.path("\($0.name).pftrace") }
    let run = Run(["score", folder.path("t")] + outputs + ["--format", "json"])
    try #require(run.status == .success, "\(run.errors)")
    let scores = try #require(JSONNode(reading: Array(run.output.utf8))?["scores"]?.array)
    #expect(scores[0]["tool"]?.text == "perfetto, as stated")
    #expect((scores[0]["detected"]?.number ?? 0) > 0.9)
    #expect(scores[0]["false_alarms"]?.integer == 0)
  }

  /// Bad input gets one line that says what to try.
  @Test func badInputIsRefused() throws {
    let folder = try Self.traces(12)
    let truth = try #require(try Self.truths(folder).first { $0.surfaces.count == 1 })
    let header = "trace,refresh_or_time,frame,stage\n"
    let refuse = { (text: String, message: String) throws in
      try text.write(toFile: folder.path("bad.csv"), atomically: true, encoding: .utf8)
      let run = Run(["score", folder.path("t"), folder.path("bad.csv")])
      #expect(run.status == .badData, "\(text)")
      #expect(run.errors.contains(message), "\(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 2, "\(run.errors)")
    }
    try refuse(header + "nobody,3,,app\n", "bad.csv:2: expected the name of a trace with a truth")
    try refuse(header + "\(truth.name),3,,cpu\n", "expected one of app, compositor, gpu, display")
    try refuse(
      header + "\(truth.name),812.5,,app\n", "expected a refresh number, or a time with its unit")
    try refuse(
      header + "\(truth.name),812500ms,,app\n", "expected a time of \(truth.name), which lasts from"
    )
    try refuse(header + "\(truth.name),3,x,app\n", "expected a frame by its row")
    try refuse(header + "\(truth.name),3\n", "expected 4 cells, found 2")
    try refuse(
      "trace,refresh_or_time,stage\n", "expected the columns trace,refresh_or_time,frame,stage")
    try refuse("a,b,c\n1,2,3\n", "expected an analysis as JSON, a table")
    let path = folder.path("t/\(truth.name)\(JankTruth.suffix)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacingOccurrences(of: "truth/2", with: "truth/7").write(
      toFile: folder.path("old.truth.json"), atomically: true, encoding: .utf8)
    let old = Run(["score", folder.path("old.truth.json")])
    #expect(old.status == .badData)
    #expect(old.errors.contains("expected the schema frametool.truth/2, found frametool.truth/7"))
    try text.write(toFile: folder.path("copy.truth.json"), atomically: true, encoding: .utf8)
    try (header + "\(truth.name),3,,app\n").write(
      toFile: folder.path("one.csv"), atomically: true, encoding: .utf8)
    let twice = Run([
      "score", folder.path("t"), folder.path("copy.truth.json"), folder.path("one.csv"),
    ])
    #expect(twice.errors.contains("expected one truth of \(truth.name), found another"))
    let trace = folder.path("t/\(truth.name).jsonl")
    let changed = try String(contentsOfFile: trace, encoding: .utf8) + "\n"
    try changed.write(toFile: trace, atomically: true, encoding: .utf8)
    let other = Run(["score", path])
    #expect(other.status == .badData)
    #expect(other.errors.contains("expected the bytes that its truth was written with"))
    #expect(
      Run(["score", folder.path("one.csv")]).errors.contains("expected truths, found only outputs"))
  }

  /// Numbers near the bounds of 64 bits are refused, or compared like any other.
  @Test func hostileNumbersEndNothing() throws {
    let folder = try Self.traces(12)
    let truth = try #require(try Self.truths(folder).first { !$0.isClean && !$0.isVariable })
    let path = folder.path("t/\(truth.name)\(JankTruth.suffix)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let hostile = [
      "-9223372036854775808", "9223372036854775807", "4611686018427387904", "1e308", "null",
      "\"x\"",
      "-1", "0",
    ]
    let keys = ["refresh", "time_ns", "interval_ns", "surface", "victim", "extra_ns", "version"]
    for key in keys {
      for value in hostile {
        let changed = text.replacing(
          try Regex("\"\(key)\":-?[0-9]+"), with: "\"\(key)\":\(value)")
        _ = try? JankTruth(Array(changed.utf8), path: "hostile")
        if let read = try? JankTruth(Array(changed.utf8), path: "hostile") {
          let finding = DetectorOutput.Finding(
            surface: 0, refresh: nil, time: truth.drops[0].time, count: .max, stage: .app)
          _ = TraceScore(
            read, DetectorOutput(trace: "a", findings: [finding]), namesFrames: true)
        }
      }
    }
    for value in hostile {
      try "trace,refresh_or_time,frame,stage\n\(truth.name),\(value),\(value),app\n".write(
        toFile: folder.path("h.csv"), atomically: true, encoding: .utf8)
      #expect([.badData, .success].contains(Run(["score", path, folder.path("h.csv")]).status))
      let json = """
        {"schema": "frametool.analysis/2", "trace": {"file": "\(truth.name)", "start_ns": \(value)}, "surfaces":
        [{"id": "a", "dropped": {"drops": [{"refresh": \(value), "count": \(value), "frame": 1, "stage": "app"},
        {"t_ms": \(value), "count": \(value), "cause_frame": \(value), "stage": "gpu"}]}}]}
        """
      try json.write(toFile: folder.path("h.json"), atomically: true, encoding: .utf8)
      #expect([.badData, .success].contains(Run(["score", path, folder.path("h.json")]).status))
    }
  }

  /// A trace that is named twice would count twice.
  @Test func truthsCountOnce() throws {
    let folder = try Self.traces(12)
    let run = Run(["score", folder.path("t"), folder.path("t")])
    #expect(run.status == .badData)
    #expect(run.errors.contains("expected one truth of"))
    #expect(Run(["score", "-"]).errors.contains("expected files, found standard input"))
  }

  /// Without display times nothing is judged, and nothing counts as right.
  @Test func tracesThatCannotBeJudgedAreNoClean() throws {
    let folder = try Self.traces(24, ["--encode", "mangohud"])
    let run = Run(["score", folder.path("t"), "--rules", "--format", "json"])
    try #require(run.status == .success, "\(run.errors)")
    let scores = try #require(JSONNode(reading: Array(run.output.utf8))?["scores"]?.array)
    for score in scores where score["family"]?.text == "all" {
      #expect(score["unjudged"]?.integer == score["drops"]?.integer)
      #expect(score["clean_alarmed"]?.number == nil)
    }
    let truths = try Self.truths(folder)
    #expect(truths.allSatisfy { $0.surfaces[0].frames.contains { $0.row != nil } })
  }

  /// Cut anywhere, a truth is refused or read, and nothing else happens.
  @Test func cutTruthsAreRefused() throws {
    let folder = try Self.traces(1)
    let truth = try #require(try Self.truths(folder).first)
    let bytes = truth.json
    for end in stride(from: 0, to: bytes.count - 2, by: max(1, bytes.count / 150)) {
      #expect(throws: ParseError.self) {
        try JankTruth(Array(bytes[..<end]), path: "cut")
      }
    }
  }
}

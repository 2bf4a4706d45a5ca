import Foundation
import FrameKit
import Testing

@testable import frametool

/// Summaries of many traces, from the command line.
@Suite struct FleetCommandTests {
  /// Traces of two devices and two versions, and a file that is not a trace.
  private static func traces() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for device in ["a", "b"] {
      for version in ["1", "2"] {
        let position = folder.url.appending(path: "runs/\(device)/\(version)")
        try FileManager.default.createDirectory(at: position, withIntermediateDirectories: true)
        for run in 1...3 {
          let trace = Run([
            "generate", "dropped-frames", "--seed", "\(run)", "--frames", "20\(run)",
          ]).output
          try Data(trace.utf8).write(to: position.appending(path: "\(run).jsonl"))
        }
      }
    }
    try Data("no trace\n".utf8).write(to: folder.url.appending(path: "runs/b/notes.txt"))
    return folder
  }

  private static func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test func aListSeparatedByNullHasPathsWithLineFeeds() throws {
    let folder = try TemporaryFolder()
    let names = ["a\nb\tc.jsonl", "d.jsonl"]
    for (seed, name) in names.enumerated() {
      _ = Run(["generate", "dropped-frames", "--seed", "\(seed)", "-o", folder.path(name)])
    }
    let list = names.map { folder.path($0) + "\0" }.joined()
    let run = Run(["analyze", "--summary", "-", "-"], input: Array(list.utf8))
    #expect(run.status == .success, "\(run.errors)")
    #expect(run.output.split(separator: "\n").count == 3)
    #expect(run.output.contains(#"/a\nb\tc.jsonl","size""#))
  }

  @Test func theNumberOfJobsChangesNothing() throws {
    let folder = try Self.traces()
    let outputs = [[], ["--jobs", "1"], ["--jobs", "2"], ["--jobs", "16"]].map { jobs in
      Run(["analyze", "--quiet", "--summary", "-", folder.path("runs")] + jobs).output
    }
    #expect(outputs[0].split(separator: "\n").count == 14)
    #expect(Set(outputs).count == 1)
  }

  private static let pattern = "{device}/{version}/*.jsonl"

  @Test func aFolderIsCountedAndAFileThatIsNoTraceIsKeptWithItsReason() throws {
    let folder = try Self.traces()
    let run = Run(
      [
        "analyze", "--summary", folder.path("out.jsonl"), "--tag-path", Self.pattern, "--tag",
        "night=1", folder.path("runs"),
      ])
    #expect(run.status == .badData)
    #expect(run.output == "\(folder.path("out.jsonl")): 12 runs, 1 file could not be read\n")
    #expect(run.errors.contains("notes.txt: expected a trace"))
    let lines = try Self.lines(folder.path("out.jsonl"))
    #expect(lines.count == 14)
    #expect(lines.filter { $0.contains("\"failed\":") }.count == 1)
    #expect(
      lines.filter { $0.contains("\"tags\":{\"device\":\"a\",\"night\":\"1\",\"process\"") }.count
        == 6)
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.jsonl.part")))
    let fleet = Run([
      "fleet", folder.path("out.jsonl"), "--by", "device,version", "--format", "csv",
    ])
    #expect(fleet.output.split(separator: "\n").count == 5, "\(fleet.errors)")
    #expect(fleet.output.contains("\na,1,frameTime,ms,3,"))
    ContractTests.check(
      try #require(
        JSONSerialization.jsonObject(
          with: Data(Run(["fleet", folder.path("out.jsonl"), "--format", "json"]).output.utf8))
          as? [String: Any]), "fleet")
  }

  @Test func whatWasCutOffGoesOnWhereItWas() throws {
    let folder = try Self.traces()
    let (whole, again) = (folder.path("whole.jsonl"), folder.path("again.jsonl"))
    let ask = { (output: String) in
      Run(["analyze", "--summary", output, "--tag-path", Self.pattern, folder.path("runs")])
    }
    _ = ask(whole)
    let lines = try Self.lines(whole)
    // Five traces are done, and the line of the sixth is incomplete.
    let start = lines[...5].joined(separator: "\n") + "\n"
    try Data((start + lines[6].prefix(40)).utf8).write(to: URL(filePath: again + ".part"))
    let resumed = ask(again)
    #expect(
      resumed.errors.contains("again.jsonl.part: resuming after 5 of 13 files"), "\(resumed.errors)"
    )
    #expect(try Self.lines(again) == lines)
    // With other tags, the earlier work does not apply.
    try Data(start.utf8).write(to: URL(filePath: again + ".part"))
    let other = Run(["analyze", "--summary", again, "--tag", "x=y", folder.path("runs")])
    #expect(!other.errors.contains("going on"))
    #expect(try Self.lines(again).count == 14)
  }

  /// Another process must recognize the same request.
  @Test func twoProcessesWriteTheSameBytes() throws {
    let session = try ShellSession()
    _ = try session.run("mkdir -p runs/a; frametool generate dropped-frames -o runs/a/1.jsonl")
    let options = [
      "--tag-path '{device}/*.jsonl'", "--process stumble.exe --skip-first 0.1 --tag a=b",
      "--target-fps 60 --refresh 60",
    ]
    for option in options {
      let ask = "frametool analyze \(option) --summary"
      let said = try session.run(
        "\(ask) one runs; \(ask) two runs; head -n 1 one; cmp one two && echo same")
      #expect(said.hasSuffix("\nsame\n") && said.contains("\"asked\""), "\(said)")
    }
    let resumed = try session.run(
      "frametool analyze \(options[0]) --summary one runs; mv one one.part; frametool analyze \(options[0]) --summary one runs"
    )
    #expect(resumed.contains("resuming after 1 of 1 files"), "\(resumed)")
  }

  @Test func aListMayComeFromStandardInputWithTags() throws {
    let folder = try Self.traces()
    let list =
      "\(folder.path("runs/a/1"))\tscene=menu\n\(folder.path("runs/b/2/1.jsonl"))\tscene=race\tdevice=B\r\n"
    let run = Run(["analyze", "--summary", "-", "-", "--tag", "device=C"], input: Array(list.utf8))
    #expect(run.status == .success, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(
      lines.filter {
        $0.contains("\"device\":\"C\",\"process\"") && $0.contains("\"scene\":\"menu\"")
      }.count == 3)
    #expect(
      lines.filter {
        $0.contains("\"device\":\"B\",\"process\"") && $0.contains("\"scene\":\"race\"")
      }.count == 1)
    let fleet = Run(["fleet", "-", "--by", "scene"], input: Array(run.output.utf8))
    #expect(fleet.output.hasPrefix("4 runs in 2 groups by scene"), "\(fleet.errors)")
    // A trace on standard input is a trace.
    let trace = Run(["generate", "dropped-frames"]).output
    let one = Run(["analyze", "--summary", folder.path("one.json"), "-"], input: Array(trace.utf8))
    #expect(one.output.contains("frameTime"), "\(one.errors)")
    #expect(try Self.lines(folder.path("one.json")).count == 2)
  }

  /// A trace gives the same run, alone or in its folder.
  @Test func aTraceAndItsFolderGiveTheSameLine() throws {
    let folder = try Self.traces()
    let trace = folder.path("runs/a/1/2.jsonl")
    _ = Run(["analyze", trace, "--summary", folder.path("one")])
    _ = Run(["analyze", folder.path("runs/a/1"), "--summary", folder.path("all")])
    #expect(try Self.lines(folder.path("all")).contains(Self.lines(folder.path("one"))[1]))
  }

  @Test func summariesArePutTogether() throws {
    let folder = try Self.traces()
    let parts = ["a", "b"].map { device in
      let output = folder.path("\(device).jsonl")
      _ = Run([
        "analyze", "--summary", output, "--tag-path", "{version}/*.jsonl", "--tag",
        "device=\(device)", folder.path("runs/\(device)"),
      ])
      return output
    }
    let (one, other) = (Run(["merge"] + parts), Run(["merge"] + parts.reversed() + [parts[0]]))
    #expect(one.output == other.output)
    #expect(other.errors == "note: 6 runs given more than once, counted once\n")
    let added = Run(["merge", "--by", "device,version", "-"], input: Array(one.output.utf8))
    #expect(added.output.split(separator: "\n").count == 6)
    let question = [
      "fleet", "-", "--by", "device", "--compare", "version=1..2", "--metric", "displayLatency",
    ]
    let answers = [one, added].map { Run(question, input: Array($0.output.utf8)).output }
    #expect(answers[0] == answers[1] && answers[0].contains("p95"))
    // Added-up runs are not runs to compare.
    let compared = Run(["compare", "-", parts[0]], input: Array(added.output.utf8))
    #expect(compared.status == .badData)
  }

  @Test func groupsAreDrawnAndHaveAPage() throws {
    let folder = try Self.traces()
    _ = Run([
      "analyze", "--summary", folder.path("s"), "--tag-path", Self.pattern, folder.path("runs"),
    ])
    let question = ["fleet", folder.path("s"), "--by", "device", "--compare", "version=1..2", "-o"]
    let data = Run(question + [folder.path("groups.json")])
    #expect(data.status == .success, "\(data.errors)")
    let text = try String(contentsOfFile: folder.path("groups.json"), encoding: .utf8)
    #expect(
      text.contains("a: n 603 + 603, median 1 16.67, 2 16.67; b: n 603 + 603"),
      "\(text.prefix(600))")
    let page = Run(question + [folder.path("page.html")])
    #expect(page.status == .success, "\(page.errors)")
    let html = try String(contentsOfFile: folder.path("page.html"), encoding: .utf8)
    #expect(
      html.contains("<h2 id=") && html.contains("data:image/svg+xml") && html.contains("fine"))
    #expect(Run(question + [folder.path("page.doc")]).status == .usage)
  }

  @Test(arguments: [
    ("analyze x --tag a=b", "--tag has no effect without --summary"),
    ("analyze x --tag-path {a}", "--tag-path has no effect without --summary"),
    (
      "analyze x --summary y --tag-path {a}{b}/*.csv",
      "expected names in braces with text between them"
    ),
    ("analyze x --summary y --tag-path *.csv", "expected a name in braces"),
    ("analyze --summary y --worst 3 Samples", "--worst has no effect on folders and lists"),
    ("analyze --summary y --format json Samples", "--format has no effect on folders and lists"),
    ("fleet x --compare version", "expected TAG=A..B"),
    ("fleet x --unit device", "--unit has no effect without"),
    ("fleet x --by v --compare v=1..2", "v is compared"),
    ("merge Samples/game.csv", "expected a summary"),
  ])
  func whatCannotBeDoneIsSaid(_ line: String, _ words: String) {
    let run = Run(line: "frametool \(line)")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.status == .usage || run.status == .badData)
  }

  @Test func aTagThatNoRunHasIsSaidWithThoseThatThereAre() throws {
    let folder = try Self.traces()
    _ = Run([
      "analyze", "--summary", folder.path("s"), "--tag-path", Self.pattern, folder.path("runs"),
    ])
    let run = Run(["fleet", folder.path("s"), "--by", "scene"])
    #expect(
      run.errors
        == "error: no run has the tag scene\nhelp: runs have device, process, refresh, version\n")
    let metric = Run(["fleet", folder.path("s"), "--metric", "clickToPhoton"])
    #expect(metric.errors.hasPrefix("error: no run has values of clickToPhoton\nhelp: runs have "))
  }

  @Test(arguments: [
    ("{device}/{version}/*.csv", "pixel/1.2/a.csv", ["device": "pixel", "version": "1.2"]),
    ("{device}/{version}/*.csv", "x/pixel/1.2/a.csv", nil),
    ("**/{device}/{version}/*.csv", "x/y/pixel/1.2/a.csv", ["device": "pixel", "version": "1.2"]),
    ("**/{device}/{version}/*.csv", "pixel/1.2/a.csv", ["device": "pixel", "version": "1.2"]),
    ("{device}/**/*.csv", "pixel/1.2/deep/a.csv", ["device": "pixel"]),
    ("{device}/**/*.csv", "pixel/a.csv", ["device": "pixel"]),
    ("{device}/**", "pixel/1/a.csv", ["device": "pixel"]),
    ("{device}-{version}.csv", "pixel-8-1.2.csv", ["device": "pixel", "version": "8-1.2"]),
    ("{device}/*", "pixel/a.csv", ["device": "pixel"]), ("{device}/*.csv", "pixel/a.txt", nil),
    ("{a}/{b}/c", "b/c", nil),
  ])
  func pathsHaveTags(_ pattern: String, _ path: String, _ tags: [String: String]?) throws {
    #expect(try PathPattern(checking: pattern).tags(of: path) == tags)
  }
}

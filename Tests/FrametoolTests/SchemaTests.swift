import Foundation
import FrameKit
import Testing

@testable import frametool

/// The JSON Schemas of documents hold for what is printed, key by key.
@Suite(.enabled(if: Checker.hasJSONSchema, Comment(rawValue: Checker.absence)))
struct SchemaTests {
  /// Runs a command and adds what it prints.
  private static func add(
    _ schema: String, _ arguments: [String], to checks: inout SchemaChecks,
    in folder: URL = Run.root
  ) throws {
    let run = Run(arguments + ["--format", "json"], in: folder)
    try #require(!run.output.isEmpty, "\(arguments): \(run.errors)")
    try checks.add(schema, run.output)
  }

  @Test func analysesOfEveryScenario() throws {
    var checks = try SchemaChecks()
    for name in Run(["scenarios", "--format", "json"]).formatNames.sorted() {
      let folder = try TemporaryFolder()
      let (trace, truth) = (folder.path("a.jsonl"), folder.path("truth.json"))
      let made = Run(["generate", name, "--frames", "60", "-o", trace, "--truth", truth])
      try #require(made.status == .success, "\(made.errors)")
      try checks.add("truth", String(contentsOfFile: truth, encoding: .utf8))
      let selections = [
        ["--worst", "2", "--budget", "16", "--dialect", "capframex,presentmon"],
        ["--metrics", "frameTime"], ["--from", "0.1", "--to", "0.3"],
      ]
      for selection in selections {
        try Self.add("analyze", ["analyze", trace] + selection, to: &checks)
      }
      try Self.add("info", ["info", trace], to: &checks)
      try Self.add("brief", ["analyze", trace, "--brief"], to: &checks)
      if Run(["launch", trace]).status == .success {
        try Self.add("launch", ["launch", trace], to: &checks)
      }
    }
    try checks.expectNone()
  }

  @Test func scoresAndTheirTruths() throws {
    var checks = try SchemaChecks()
    let folder = try TemporaryFolder()
    let made = Run(["generate", "--random", "24", "-o", folder.path("t")])
    try #require(made.status == .success, "\(made.errors)")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("t"))
    where name.hasSuffix(".truth.json") {
      try checks.add(
        "jank-truth", String(contentsOfFile: folder.path("t/\(name)"), encoding: .utf8))
    }
    try Self.add("score", ["score", folder.path("t"), "--rules", "--explain"], to: &checks)
    try checks.expectNone()
  }

  /// The samples of every format.
  @Test func analysesOfEveryFormat() throws {
    var checks = try SchemaChecks()
    for input in GoldenTests.cases {
      let file = Run.root.appending(path: "\(GoldenTests.folder)/\(input)")
      let more = GoldenTests.arguments(file.deletingLastPathComponent())
      try Self.add("analyze", ["analyze", file.path, "--worst", "1"] + more, to: &checks)
      try Self.add("info", ["info", file.path] + more, to: &checks)
    }
    try checks.expectNone()
  }

  @Test(.enabled(if: RealTraces.arePresent, Comment(rawValue: RealTraces.absence)))
  func analysesOfRealTraces() throws {
    var checks = try SchemaChecks()
    var count = 0
    for file in RealTraces.files(upTo: 100_000) {
      let run = Run(["analyze", file, "--format", "json"])
      guard run.status == .success else { continue }
      count += 1
      try checks.add("analyze", run.output)
      try Self.add("brief", ["analyze", file, "--brief"], to: &checks)
    }
    #expect(count > 50)
    try checks.expectNone()
  }

  /// Two traces of a game, the second one slower, and a file that is no trace.
  private static func runs() throws -> (folder: TemporaryFolder, url: URL) {
    let folder = try TemporaryFolder()
    for (name, seed) in [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 5)] {
      let run = Run([
        "generate", "uncapped-game", "--frames", "400", "--seed", "\(seed)", "-o",
        folder.path("\(name).jsonl"),
      ])
      try #require(run.status == .success, "\(run.errors)")
    }
    try Data("nothing".utf8).write(to: URL(filePath: folder.path("no.txt")))
    return (folder, URL(filePath: folder.path("")))
  }

  @Test func verdictsAndReplays() throws {
    let (folder, url) = try Self.runs()
    defer { withExtendedLifetime(folder) {} }
    var checks = try SchemaChecks()
    let all = ["a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl", "e.jsonl"]
    let limit = ["--limit", "p95(frameTime)<=20ms", "--limit", "p50(touchToPhoton)<=20ms"]
    let commands: [(String, [String])] = [
      ("analyze", ["analyze", "a.jsonl", "no.txt"]), ("analyze", ["analyze"] + all),
      ("info", ["info"] + all.map { url.appending(path: $0).path }),
      ("compare", ["compare", "a.jsonl", "b.jsonl"]),
      (
        "compare", ["compare", "--side", "x=a.jsonl", "--side", "y=b.jsonl", "--side", "z=c.jsonl"]
      ),
      ("gate", ["gate", "a.jsonl"] + limit),
      ("gate", ["gate", "a.jsonl", "--self-test", "20"] + limit),
      ("gate", ["gate"] + all + limit), ("gate-suggestion", ["gate", "--suggest"] + all),
      ("replay", ["replay", "a.jsonl"]), ("replay", ["replay", "a.jsonl", "--scale", "app=0.8"]),
      ("replay", ["replay", "a.jsonl", "--sweep", "app=0.5..1.5", "--advise"]),
      ("runs-of-one-side", ["analyze", "--summary-of-runs"] + all),
      ("brief", ["compare", "a.jsonl", "b.jsonl", "--brief"]),
      ("brief", ["replay", "a.jsonl", "--scale", "app=0.8", "--brief"]),
      ("brief", ["gate", "a.jsonl", "--brief"] + limit),
    ]
    for (schema, arguments) in commands {
      try Self.add(schema, arguments, to: &checks, in: url)
    }
    try checks.expectNone()
  }

  /// Measurements that were decided, that had too few pairs, and a search that found nothing to search.
  @Test func measurementsOfPrograms() throws {
    let folder = try TemporaryFolder()
    var checks = try SchemaChecks()
    let (file, other) = (folder.path("runs.jsonl"), folder.path("other.jsonl"))
    let bench = ["bench", "--a", "sleep 0.01", "--b", "sleep 0.03", "-o"]
    try Self.add("bench", bench + [file], to: &checks)
    try checks.add("runs", String(contentsOfFile: file, encoding: .utf8), lines: true)
    try Self.add("compare", ["compare", file], to: &checks)
    try Self.add("bench", bench + [other, "--max-time", "0.05"], to: &checks)
    if FileManager.default.isExecutableFile(atPath: "/usr/bin/git") {
      let session = try ShellSession()
      _ = try session.run(
        """
        git init -q && git config user.email a@b && git config user.name a
        for i in 0 1 2 3; do [ $i -lt 2 ] && t=0.01 || t=0.03; echo "sleep $t # $i" >p; git add p; git commit -qm $i; done
        """)
      let search = "frametool bisect --format json --good HEAD~3"
      try checks.add("bisect", session.run("\(search) -- sh p"))
      try checks.add("bisect", session.run("\(search) --threshold 90 -- true"))
      try checks.add("bisect", session.run("\(search) --max-runs 6 -- sh p"))
    }
    try checks.expectNone()
  }

  @Test func fleetsAndHistories() throws {
    let (folder, url) = try Self.runs()
    var checks = try SchemaChecks()
    for (version, file) in [("1", "a.jsonl"), ("1", "b.jsonl"), ("2", "c.jsonl"), ("2", "d.jsonl")]
    {
      let summary = Run(
        [
          "analyze", "--summary", folder.path("\(file).sum"), "--tag", "version=\(version)",
          "--tag",
          "device=x", folder.path(file),
        ])
      try #require(summary.status == .success, "\(summary.errors)")
      let lines = try String(contentsOfFile: folder.path("\(file).sum"), encoding: .utf8)
      try checks.add("runs", lines, lines: true)
    }
    let summaries = ["a", "b", "c", "d"].map { folder.path("\($0).jsonl.sum") }
    let merged = Run(["merge"] + summaries)
    try checks.add("runs", merged.output, lines: true)
    let fleet = ["fleet"] + summaries
    try Self.add("fleet", fleet, to: &checks)
    try Self.add("fleet", fleet + ["--by", "version,device"], to: &checks)
    try Self.add("fleet", fleet + ["--by", "device", "--compare", "version=1..2"], to: &checks)
    try Self.add("brief", fleet + ["--by", "device", "--brief"], to: &checks)
    let store = folder.path("history.db")
    for day in 10..<24 {
      let added = Run(
        [
          "history", "add", "a.jsonl", "b.jsonl", "--store", store, "--date", "2026-01-\(day)",
          "--commit", "c\(day)", "--tag", "branch=main",
        ], in: url)
      try #require(added.status == .success, "\(added.errors)")
    }
    for arguments in [["list"], ["list", "--series"]] {
      try Self.add("history-list", ["history"] + arguments + ["--store", store], to: &checks)
    }
    try Self.add("history-check", ["history", "check", "--store", store], to: &checks)
    try Self.add("brief", ["history", "check", "--store", store, "--brief"], to: &checks)
    try checks.expectNone()
  }

  @Test func plotsAndLists() throws {
    var checks = try SchemaChecks()
    let folder = try TemporaryFolder()
    for kind in ["pipeline", "frame-times", "drops", "limits", "frame-time-histogram"] {
      let file = folder.path("\(kind).json")
      let run = Run(["plot", kind, "Samples/game.csv", "-o", file])
      try #require(run.status == .success, "\(run.errors)")
      try checks.add("plot", String(contentsOfFile: file, encoding: .utf8))
    }
    for list in ["formats", "metrics", "scenarios", "plots"] {
      try Self.add(list, [list], to: &checks)
    }
    try checks.expectNone()
  }

  /// The check finds a key too many, one too few, and a value of another type.
  @Test(arguments: [
    (#""by":"#, #""extra": 1, "by":"#), (#""by":"#, #""other":"#),
    (#""metric": "frameTime""#, #""metric": 1"#),
  ])
  func whatIsNotDescribedIsFound(_ from: String, _ to: String) throws {
    let (folder, _) = try Self.runs()
    let made = Run(["analyze", "--summary", folder.path("s"), folder.path("a.jsonl")])
    try #require(made.status == .success, "\(made.errors)")
    let fleet = Run(["fleet", folder.path("s"), "--format", "json"])
    var checks = try SchemaChecks()
    try checks.add("fleet", fleet.output.replacing(from, with: to))
    #expect(try checks.findings().contains("fleet+1.json"))
  }

  @Test func aDocumentIsKnownByTheNameOfItsSchemaToo() {
    #expect(Run(["schema", "frametool.analysis/3"]).output == Run(["schema", "analyze"]).output)
  }

  @Test func anUnknownDocumentIsRefused() {
    let run = Run(["schema", "analyz"])
    #expect(run.status == .usage)
    #expect(
      run.errors == "error: schema: there is no document analyz\nhelp: did you mean 'analyze'?\n")
  }
}

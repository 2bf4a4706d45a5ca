import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameTrace
@testable import FrameVerdicts
@testable import frametool

/// The documentation agrees with what the tool does.
@Suite struct WordsTests {
  static let pages =
    ["README.md"]
    + Recorded.files(in: "Sources/FrameKit/FrameKit.docc") { $0.hasSuffix(".md") }
    .map { "Sources/FrameKit/FrameKit.docc/\($0)" }

  @Test(arguments: pages)
  func sessionsAndTablesAreWhatTheToolPrints(_ path: String) throws {
    let page = try MarkdownPage(path)
    try Recorded.expect(try page.refreshed(fill), at: Run.root.appending(path: path))
    for command in page.commands {
      let run = Run(line: command)
      #expect(run.errors == "", "\(command)")
      #expect(run.status == .success, "\(command)")
    }
  }

  @Test(arguments: pages)
  func tracesInThePagesAreReadWithoutALoss(_ path: String) throws {
    for block in try MarkdownPage(path).blocks("json") {
      let header = #"{"schema": "frametool.trace/1", "unit": "ms"}"#
      let text = block.contains("schema") ? block : "\(header)\n\(block)"
      let trace = try Importers.read(InputFile(bytes: Array(text.utf8), path: "block"))
      #expect(trace.issues == [], "\(block)")
      #expect(trace.frameCount > 0)
    }
  }

  @Test func everyCommandAndRecordIsDocumented() throws {
    let commands = try MarkdownPage("Sources/FrameKit/FrameKit.docc/Commands.md").text
    for command in Frametool.commands { #expect(commands.contains("frametool \(command.name)")) }
    let native = try MarkdownPage("Sources/FrameKit/FrameKit.docc/NativeFormat.md").text
    for record in NativeFormat.Record.allCases {
      #expect(native.contains("\n### \(record.rawValue)\n"), "\(record)")
    }
  }

  /// Each of the seven ways into the tool has a session from a first command to a verdict, or for
  /// the library a program, that the other tests here run.
  @Test(arguments: [
    "FirstIOS", "FirstAndroid", "FirstGame", "FirstLinux", "FirstBrowser", "FirstCI",
  ])
  func everyWalkIsASession(_ name: String) throws {
    let page = try MarkdownPage("Sources/FrameKit/FrameKit.docc/\(name).md")
    let commands = page.blocks("shell-session").flatMap { block in
      block.split(separator: "\n").filter { $0.hasPrefix("$ ") }
    }
    #expect(commands.count >= 5)
    #expect(commands.contains { $0.contains("frametool analyze") || $0.contains("frametool gate") })
    #expect(commands.contains { $0.contains("frametool compare") })
  }

  /// The program of the library's page prints what the page says.
  @Test func theSnippetPrintsWhatThePageSays() throws {
    let page = try MarkdownPage("Sources/FrameKit/FrameKit.docc/FrameKit.md").text
    let said = try #require(
      page.firstMatch(of: /`swift run MeasureATrace (\S+)` prints `([^`]+)`/))
    let program = ShellSession.tool.deletingLastPathComponent().appending(path: "MeasureATrace")
    let run = try Checker.run(
      program.path, [Run.root.appending(path: String(said.1)).path])
    #expect(run.status == 0 && run.output.hasPrefix("\(said.2)\n"), "\(run.output)")
  }

  @Test func theSampleIsWhatGenerateWrites() throws {
    let run = Run(line: "frametool generate uncapped-game --frames 600 --encode presentmon")
    try Recorded.expect(run.output, at: Run.root.appending(path: "Samples/game.csv"))
  }

  @Test func theGalleryShowsEveryPlotAndNoOther() throws {
    let page = try MarkdownPage("Sources/FrameKit/FrameKit.docc/Gallery.md").text
    let shown = page.matches(of: /\n### ([a-z-]+)\n/).map { String($0.1) }
    #expect(shown == Plots.all.map(\.name))
    for kind in shown {
      let file = "Sources/FrameKit/FrameKit.docc/Resources/plot-\(kind).svg"
      let picture = try Data(contentsOf: Run.root.appending(path: file))
      #expect(PlotCanvas(.svg).isWhole([UInt8](picture)), "\(kind)")
      #expect(page.contains("](plot-\(kind).svg)"))
    }
  }

  /// The README must take no more than three minutes to read, including pictures and lists of
  /// packages.
  @Test func theReadmeIsShort() throws {
    let words = try MarkdownPage("README.md").text.split(whereSeparator: \.isWhitespace)
    #expect(words.count < 1000)
  }

  /// Every page of the documentation can be reached from the first one.
  @Test func everyPageIsLinkedFromTheFirst() throws {
    let first = try MarkdownPage("Sources/FrameKit/FrameKit.docc/FrameKit.md").text
    let pages = Recorded.files(in: "Sources/FrameKit/FrameKit.docc") { $0.hasSuffix(".md") }
    for page in pages where page != "FrameKit.md" {
      #expect(first.contains("<doc:\(page.dropLast(3))>"), "\(page)")
    }
  }

  /// In the documentation as a site, an article hides a type of its name, or the other way around.
  @Test func noArticleHasTheNameOfAType() throws {
    let sources = Recorded.files(in: "Sources") { $0.hasSuffix(".swift") }
    var types: Set<String> = []
    for file in sources {
      let text = try String(
        contentsOf: Run.root.appending(path: "Sources/\(file)"), encoding: .utf8)
      for match in text.matches(of: /public (?:final )?(?:struct|enum|class|protocol) (\w+)/) {
        types.insert(String(match.1))
      }
    }
    #expect(types.count > 100)
    for page in Self.pages where page.contains(".docc/") {
      let name = String(page.split(separator: "/").last?.dropLast(3) ?? "")
      #expect(!types.contains(name), "\(name)")
    }
  }

  @Test func namesOfThisWorkshopStayOutOfThePages() throws {
    for path in Self.pages + ["CONTRIBUTING.md", "CHANGELOG.md"] {
      #expect(!(try MarkdownPage(path).text.contains("shared/")), "\(path)")
    }
  }

  /// The content of a generated region, by its words.
  private func fill(_ words: String) -> String {
    if words.hasPrefix("frametool ") { return Run(line: words).output }
    if words == "table frames-csv" {
      let lines = FrameRow.csv.map { "| `\($0.textKey)` | \($0.meaning) |\n" }
      return "| column | what it holds |\n| --- | --- |\n" + lines.joined()
    }
    if words == "history check" { return Self.historyCheck() }
    if words == "jank families" {
      let lines = JankFamily.allCases.map { "| `\($0.rawValue)` | \($0.summary) |\n" }
      return "| family | what happens |\n| --- | --- |\n" + lines.joined()
    }
    if words == "jank rules" {
      let lines = JankRules.all.map { "| \($0.name) | \($0.formula) | \($0.source) |\n" }
      return "| rule | a frame is late, or a refresh dropped, if | source |\n| --- | --- | --- |\n"
        + lines.joined()
    }
    if words == "judgments" {
      let lines = Judgment.allCases.flatMap { judgment in
        judgment.reasons.map { reason in
          let sources = EvidenceSource.allCases.filter(reason.sources.contains).map(\.rawValue)
          return
            "| \(judgment.rawValue) | \(reason.fact.rawValue) | \(sources.joined(separator: ", ")) | \(reason.shows) |\n"
        }
      }
      return "| judgment | fact | source | it shows |\n| --- | --- | --- | --- |\n" + lines.joined()
    }
    guard words.hasPrefix("table "), let rows = Self.tables[String(words.dropFirst(6))] else {
      Issue.record("nothing is known as \(words)")
      return ""
    }
    let lines = rows.map { "| `\($0.key)` | \(Self.value($0.kind)) | \($0.summary) |\n" }
    return "| key | value | meaning |\n| --- | --- | --- |\n" + lines.joined()
  }

  /// A check of a history with three changes, as a block indented by four blanks.
  private static func historyCheck() -> String {
    let steps = [(60, 1.06), (110, 0.93), (192, 1.08)].map {
      SyntheticHistory.Step(job: $0.0, factor: $0.1)
    }
    guard let folder = try? TemporaryFolder() else { return "" }
    let path = folder.path("h.sqlite")
    let history = SyntheticHistory(
      jobs: 200, seed: 42, steps: steps,
      metrics: [("p50(frameTime)", 16.7), ("p95(frameTime)", 17.2)])
    _ = try? HistoryStore(path: path, isMade: true).add(history.additions)
    let output = Run(["history", "check", "--store", path]).output
      .replacingOccurrences(of: path, with: HistoryChoice.defaultStore)
    let lines = "$ frametool history check\n\n\(output)"
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
  }

  private static let tables: [String: [ColumnSchema]] = [
    "frame": FrameColumn.schemas, "refresh": RefreshColumn.schemas,
    "commit": CommitColumn.schemas, "touch": TouchColumn.schemas, "buffer": BufferColumn.schemas,
    "layer": LayerColumn.schemas, "launch": LaunchColumn.schemas, "phase": PhaseColumn.schemas,
    "thread": ThreadColumn.schemas, "threadState": ThreadStateColumn.schemas,
    "call": CallColumn.schemas, "pass": PassColumn.schemas, "marker": MarkerColumn.schemas,
    "hitch": HitchColumn.schemas, "hang": HangColumn.schemas, "pageEvent": PageEventColumn.schemas,
    "figure": FigureColumn.schemas,
    "bin": BinColumn.schemas,
  ]

  private static func value(_ kind: ColumnSchema.Kind) -> String {
    switch kind {
    case .time: "time"
    case .duration: "length of time"
    case .count, .identifier: "whole number"
    case .flag: "true or false"
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .text: "text"
    case .real: "number"
    case .surface: "id of a surface"
    case .frame: "frame reference"
    }
  }
}

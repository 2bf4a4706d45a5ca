import Fixtures
import Foundation
import FrameKit
import Testing

@testable import frametool

/// `plot` and `plots` as users call them.
@Suite struct PlotCommandTests {
  private static let sample = Array(Run(["generate", "triple-switch"]).output.utf8)

  private func plot(_ arguments: [String], in folder: URL = Run.root) -> Run {
    Run(["plot"] + arguments, input: Self.sample, in: folder)
  }

  @Test func inTheTerminalItIsDrawnInCharacters() {
    let run = plot(["pipeline", "-"])
    #expect(run.status == .success && run.errors == "")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 79 })
    #expect(lines.first == " Pipeline: Touches window (standard input)")
    #expect(run.output.contains("compositor |") && run.output.contains("gpu"))
    #expect(plot(["pipeline", "-"]).output == run.output)
    let wide = plot(["pipeline", "-", "--size", "120x50"])
    #expect(wide.output.split(separator: "\n").contains { $0.count > 100 })
  }

  @Test func whatIsDrawnCanBeHadAsData() throws {
    let folder = try TemporaryFolder()
    let run = plot(["drops", "-", "-o", folder.path("drops.json")])
    #expect(run.status == .success)
    let data = try Data(contentsOf: folder.url.appending(path: "drops.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(json["schema"] as? String == "frametool.plot/1")
    #expect(json["kind"] as? String == "drops")
    let panels = try #require(json["panels"] as? [[String: Any]])
    let layers = try #require(panels.first?["layers"] as? [[String: Any]])
    #expect(layers.first?["stands_for"] as? String == "stage gpu")
    let rows = try #require(layers.first?["rows"] as? [[Double]])
    #expect(rows.count == 1 && rows[0][3] - rows[0][2] == 1)
    // Writing data needs no gnuplot.
    let none = GnuplotProgram(name: folder.path("none"))
    let without = Run(
      ["plot", "drops", "-", "-o", folder.path("again.json")], input: Self.sample, gnuplot: none)
    #expect(without.status == .success)
  }

  private static let mistakes: [(arguments: [String], says: String, help: String)] = [
    (["pipelin", "-"], "unknown plot pipelin", "did you mean 'pipeline'?"),
    (["nothing", "-"], "unknown plot nothing", "'frametool list plots' lists them"),
    (["pipeline"], "plot pipeline: expected one trace", "usage: frametool plot"),
    (["pipeline", "-", "-"], "plot pipeline shows one trace, found 2", ""),
    (["pipeline", "-", "-o", "picture.gif"], "ends in .svg, .png, .pdf or .json", "'-o -'"),
    (["pipeline", "-", "-o", "png"], "ends in .svg, .png, .pdf or .json", "'-o -'"),
    (["pipeline", "-", "--size", "9x9"], "--size: expected WIDTHxHEIGHT from 40x16", ""),
    (["pipeline", "-", "--size", "axb"], "--size: expected WIDTHxHEIGHT", ""),
    (["pipeline", "-", "--theme", "pink"], "--theme: expected one of light, dark", ""),
    (
      ["pipeline", "-", "--before", "a.csv"], "--before has no effect on plot pipeline",
      "'frametool list plots'"
    ),
    (["compare", "-"], "expected runs before and after a change", "--before FILE"),
    (["pipeline", "-", "--surface", "none"], "no surface matches none", "available"),
    (
      ["pipeline", "-", "--metric", "frameTime"], "--metric has no effect on plot pipeline",
      "'frametool list plots'"
    ),
    (["drops", "-", "--frame", "5"], "--frame has no effect on plot drops", ""),
    (["launch", "-", "--from", "1"], "--from has no effect on plot launch", ""),
    (["frame-times", "-", "--metric", "gpuTime,cpuBusy"], "expected one metric, found 2", ""),
    (
      ["pipeline", "-", "--frame", "60", "--to", "0.1"], "--frame has no effect with --to",
      "one of the two"
    ),
    (["pipeline", "-", "--frame", "-1"], "--frame: expected a whole number", ""),
  ]

  @Test(arguments: mistakes.indices)
  func aMistakeIsToldInOneLine(_ index: Int) {
    let mistake = Self.mistakes[index]
    let run = plot(mistake.arguments)
    #expect(run.status == .usage, "\(run.errors)")
    #expect(run.output == "")
    #expect(run.errors.contains(mistake.says), "\(run.errors)")
    if !mistake.help.isEmpty { #expect(run.errors.contains(mistake.help), "\(run.errors)") }
  }

  @Test func whatATraceDoesNotTellIsToldWithTheReason() {
    for (kind, why) in [
      ("latency-waterfall", "the source records no touch"), ("launch", "no launches to draw"),
    ] {
      let run = plot([kind, "-"])
      #expect(run.status == .badData)
      #expect(run.errors.contains(why), "\(run.errors)")
    }
    let far = plot(["pipeline", "-", "--frame", "9999"])
    #expect(far.status == .badData && far.errors.contains("numbered from 0 to 179"))
  }

  @Test func theListNamesEveryKind() {
    let run = Run(["plots", "--format", "json"])
    #expect(run.formatNames == Set(Plots.all.map(\.name)))
    // The kinds that scripts rely on.
    let contract: Set = [
      "pipeline", "occupancy", "frame-times", "frame-time-histogram", "latency",
      "latency-waterfall", "drops", "compare", "launch", "history", "jitter",
    ]
    #expect(run.formatNames.isSuperset(of: contract))
  }

  @Test func aTerminalSaysWhetherItTakesSixels() {
    #expect(Terminal.attributes(in: Array("\u{1b}[?62;4;6;22c".utf8)) == [62, 4, 6, 22])
    #expect(Terminal.attributes(in: Array("\u{1b}[?1;2c".utf8)) == [1, 2])
    #expect(Terminal.attributes(in: Array("nothing".utf8)) == [])
    #expect(Terminal.attributes(in: []) == [])
  }

  @Test func anInputIsNeverReplaced() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.jsonl")
    try Data(Self.sample).write(to: URL(filePath: path))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("t.svg"), withDestinationPath: path)
    for arguments in [
      ["convert", path, path, "--as", "sqlite"],
      ["plot", "drops", path, "-o", folder.path("t.svg")],
    ] {
      let run = Run(arguments)
      #expect(run.status == .usage && run.errors.contains("would replace the input"))
      #expect(try Data(contentsOf: URL(filePath: path)) == Data(Self.sample))
    }
  }

  @Test func otherFilesBesideTheOutputStayAsTheyAre() throws {
    let folder = try TemporaryFolder()
    for name in ["o.svg.unfinished", ".frametool-1"] {
      try Data("precious".utf8).write(to: folder.url.appending(path: name))
    }
    #expect(plot(["drops", "-", "-o", folder.path("o.svg")]).status == .success)
    #expect(folder.files == [".frametool-1", "o.svg", "o.svg.unfinished"])
    let long = String(repeating: "n", count: 251) + ".svg"
    #expect(plot(["drops", "-", "-o", folder.path(long)]).status == .success)
    #expect(plot(["drops", "-", "-o", ""]).status == .usage)
  }

  @Test func controlCharactersDoNotReachTheTerminal() throws {
    let name = "\u{1b}[31mred\u{1b}]0;title\u{7}\n\u{9b}x"
    let json = try GnuplotTests.json(name)
    let trace = """
      {"schema": "frametool.trace/1", "unit": "ms"}
      {"type": "surface", "id": \(json), "process": \(json)}
      {"type": "frame", "appStart": 0, "commit": 5}
      {"type": "frame", "appStart": 16, "commit": 21}

      """
    for arguments in [
      ["analyze", "-"], ["analyze", "-", "--format", "markdown"],
      ["analyze", "-", "--format", "json"],
      ["convert", "-", "-"], ["gate", "-", "--limit", "p95(frameTime)<=20ms"], ["info", "-"],
      ["report", "-"],
      ["plot", "frame-times", "-"], ["plot", "frame-times", "-", "--surface", name],
    ] {
      let run = Run(arguments, input: Array(trace.utf8))
      let printed = (run.output + run.errors).unicodeScalars
      #expect(
        !printed.contains { ($0.value < 0x20 && $0 != "\n") || (0x7f..<0xa0).contains($0.value) },
        "\(arguments)")
    }
    let run = Run(["plot", "frame-times", "a\nb\u{1b}.csv"])
    #expect(run.errors.split(separator: "\n").count == 2, "\(run.errors)")
  }

  @Test func aDocumentHasNoDateOfItsMaking() throws {
    let folder = try TemporaryFolder()
    #expect(plot(["drops", "-", "-o", folder.path("a.pdf")]).status == .success)
    let text = String(
      decoding: try Data(contentsOf: folder.url.appending(path: "a.pdf")), as: UTF8.self)
    let date = try #require(text.firstMatch(of: /CreationDate \(D:(\d+)/)).1
    #expect(date.hasPrefix("19700101000000"))
  }

  @Test func historyTakesSummariesOfJobs() throws {
    let folder = try TemporaryFolder()
    var files: [String] = []
    for job in 1...8 {
      let trace = folder.path("\(job).jsonl")
      let scenario = job < 5 ? "gpu-overrun" : "gpu-overrun-sustained"
      _ = Run(["generate", scenario, "--seed", "\(job)", "--frames", "500", "-o", trace])
      files.append(folder.path("\(job).json"))
      _ = Run(["analyze", trace, "--summary", folder.path("\(job).json")])
    }
    let run = Run(["plot", "history", "--metric", "mean"] + files)
    #expect(run.status == .success, "\(run.errors)")
    #expect(run.output.contains("n 8 jobs, 8 runs"))
    let wrong = Run(["plot", "history", "--metric", "gpuTime"] + files)
    #expect(wrong.status == .badData && wrong.errors.contains("available: mean, p50"))
  }
}

/// The commands and numbers that gnuplot receives, for each kind of plot.
@Suite struct PlotGoldenTests {
  private static let scenarios: [(kind: String, scenario: String, frames: Int)] = [
    ("pipeline", "triple-switch", 90), ("occupancy", "triple-switch", 90),
    ("thread-states", "scheduling-faults", 130),
    ("frame-times", "gpu-overrun", 60), ("frame-time-histogram", "uncapped-game", 60),
    ("frame-time-distribution", "uncapped-game", 60), ("latency", "talk-triple", 20),
    ("latency-histogram", "talk-coalesced", 20), ("latency-distribution", "talk-coalesced", 20),
    ("latency-waterfall", "talk-triple", 20), ("drops", "app-overrun-sustained", 60),
    ("limits", "uncapped-game", 60),
    ("hitches", "app-overrun-sustained", 60), ("jitter", "uncapped-game", 60),
    ("stutters", "uncapped-game", 90),
    ("launch", "launches", 8),
  ]

  private static func trace(_ name: String, frames: Int, seed: UInt64 = 1) throws -> Trace {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    return scenario.play(.init(seed: seed, frames: frames)).trace
  }

  private static func runs(_ name: String, _ seeds: ClosedRange<UInt64>) throws -> [RunSummary] {
    // Some scenarios give the same frame times for all runs of a length.
    try seeds.map {
      try RunTimes.of(Study(of: trace(name, frames: 300 + Int($0), seed: $0))).summary
    }
  }

  /// Each kind with a plot of it.
  private static func plots() throws -> [Plot] {
    var plots = try scenarios.map { item in
      let kind = try #require(Plots.named(item.kind)?.ofTraces)
      return try kind.draw([Study(of: trace(item.scenario, frames: item.frames))])
    }
    let before = try runs("gpu-overrun", 1...3)
    let after = try runs("gpu-overrun-sustained", 4...6)
    plots.append(try ComparisonPlot.compare.draw(Comparison(before, after)))
    let recorded = Study(of: try trace("gpu-overrun", frames: 40))
    var conditions = ReplayConditions()
    conditions.scales = [.gpu: 0.5]
    let prediction = try #require(try Replayer(recorded).replay(conditions).prediction)
    plots.append(try Plot(recorded: recorded, predicted: Study(of: prediction)))
    plots.append(
      try JobsPlot.history.draw(
        jobs: (before + before + after + after).map { [$0] }))
    return plots
  }

  @Test func everyScriptIsTheRecordedOne() throws {
    let plots = try Self.plots()
    #expect(Set(plots.map(\.kind)) == Set(Plots.all.map(\.name)))
    for plot in plots {
      let listing = GnuplotScript(plot, on: PlotCanvas(.svg)).listing
      try Recorded.expect(
        listing, at: Run.root.appending(path: "Tests/Golden/plots/\(plot.kind).gnuplot"))
    }
  }

  @Test func nothingIsDrawnOutsideOfTheAxes() throws {
    for plot in try Self.plots() {
      for panel in plot.panels {
        let (x, y) = (panel.x.range, panel.y.range)
        for layer in panel.layers where layer.shape == .line || layer.shape == .steps {
          // Lines are not truncated, so they have to fit.
          #expect(
            layer.rows.allSatisfy { x.contains($0[0]) && y.contains($0[1]) },
            "\(plot.kind) \(layer.name ?? "")")
        }
        #expect(panel.x.label.isEmpty == false)
        #expect(!panel.y.label.isEmpty || panel.y.ticks != nil, "\(plot.kind)")
      }
      #expect(plot.description.hasSuffix(".") && plot.description.count > 20)
    }
  }
}

extension PlotKind {
  /// The kind as a plot of traces; `nil` for any other kind.
  var ofTraces: TracePlot? {
    if case .traces(let plot) = self { return plot }
    return nil
  }
}

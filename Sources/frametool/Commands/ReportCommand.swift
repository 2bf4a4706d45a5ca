import FrameKit

/// Writes a report with words, pictures and tables.
struct ReportCommand: Command {
  static let name = "report"
  static let summary = "writes a page with findings, pictures and tables"
  static let operands = "[TRACE…]"
  static let operandCount = 0...Int.max
  static let examples = [
    (
      command: "frametool report game.csv -o game.html",
      does: "one page that needs nothing else; .md for a pull request"
    ),
    (
      command: "frametool report --before a*.csv --after b*.csv -o change.html",
      does: "what changed, and how sure that is"
    ),
  ]
  static let options: [CommandOption<ReportCommand>] =
    [
      .text(
        "--output", "-o", to: \.output, metavar: "FILE",
        help: "write here: .html or .md; - is standard output, as Markdown"),
      .flag("--no-plots", \.leavesPlotsOut, help: "Markdown: words and tables only"),
      .number(
        "--worst", to: \.worstCount, metavar: "N", in: 1...1000,
        help: "list the worst frames with their times"),
      .files("--before", to: \.before, metavar: "FILE…", help: "runs before a change"),
      .files("--after", to: \.after, metavar: "FILE…", help: "runs after it"),
      .flag("--latency", \.comparesLatency, help: "touch or click latency, not frame times"),
      .flag("--launch", \.comparesLaunches, help: "launch times, not frame times"),
      .flag(
        "--allow-different-refresh", \.allowsDifferentRefresh,
        help: "compare displays of different refresh intervals"),
    ] + TraceChoice.options(\.choice)

  var output: String?
  var leavesPlotsOut = false
  var worstCount: Int?
  var before: [String] = []
  var after: [String] = []
  var comparesLatency = false
  var comparesLaunches = false
  var allowsDifferentRefresh = false
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let target = try ReportTarget(output, leavesPlotsOut: leavesPlotsOut)
    guard !operands.isEmpty || !before.isEmpty || !after.isEmpty else {
      throw CommandError(
        .usage, "report: expected TRACE…, or --before FILE… and --after FILE…",
        help: "usage: \(CommandHelp.usage(of: Self.self))")
    }
    try Output.keep(operands + before + after, from: target.path)
    if target.hasPictures { try console.gnuplot.check() }
    let source = PlotSource(
      console: console, choice: choice, options: PlotOptions(), before: before, after: after,
      allowsDifferentRefresh: allowsDifferentRefresh,
      compared: comparesLaunches ? .launch : comparesLatency ? .latency : .frames)
    let hasSides = !before.isEmpty || !after.isEmpty
    if operands.isEmpty, !choice.region.isWhole {
      throw CommandError(
        .usage, "--from, --to and --skip-first select a part of a trace, and none is reported")
    }
    let comparison = hasSides ? try source.comparison([]) : nil
    let traces = try read(operands, console)
    let page = ReportPage(
      traces, comparison: comparison,
      comparisonPlot: comparison.flatMap { try? Plots.named("compare")?.draw($0) })
    try target.write(page, on: console)
    return .success
  }

  private func read(
    _ files: [String], _ console: Console
  ) throws(CommandError) -> [ReportedTrace] {
    let results = choice.inputs(on: console).map(files) { trace in
      Result { () throws(CommandError) in try measure(trace) }
    }
    var traces: [ReportedTrace] = []
    for result in results { traces.append(try result.get().get()) }
    return traces
  }

  private func measure(_ trace: Trace) throws(CommandError) -> ReportedTrace {
    if trace.frameCount > 0 { try choice.selection.check(trace) }
    var options = try choice.analysisOptions(of: trace)
    options.worstCount = worstCount ?? 0
    return ReportedTrace(trace, options, where: choice.selection.matches)
  }
}

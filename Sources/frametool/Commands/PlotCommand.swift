import FrameKit

/// Draws one plot.
struct PlotCommand: Command {
  static let name = "plot"
  static let summary = "draws a plot of traces, runs or jobs"
  static let operands = "KIND [TRACE…]"
  static let operandCount = 1...Int.max
  static var operandWords: [String] { Plots.all.map(\.name) }
  static let examples = [
    (
      command: "frametool plot frame-times game.csv -o frame-times.svg",
      does: "frame times with percentiles and drops; the extension selects the format"
    ),
    (
      command: "frametool plot pipeline trace.jsonl --frame 60 -o -",
      does: "the stages around frame 60, in the terminal"
    ),
    (
      command: "frametool plot compare --before a*.csv --after b*.csv -o change.png",
      does: "frame times before and after, and the change of each figure"
    ),
  ]
  static let options: [CommandOption<PlotCommand>] =
    [
      .text(
        "--output", "-o", to: \.output, metavar: "FILE",
        help: "write here: .svg, .png, .pdf, or .json for the plotted data; - is the terminal"),
      .choice("--theme", to: \.theme, help: "the colors (default: light)")
        .ineffective(on: .plottedData),
      .text(
        "--size", to: \.size, metavar: "WxH",
        help: "in pixels, or in characters in a terminal (default: 1000x560, 79x32)"),
      .words(
        "--metric", to: \.metric, among: PlotMetrics.names, meaning: { Metrics.name($0) },
        metavar: "NAME",
        help: "show this metric instead of the plot's default"
      ).ineffective(on: .plots(without: .metric)),
      .list(
        "--with", to: \.telemetry, metavar: "NAME",
        help: "frame-times and latency: also show this sensor, such as gpu-power, below"
      ).ineffective(on: .plots(without: .telemetry)),
      .number(
        "--frame", to: \.frame, metavar: "N", in: 0...Int.max,
        help: "pipeline and occupancy: show the part around this frame"
      ).conflicting(with: "--from", "--to", "--skip-first").ineffective(
        on: .plots(without: .frame)),
    ] + ComparisonChoice.options(\.compared, prefix: "compare: ") + TraceChoice.options(\.choice)

  var output: String?
  var theme = PlotCanvas.Theme.light
  var size: String?
  var metric: [String] = []
  var telemetry: [String] = []
  var frame: Int?
  var compared = ComparisonChoice()
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let kind = try Self.kind(named: operands[0])
    let target = try PlotTarget(output, theme: theme, size: size, on: console)
    try Output.keep(operands.dropFirst() + compared.before + compared.after, from: target.path)
    let source = PlotSource(
      console: console, choice: choice, options: options(target), compared: compared)
    try source.check(kind, metrics: metric)
    // Report a missing gnuplot before reading a long trace.
    if target.needsGnuplot { try console.gnuplot.check() }
    let plot = try source.draw(kind, Array(operands.dropFirst()))
    try target.write(plot, on: console)
    return .success
  }

  private func options(_ target: PlotTarget) -> PlotOptions {
    var options = PlotOptions()
    options.columns = target.canvas.columns
    options.characterWidth = target.canvas.characterWidth
    options.metric = metric.last
    options.telemetry = telemetry
    options.frame = frame
    return options
  }

  static func kind(named name: String) throws(CommandError) -> PlotKind {
    if let kind = Plots.named(name) { return kind }
    throw CommandError(
      .usage, "unknown plot \(name)",
      help: Spelling.suggestion(for: name, among: Plots.all.map(\.name))
        .map { "did you mean '\($0)'?" } ?? "'frametool list plots' lists them")
  }
}

/// The metrics that plots can show instead of the default.
enum PlotMetrics {
  static let names =
    Metrics.entries.map(\.name) + RunMetric.allCases.map(\.rawValue) + ["launchTime"]
}

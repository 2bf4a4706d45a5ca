import FrameKit

/// Plots a figure of a history.
struct HistoryPlotCommand: Command {
  static let name = "history plot"
  static let summary = "draws a figure of a history over its jobs, or by version"
  static let operands = ""
  static let operandCount = 0...0
  static let examples = [
    (
      command: "frametool history plot --metric 'p50(warmLaunchTime)' -o launch.svg",
      does: "launch times over time, one color per scene and device"
    ),
    (
      command: "frametool history plot --metric 'p50(launchTime)' --by version --source field",
      does: "what devices in the field sent, by the app's version"
    ),
  ]
  static let options: [CommandOption<HistoryPlotCommand>] =
    [
      .text(
        "--output", "-o", to: \.output, metavar: "FILE",
        help: "write here: .svg, .png, .pdf, or .json for the plotted data; - is the terminal"),
      .choice("--by", to: \.order, help: "plot the figure by job or by app version (default: job)"),
      .number(
        "--last", to: \.last, metavar: "N", in: 1...100_000,
        help: "only the N newest jobs of each series (default: 2000)"),
      .choice("--theme", to: \.theme, help: "the colors (default: light)"),
      .text(
        "--size", to: \.size, metavar: "WxH",
        help: "in pixels, or in characters in a terminal (default: 1000x560, 79x32)"),
    ] + HistoryChoice.options(\.choice)

  /// The grouping of the figures.
  enum Order: String, CaseIterable, Sendable { case job, version }

  var output: String?
  var order = Order.job
  var last: Int?
  var theme = PlotCanvas.Theme.light
  var size: String?
  var choice = HistoryChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let target = try PlotTarget(output, theme: theme, size: size, on: console)
    try Output.keep([choice.path], from: target.path)
    if target.needsGnuplot { try console.gnuplot.check() }
    var filter = try choice.filter()
    filter.metrics = [try metric(filter)]
    var options = PlotOptions()
    options.columns = target.canvas.columns
    options.characterWidth = target.canvas.characterWidth
    try target.write(try plot(filter, options), on: console)
    return .success
  }

  private func plot(
    _ filter: HistoryFilter, _ options: PlotOptions
  ) throws(CommandError) -> Plot {
    switch order {
    case .job:
      let series = try choice.ask { store throws(ParseError) in
        try store.values(filter, last: last ?? 2000)
      }
      guard !series.isEmpty else { throw choice.nothing("job with \(filter.metrics[0])") }
      return try drawing { () throws(PlotRefusal) in
        try JobsPlot.history.draw(HistoryExcerpt(series), options)
      }
    case .version:
      let versions = try choice.ask { store throws(ParseError) in try store.versions(filter) }
      guard !versions.isEmpty else { throw choice.nothing("job with \(filter.metrics[0])") }
      return try drawing { () throws(PlotRefusal) in try Plots.versions(versions, options) }
    }
  }

  private func drawing(_ draw: () throws(PlotRefusal) -> Plot) throws(CommandError) -> Plot {
    do throws(PlotRefusal) { return try draw() } catch { throw CommandError(error) }
  }

  /// The selected metric, or else the first available one in order of preference.
  private func metric(_ filter: HistoryFilter) throws(CommandError) -> String {
    guard choice.metrics.count <= 1 else {
      throw CommandError(
        .usage, "--metric: expected one metric, found \(choice.metrics.count)")
    }
    if let named = choice.metrics.first { return named }
    let known = try choice.ask { store throws(ParseError) in try store.series(filter) }
      .map(\.metric.name)
    let order = ["p50(warmLaunchTime)", "p50(coldLaunchTime)", "p50(launchTime)", "p95(frameTime)"]
    guard let first = order.first(where: known.contains) ?? known.first else {
      throw choice.nothing("series")
    }
    return first
  }
}

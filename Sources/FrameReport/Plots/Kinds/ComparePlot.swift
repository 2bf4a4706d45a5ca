import FrameAnalysis
import FrameTrace
import FrameVerdicts

extension ComparisonPlot {
  /// Runs before and after a change, with the result of their comparison.
  public static let compare = ComparisonPlot(
    name: "compare",
    summary: "Frame times before and after, with each figure's change and its 95 % bounds."
  ) { comparison throws(PlotRefusal) in try ComparePlot(comparison).plot() }
}

/// The distributions of two groups of runs in one panel, and the effects with intervals.
private struct ComparePlot {
  private let comparison: Comparison

  init(_ comparison: Comparison) throws(PlotRefusal) {
    self.comparison = comparison
    guard !comparison.metrics.isEmpty else {
      throw PlotRefusal("the comparison has no figure to draw")
    }
  }

  func plot() -> Plot {
    let verdict = "verdict: \(comparison.overall.word)"
    let sides = self.sides.map { name, runs in
      let n = runs.reduce(0) { $0 + values(of: $1) }
      let files = runs.count == 1 ? runs[0].file : PlotText.count(runs.count, "run", "runs")
      return "\(name): \(files), n \(n)"
    }
    let rates = comparison.beside.filter { figure in
      RunSummary.spokenRates.contains { $0.name == figure.name }
    }.map {
      "\($0.name) \(Self.change($0.before, $0.after)) \($0.unit)"
    }
    var plot = Plot(
      "compare",
      title:
        "\(comparison.names.before) and \(comparison.names.after): \(comparison.overall.word)",
      subtitle: PlotText.line(sides + rates + [comparison.method]),
      description: PlotText.line([verdict] + sides + rates + comparison.metrics.map(words)) + ".",
      panels: (hasTimes ? [distributionPanel] : []) + effectPanels)
    plot.tallness = 0.9 + 0.2 * Double(plot.panels.count - 1)
    return plot
  }

  private var sides: [(name: String, runs: [RunSummary])] {
    [
      (comparison.names.before, comparison.before), (comparison.names.after, comparison.after),
    ]
  }

  private static func change(_ before: Double, _ after: Double) -> String {
    [before, after].map { FixedNumber.text($0, decimals: $0 < 100 ? 2 : 1) }
      .joined(separator: " → ")
  }

  /// Launches and latencies have no frame times.
  private var hasTimes: Bool {
    comparison.kind == .frames
      && (comparison.before + comparison.after).allSatisfy { $0.count > 0 }
  }

  /// The number of values of a run that are compared.
  private func values(of run: RunSummary) -> Int {
    switch comparison.kind {
    case .frames: Int(run.count)
    case .latency: run.latencies.count
    case .launch: run.launches.count
    case .reported: 1
    }
  }

  private func words(_ metric: MetricComparison) -> String {
    let change = FixedNumber.text(metric.effect, decimals: 1)
    let ends = [metric.interval.lowerBound, metric.interval.upperBound].map {
      FixedNumber.text($0, decimals: 1)
    }
    return
      "\(metric.name) \(Self.change(metric.before, metric.after)) \(metric.unit), \(change) \(metric.effectUnit), 95 % bounds \(ends[0]) to \(ends[1]): \(metric.verdict.word)"
  }

  private var distributionPanel: PlotPanel {
    var layers: [PlotLayer] = []
    var ends: [Double] = []
    for (position, side) in sides.enumerated() {
      for (number, run) in side.runs.enumerated() {
        let curve = run.distribution.map { [$0.value, $0.share * 100] }
        ends += [curve.first?[0], curve.last?[0]].compactMap { $0 }
        layers.append(
          PlotLayer(.line, number == 0 ? side.name : nil, .series(position), curve)
            .with(side.runs.count > 3 ? .faint : .normal, isBroken: position == 1)
            .with(count: Int(run.count)))
      }
    }
    let low = ends.min() ?? 0
    let high = ends.max() ?? 1
    return PlotPanel(
      x: PlotAxis(
        "\(comparison.metric == ComparedFigures.usual ? "frame time" : comparison.metric) in ms",
        low...max(high, low + 0.01)),
      y: PlotAxis("share in %", 0...101), layers: layers)
  }

  /// One panel for the figures of each unit.
  private var effectPanels: [PlotPanel] {
    var units: [String] = []
    for metric in comparison.metrics where !units.contains(metric.effectUnit) {
      units.append(metric.effectUnit)
    }
    return units.enumerated().map { position, unit in
      let metrics = comparison.metrics.filter { $0.effectUnit == unit }
      var panel = effectPanel(metrics, unit)
      panel.height = 0.2 + 0.15 * Double(metrics.count)
      panel.hasLegend = position == 0
      return panel
    }
  }

  private func effectPanel(_ metrics: [MetricComparison], _ unit: String) -> PlotPanel {
    var y = PlotAxis(
      "",
      naming: metrics.map { metric in
        let name = metric.isGating ? metric.name : "(\(metric.name))"
        return "\(name) \(Self.change(metric.before, metric.after)) \(metric.unit)"
      })
    y.isReversed = true
    let reach = metrics.flatMap { [abs($0.effect), $0.threshold] }.max() ?? 1
    let widest = metrics.flatMap { [abs($0.interval.lowerBound), abs($0.interval.upperBound)] }
      .max()
    // With few runs, an interval may be so wide that nothing else would be visible.
    let half = max(min(widest ?? 1, 6 * max(reach, 1)), reach, 1) * 1.15
    let x = PlotAxis("change in \(unit), with its 95 % bounds; positive is slower", -half...half)
    let isWorse = { (metric: MetricComparison) in
      metric.verdict == .regressed || metric.verdict == .suspected
    }
    let isBetter = { (metric: MetricComparison) in
      metric.verdict == .improved || metric.verdict == .suspectedImprovement
    }
    let rows = { (wanted: (MetricComparison) -> Bool) in
      metrics.enumerated().filter { wanted($0.element) }.map { position, metric in
        [metric.effect, Double(position), metric.interval.lowerBound, metric.interval.upperBound]
      }
    }
    let bands = metrics.enumerated().map { position, metric in
      [-metric.threshold, metric.threshold, Double(position) - 0.4, Double(position) + 0.4]
    }
    return PlotPanel(
      x: x, y: y,
      layers: [
        PlotLayer(.boxes, "too small to act on", .muted, bands).with(.faint),
        .verticals(nil, .text, at: [0], y.range).with(.faint),
        PlotLayer(.ranges, "slower", .fault, rows(isWorse)).with(.strong),
        PlotLayer(.ranges, "faster", .stage(.gpu), rows(isBetter)).with(.strong),
        PlotLayer(
          .ranges, "no change, or undecided", .text,
          rows { !isWorse($0) && !isBetter($0) }
        ).with(.strong),
      ].filter { !$0.rows.isEmpty })
  }
}

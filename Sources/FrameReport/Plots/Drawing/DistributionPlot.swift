import FrameStatistics

/// The cumulative distribution of a metric's values, as one line for each trace.
struct DistributionPlot {
  let kind: String
  let what: String
  /// The metrics to show, in order of preference.
  let metrics: [String]

  func draw(
    _ surfaces: [PlottedSurface], _ options: PlotOptions
  ) throws(PlotRefusal) -> Plot {
    let values = try PlottedMetric.same(metrics, of: surfaces, options)
    let isOne = surfaces.count == 1
    var layers: [PlotLayer] = []
    for (position, (metric, name)) in zip(values, surfaces.names).enumerated() {
      let curve = PlotLayer(
        .line, isOne ? PlottedMetric.words(metric.name) : name, .series(position),
        Self.curve(metric.sample)
      ).with(.strong, isBroken: position > 0)
      layers.append(curve.with(count: metric.summary.n))
    }
    let low = values.map { $0.figure("min") }.min() ?? 0
    let high = values.map { $0.figure("max") }.max() ?? 1
    let room = max((high - low) * 0.03, 0.01)
    let x = PlotAxis(values[0].axis, (low - room)...(high + room))
    let y = PlotAxis("share of values in %", 0...101)
    let subtitle = PlotText.line(
      (isOne
        ? [values[0].notes]
        : zip(surfaces.names, values).map { "\($0): n \($1.summary.n)" }) + surfaces.asides)
    if isOne { layers += marks(values[0]) }
    return Plot(
      kind, title: surfaces.title("\(what), distribution"), subtitle: subtitle,
      description: PlottedMetric.description(
        { "The share of values at or below each value of the \($0)" }, values, surfaces),
      panels: [PlotPanel(x: x, y: y, layers: layers)])
  }

  /// Marks at the printed percentiles.
  private func marks(_ metric: PlottedMetric) -> [PlotLayer] {
    [("p50", 50.0), ("p95", 95), ("p99", 99)].enumerated().map { position, percentile in
      PlotLayer(
        .points,
        "\(percentile.0) \(PlotText.value(metric.figure(percentile.0), metric.unit))",
        .series(position + 1), [[metric.figure(percentile.0), percentile.1]]
      ).with(.strong)
    }
  }

  /// The shares at which the line has points: evenly spaced, and additional ones near the end, for
  /// the slowest values.
  private static let shares =
    (0...200).map { Double($0) / 200 } + [0.992, 0.994, 0.996, 0.998, 0.999, 0.9995, 0.9999]

  /// The distribution of a sample: values in the metric's unit, and shares in percent.
  static func curve(_ sample: Sample) -> [[Double]] {
    let shares = shares.sorted()
    guard let values = Quantile.type7(sample.values, shares) else { return [] }
    return zip(values, shares).map { [Millionths.value($0), $1 * 100] }
  }
}

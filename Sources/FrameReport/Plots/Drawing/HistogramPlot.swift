import FrameStatistics

/// A histogram of a metric's values: filled boxes for one trace, outlines for several.
struct HistogramPlot {
  let kind: String
  let what: String
  /// The metrics to show, in order of preference.
  let metrics: [String]

  func draw(
    _ surfaces: [PlottedSurface], _ options: PlotOptions
  ) throws(PlotRefusal) -> Plot {
    let values = try PlottedMetric.same(metrics, of: surfaces, options)
    let bins = ValueBins(for: values.map(\.sample), values.map(\.summary))
    // Leave no margin below 0 if values cannot be negative.
    let start = bins.start >= 0 ? max(0, bins.start - bins.width) : bins.start - bins.width
    let x = PlotAxis(values[0].axis, start...(bins.end + bins.width))
    var layers: [PlotLayer] = []
    var beyond = 0
    var high = 0.0
    for (position, (metric, name)) in zip(values, surfaces.names).enumerated() {
      let counts = bins.counts(metric.sample)
      beyond += counts.beyond
      let shares = counts.bins.map { 100 * Double($0) / Double(metric.summary.n) }
      high = max(high, shares.max() ?? 0)
      let isOne = surfaces.count == 1
      layers.append(
        isOne
          ? boxes(PlottedMetric.words(metric.name), shares, bins).with(count: metric.summary.n)
          : outline(name, position, shares, bins).with(count: metric.summary.n))
    }
    let y = PlotAxis.fromZero("share in %", to: high)
    if surfaces.count == 1 { layers += percentiles(values[0], y.range) }
    let subtitle = PlotText.line(
      notes(values, surfaces) + [
        "bins of \(PlotText.value(bins.width, values[0].unit))",
        beyond > 0
          ? "\(beyond) above \(PlotText.value(bins.end, values[0].unit)) not drawn" : nil,
      ] + surfaces.asides)
    return Plot(
      kind, title: surfaces.title(what), subtitle: subtitle,
      description: PlottedMetric.description(
        { "How often each value of the \($0) occurs" }, values, surfaces),
      panels: [PlotPanel(x: x, y: y, layers: layers)])
  }

  private func notes(_ values: [PlottedMetric], _ surfaces: [PlottedSurface]) -> [String] {
    if surfaces.count == 1 { return [values[0].notes] }
    return zip(surfaces.names, values).map { "\($0): n \($1.summary.n)" }
  }

  private func boxes(_ name: String, _ shares: [Double], _ bins: ValueBins) -> PlotLayer {
    PlotLayer(
      .boxes, name, .series(0),
      shares.enumerated().filter { $0.element > 0 }.map { position, share in
        let start = bins.start + Double(position) * bins.width
        return [start, start + bins.width, 0, share]
      })
  }

  /// An outline of the boxes, so that several histograms are visible at once.
  private func outline(
    _ name: String, _ position: Int, _ shares: [Double], _ bins: ValueBins
  ) -> PlotLayer {
    var rows = [[bins.start, 0]]
    for (bin, share) in shares.enumerated() {
      rows.append([bins.start + Double(bin) * bins.width, share])
    }
    rows.append([bins.end, 0])
    return PlotLayer(.steps, name, .series(position), rows).with(.strong, isBroken: position > 0)
  }

  private func percentiles(_ metric: PlottedMetric, _ y: ClosedRange<Double>) -> [PlotLayer] {
    ["p50", "p95", "p99"].enumerated().map { position, name in
      let words = "\(name) \(PlotText.value(metric.figure(name), metric.unit))"
      return PlotLayer.verticals(words, .series(position + 1), at: [metric.figure(name)], y)
        .with(.normal, isBroken: true)
    }
  }
}

extension PlottedMetric {
  /// The same metric for several surfaces: the first one that the first surface has.
  static func same(
    _ names: [String], of surfaces: [PlottedSurface], _ options: PlotOptions
  ) throws(PlotRefusal) -> [PlottedMetric] {
    var values: [PlottedMetric] = []
    for surface in surfaces {
      values.append(
        try PlottedMetric(values.first.map { [$0.name] } ?? names, of: surface, options))
    }
    return values
  }

  /// A text description of a plot of values.
  /// - Parameter how: The beginning of the text, for the metric's name in words.
  static func description(
    _ how: (String) -> String, _ values: [PlottedMetric], _ surfaces: [PlottedSurface]
  ) -> String {
    let figures = zip(surfaces.names, values).map { name, metric in
      let owner = values.count == 1 ? "" : "\(name): "
      let figures = ["min", "p50", "p95", "p99", "max"].map {
        "\($0) \(PlotText.value(metric.figure($0), metric.unit))"
      }
      return owner + figures.joined(separator: ", ") + ", n \(metric.summary.n)"
    }
    return "\(how(PlottedMetric.words(values[0].name))): \(figures.joined(separator: "; "))."
  }
}

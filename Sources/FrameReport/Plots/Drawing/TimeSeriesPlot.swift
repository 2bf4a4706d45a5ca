import FrameAnalysis
import FrameStatistics
import FrameTrace

/// Values over time, as a line or marks for each trace.
struct TimeSeriesPlot {
  let kind: String
  let what: String
  /// The metrics to show, in order of preference.
  let metrics: [String]
  /// Whether dropped refreshes are marked.
  let showsDrops: Bool

  func draw(
    _ surfaces: [PlottedSurface], _ options: PlotOptions
  ) throws(PlotRefusal) -> Plot {
    let x = try axis(surfaces, options)
    var layers: [PlotLayer] = []
    var metric: PlottedMetric?
    var notes: [String] = []
    var high = 0.0
    var low = 0.0
    for (position, (surface, name)) in zip(surfaces, surfaces.names).enumerated() {
      let own = try PlottedMetric(
        metric.map { [$0.name] } ?? metrics, of: surface, options)
      metric = metric ?? own
      let columns = try columns(own, surface, x, options)
      high = max(high, columns.limits?.upperBound ?? 0)
      low = min(low, columns.limits?.lowerBound ?? 0)
      let label = surfaces.count == 1 ? PlottedMetric.words(own.name) : name
      layers.append(layer(label, position, columns, isDense: own.summary.n > 400))
      notes.append(surfaces.count == 1 ? own.notes : "\(name): n \(own.summary.n)")
    }
    guard let metric else { throw PlotRefusal("there is nothing to draw") }
    let y = PlotAxis.fromZero(metric.axis, to: high, low: low)
    if surfaces.count == 1 {
      layers += levels(metric, surfaces[0], x.range).filter { y.range.contains($0.rows[0][1]) }
      if showsDrops, var trend = WorstTrend(x.range, count: metric.summary.n) {
        try visit(metric, surfaces[0]) { trend.add($0, $1) }
        layers.append(trend.layer(.series(4), within: x.range))
      }
    }
    let drops = showsDrops ? self.drops(surfaces, y.range, options) : nil
    if let drops { layers += drops.layers }
    let panel = PlotPanel(x: x, y: y, layers: layers)
    let telemetry = try TelemetryPanels(options.telemetry, of: surfaces, on: x, options)
    let subtitle = PlotText.line(notes + [drops?.words] + surfaces.asides)
    return Plot(
      kind, title: surfaces.title(what), subtitle: subtitle,
      description: description(metric, surfaces, drops?.words), panels: [panel] + telemetry.panels)
  }

  /// A time axis that fits every value. Values of a selected part may lie slightly outside, because
  /// a frame belongs to the part in which it was displayed.
  private func axis(
    _ surfaces: [PlottedSurface], _ options: PlotOptions
  ) throws(PlotRefusal) -> PlotAxis {
    let whole = surfaces.timeAxis
    var (low, high) = (whole.range.lowerBound, whole.range.upperBound)
    for surface in surfaces {
      let metric = try PlottedMetric(metrics, of: surface, options)
      // The times of frames lie within the trace; photon times are slightly later.
      let isOfFrames = FrameSeries(metric.name, of: surface.measured) != nil
      if isOfFrames, !surface.isPart { continue }
      try visit(metric, surface) { time, _ in
        low = min(low, time)
        high = max(high, time)
      }
    }
    return PlotAxis(whole.label, low...high)
  }

  private func layer(
    _ name: String, _ position: Int, _ columns: PixelColumns, isDense: Bool
  ) -> PlotLayer {
    PlotLayer(isDense ? .line : .points, name, .series(position), columns.rows)
      .with(isDense ? .faint : .normal).with(count: columns.count)
  }

  private func columns(
    _ metric: PlottedMetric, _ surface: PlottedSurface, _ x: PlotAxis, _ options: PlotOptions
  ) throws(PlotRefusal) -> PixelColumns {
    var columns = PixelColumns(x.range, count: options.columns)
    try visit(metric, surface) { columns.add($0, $1) }
    return columns
  }

  /// Visits the values of a metric, in seconds and milliseconds.
  private func visit(
    _ metric: PlottedMetric, _ surface: PlottedSurface, _ body: (Double, Double) -> Void
  ) throws(PlotRefusal) {
    if metric.name == "touchToPhoton" {
      let range = surface.measured.options.region?.range ?? .always
      for touch in ListedTouch.all(surface.measured)
      where touch.kind == .main && touch.time.map(range.contains) ?? true {
        guard let photon = touch.photon, let latency = touch.latency else { continue }
        body(surface.seconds(photon), latency.milliseconds)
      }
    } else if let series = FrameSeries(metric.name, of: surface.measured) {
      series.visit { time, value in body(surface.seconds(time), Millionths.value(value)) }
    } else if let inputs = InputSeries(metric.name, of: surface.measured) {
      inputs.visit { time, value in body(surface.seconds(time), value.milliseconds) }
    } else {
      throw PlotRefusal(
        "\(metric.name) has values but no times to draw them at",
        help: "'frametool plot latency-histogram' or 'latency-distribution' needs no times")
    }
  }

  private func levels(
    _ metric: PlottedMetric, _ surface: PlottedSurface, _ x: ClosedRange<Double>
  ) -> [PlotLayer] {
    let names = ["p50", "p95", "p99"]
    var levels = names.enumerated().map { position, name in
      PlotLayer.level(
        "\(name) \(PlotText.value(metric.figure(name), metric.unit))", .series(position + 1),
        at: metric.figure(name), x)
    }
    if metric.name == "frameTime", let interval = surface.measured.rebuilt?.refreshes.interval {
      let words = "refresh \(PlotText.milliseconds(interval.milliseconds))"
      levels.append(.level(words, .muted, at: interval.milliseconds, x).with(.normal))
    }
    return levels
  }

  /// Marks at the bottom for dropped refreshes; `nil` if the traces have no drop data.
  private func drops(
    _ surfaces: [PlottedSurface], _ y: ClosedRange<Double>, _ options: PlotOptions
  ) -> (layers: [PlotLayer], words: String)? {
    guard surfaces.count == 1, let drops = surfaces[0].measured.drops else { return nil }
    let words = PlotText.count(drops.refreshes, "dropped refresh", "dropped refreshes")
    let range = surfaces[0].timeAxis.range
    var columns = PixelColumns(range, count: options.columns)
    for drop in drops.drops {
      // A drop at the very end may lie slightly after the last frame.
      let time = surfaces[0].seconds(drop.time)
      columns.add(min(max(time, range.lowerBound), range.upperBound), 0)
    }
    let top = y.lowerBound + (y.upperBound - y.lowerBound) * 0.05
    let marks = PlotLayer.verticals(
      "dropped", .fault, at: columns.rows.map { $0[0] }, y.lowerBound...top
    ).with(.strong).with(count: drops.drops.count)
    return (marks.rows.isEmpty ? [] : [marks], words)
  }

  private func description(
    _ metric: PlottedMetric, _ surfaces: [PlottedSurface], _ drops: String?
  ) -> String {
    let words = PlottedMetric.words(metric.name)
    guard surfaces.count == 1 else {
      return "The \(words) of \(surfaces.count) traces over time, overlaid."
    }
    let figures = ["p50", "p95", "p99", "max"].map {
      "\($0) \(PlotText.value(metric.figure($0), metric.unit))"
    }
    return PlotText.line([
      "The \(words) over time: \(figures.joined(separator: ", ")), n \(metric.summary.n)", drops,
    ]) + "."
  }
}

import FrameAnalysis
import FrameStatistics
import FrameTrace

extension TracePlot {
  /// The change of frame times from frame to frame.
  static let jitter = TracePlot(
    "jitter", "How much the frame time changes from one frame to the next.",
    [.metric, .region], depth: .outcomes,
    .surface { surface, options throws(PlotRefusal) in try JitterPlot(surface, options).plot() })
}

/// The change of a metric from each frame to the next, over time and as a histogram.
private struct JitterPlot {
  private let surface: PlottedSurface
  private let name: String
  private let words: String
  /// The changes over time, in milliseconds.
  private var columns: PixelColumns
  private var changes: [Int64] = []

  init(_ surface: PlottedSurface, _ options: PlotOptions) throws(PlotRefusal) {
    self.surface = surface
    name = options.metric ?? "frameTime"
    words = PlottedMetric.words(name)
    guard let series = FrameSeries(name, of: surface.measured) else {
      throw PlotRefusal(
        "\(surface.path): no per-frame \(name) to draw",
        help: "'frametool analyze \(surface.path)' shows the available metrics")
    }
    var columns = PixelColumns(surface.timeAxis.range, count: options.columns)
    var changes: [Int64] = []
    var before: Int64?
    series.visit { time, value in
      if let before {
        let change = value.subtractingReportingOverflow(before)
        if !change.overflow, change.partialValue != .min {
          columns.add(surface.seconds(time), Nanoseconds(change.partialValue).milliseconds)
          changes.append(change.partialValue)
        }
      }
      before = value
    } gap: {
      before = nil
      columns.breakLine()
    }
    guard !changes.isEmpty else {
      throw PlotRefusal("\(surface.path): jitter needs at least two frames with a \(words)")
    }
    self.columns = columns
    self.changes = changes
  }

  /// The smallest y range, in milliseconds, so that invisibly small changes are not magnified.
  private static let leastReach = 0.1

  func plot() -> Plot {
    let high = max(
      columns.limits.map { max(abs($0.lowerBound), abs($0.upperBound)) } ?? 0, Self.leastReach)
    let y = PlotAxis("change in ms", -high * 1.06...high * 1.06)
    var time = PlotPanel(
      x: surface.timeAxis, y: y,
      layers: [
        columns.line("change of \(words)", .series(0)).with(.faint).with(count: columns.count)
      ])
    time.height = 1.4
    time.hasLegend = false
    let sizes = Sample(changes.map(abs))
    let summary = Summary(millionths: sizes)
    let figures = [("p50", summary?.p50), ("p95", summary?.p95), ("max", summary?.maximum)].map {
      "\($0) \(PlotText.milliseconds($1 ?? 0))"
    }
    let subtitle = PlotText.line([
      "n \(changes.count)",
      "absolute change: mean \(PlotText.milliseconds(summary?.mean ?? 0)), \(figures.joined(separator: ", "))",
      surface.aside,
    ])
    return Plot(
      "jitter", title: "Jitter of the \(words): \(surface.title)", subtitle: subtitle,
      description: "The change of the \(words) from one frame to the next: \(subtitle).",
      panels: [time, histogram(sizes)])
  }

  /// A histogram of the sizes of changes.
  private func histogram(_ sizes: Sample) -> PlotPanel {
    let summaries = Summary(millionths: sizes).map { [$0] } ?? []
    let bins = ValueBins(for: [sizes], summaries)
    let counts = bins.counts(sizes)
    let rows = counts.bins.enumerated().filter { $0.element > 0 }.map { position, count in
      let start = bins.start + Double(position) * bins.width
      return [start, start + bins.width, 0, 100 * Double(count) / Double(sizes.values.count)]
    }
    let beyond = counts.beyond > 0 ? ", \(counts.beyond) above not drawn" : ""
    var panel = PlotPanel(
      x: PlotAxis("absolute change in ms\(beyond)", bins.start...bins.end),
      y: .fromZero("share in %", to: rows.map { $0[3] }.max() ?? 1),
      layers: [PlotLayer(.boxes, "absolute change", .series(0), rows)])
    panel.hasLegend = false
    return panel
  }
}

import FrameAnalysis
import FrameStatistics
import FrameTrace

extension TracePlot {
  /// The parts of the time from a touch to its photons.
  static let latencyWaterfall = TracePlot(
    "latency-waterfall", "The time from touch to photon, stage by stage.",
    [.region],
    .surface { surface, options throws(PlotRefusal) in
      try WaterfallPlot(surface).plot(options)
    })
}

/// The mean parts of touch latencies, each at its position within the total.
private struct WaterfallPlot {
  private struct Part {
    let name: String
    let color: PlotColor
    let start, length: Double
  }

  private let surface: PlottedSurface
  private let parts: [Part]
  private let whole: Double
  private let breakdown: BreakdownSums
  private let isInferred: Bool

  init(_ surface: PlottedSurface) throws(PlotRefusal) {
    self.surface = surface
    guard let touches = surface.measured.touches else {
      throw PlotRefusal("\(surface.path): no latency to break down: \(PipelineMetric.noTouches)")
    }
    breakdown = touches.breakdown
    isInferred = touches.isInferred
    guard breakdown.count > 0 else {
      let why = touches.whyNoPhotons ?? "no touch with a scan time reached the display"
      throw PlotRefusal("\(surface.path): no latency to break down: \(why)")
    }
    var start = 0.0
    parts = breakdown.parts.map { part in
      let length = Self.mean(part.lengths)
      defer { start += length }
      return Part(
        name: part.names.map(Self.words).joined(separator: ", "),
        color: Self.color(part.names), start: start, length: length)
    }
    whole = Self.mean(breakdown.whole)
  }

  private static func mean(_ lengths: [Int64]) -> Double {
    Summary(millionths: Sample(lengths))?.mean ?? 0
  }

  func plot(_ options: PlotOptions) -> Plot {
    let names = parts.map(\.name) + ["touch to photon"]
    var y = PlotAxis("", naming: names)
    y.isReversed = true
    var layers = parts.enumerated().map { position, part in
      var layer = PlotLayer(
        .boxes, nil, part.color, [box(at: position, from: part.start, to: part.start + part.length)]
      )
      layer.isBroken = position % 2 == 1
      return layer
    }
    layers.append(PlotLayer(.boxes, nil, .muted, [box(at: parts.count, from: 0, to: whole)]))
    let end = options.end(of: parts.map { $0.start + $0.length }.max() ?? whole, with: text(whole))
    // A device-specific constant may be negative.
    let low = parts.map { min($0.start, $0.start + $0.length) }.min() ?? 0
    let x = PlotAxis("mean time since the scan began in ms", min(0, low * 1.05)...max(end, 1))
    var panel = PlotPanel(x: x, y: y, layers: layers)
    panel.hasLegend = false
    panel.labels =
      parts.enumerated().map { label(at: $0, $1.start + $1.length, $1.length) }
      + [label(at: parts.count, whole, whole)]
    let words = parts.map { "\($0.name) \(PlotText.milliseconds($0.length))" }
    return Plot(
      "latency-waterfall", title: "Touch to photon by stage: \(surface.title)",
      subtitle: PlotText.line([
        "means, n \(breakdown.count)",
        breakdown.missing > 0 ? "\(breakdown.missing) lack a stage and are left out" : nil,
        isInferred ? "some frames inferred" : nil, surface.aside,
      ]),
      description:
        "The mean time from touch to photon, \(PlotText.milliseconds(whole)), n \(breakdown.count): \(words.joined(separator: ", ")).",
      panels: [panel])
  }

  private func box(at position: Int, from start: Double, to end: Double) -> [Double] {
    [min(start, end), max(start, end), Double(position) - 0.36, Double(position) + 0.36]
  }

  private func label(at position: Int, _ end: Double, _ length: Double) -> PlotLabel {
    PlotLabel(
      x: end + whole * 0.01, y: Double(position), text: text(length), alignment: .left)
  }

  /// A duration with its share of the total.
  private func text(_ length: Double) -> String {
    let share = whole > 0 ? " (\(FixedNumber.text(100 * length / whole, decimals: 0)) %)" : ""
    return PlotText.milliseconds(length) + share
  }

  private static func words(_ part: LatencyBreakdown.Part) -> String {
    switch part {
    case .scan: "scan"
    case .delivery: "delivery"
    case .app: "app"
    case .compositorWait: "wait for compositor"
    case .compositor: "compositor"
    case .gpu: "GPU"
    case .queue: "queue"
    case .scanOut: "scan-out"
    case .deviceOffset: "device offset"
    }
  }

  private static func color(_ parts: [LatencyBreakdown.Part]) -> PlotColor {
    switch parts.first {
    case .app: .stage(.app)
    case .compositor, .compositorWait: .stage(.compositor)
    case .gpu: .stage(.gpu)
    case .queue: .stage(.display)
    case .delivery: .part(1)
    case .scanOut: .part(2)
    default: .part(0)
    }
  }
}

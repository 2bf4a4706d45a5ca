import FrameAnalysis
import FrameTrace

extension TracePlot {
  /// What limits frames over time.
  static let limits = TracePlot(
    "limits", "What limits the frames over time: GPU, CPU, a limiter or the display.", [.region],
    .surface { surface, _ throws(PlotRefusal) in try LimitsPlot(surface).plot() })
}

/// What limits the frames of a surface over time, as stacked shares of the frames in each box.
private struct LimitsPlot {
  private let surface: PlottedSurface
  private let limits: FrameLimits
  private let boxes: TimeBoxes

  init(_ surface: PlottedSurface) throws(PlotRefusal) {
    self.surface = surface
    guard let limits = surface.measured.limits else {
      let why = FrameLimits.whyMissing(surface.measured)
      throw PlotRefusal("\(surface.path): the limit of no frame is known: \(why)")
    }
    self.limits = limits
    boxes = TimeBoxes(surface.timeAxis.range)
  }

  func plot() -> Plot {
    let counts = self.counts
    var totals: [Int: Double] = [:]
    for (position, count) in counts.values.joined() {
      totals[position, default: 0] += Double(count)
    }
    var base: [Int: Double] = [:]
    var layers: [PlotLayer] = []
    for limit in FrameLimits.Limit.allCases {
      guard let own = counts[limit] else { continue }
      let shares = Dictionary(
        uniqueKeysWithValues: own.map { ($0.key, Double($0.value) / (totals[$0.key] ?? 1) * 100) })
      var layer = PlotLayer(
        .boxes, "\(limit.words) \(own.values.reduce(0, +))", limit.color,
        boxes.stack(shares, on: &base))
      layer.isBroken = [.limited, .unknown].contains(limit)
      layers.append(layer)
    }
    let panel = PlotPanel(
      x: surface.timeAxis, y: PlotAxis("share of frames in %", 0...100), layers: layers)
    let sentence = limits.sentence(in: surface.measured.pipeline.trace)
    return Plot(
      "limits", title: "What limits the frames: \(surface.title)",
      subtitle: PlotText.line([sentence, surface.aside]),
      description: "\(sentence).", panels: [panel])
  }

  /// For each limit, the number of frames in each box, counted where the frame starts.
  private var counts: [FrameLimits.Limit: [Int: Int]] {
    let frames = surface.measured.surface.frames
    var counts: [FrameLimits.Limit: [Int: Int]] = [:]
    for frame in limits.frames {
      guard let time = frames.time(frame.row, .appStart) ?? frames.time(frame.row, .commit) else {
        continue
      }
      counts[frame.limit, default: [:]][boxes.index(at: surface.seconds(time)), default: 0] += 1
    }
    return counts
  }
}

extension FrameLimits.Limit {
  fileprivate var color: PlotColor {
    switch self {
    case .gpu: .stage(.gpu)
    case .cpu: .stage(.app)
    case .limited: .part(1)
    case .display: .stage(.display)
    case .unknown: .stage(.unknown)
    }
  }
}

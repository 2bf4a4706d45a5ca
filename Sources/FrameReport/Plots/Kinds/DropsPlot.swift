import FrameAnalysis
import FrameTrace

extension TracePlot {
  /// Dropped refreshes by the stage charged with them.
  static let drops = TracePlot(
    "drops", "Dropped refreshes over time, by the stage charged.", [.region],
    .surface { surface, _ throws(PlotRefusal) in try DropsPlot(surface).plot() })
}

/// Dropped refreshes over time, as stacked boxes of the stages.
private struct DropsPlot {
  private let surface: PlottedSurface
  private let drops: DropFindings
  private let boxes: TimeBoxes

  init(_ surface: PlottedSurface) throws(PlotRefusal) {
    self.surface = surface
    guard let drops = surface.measured.drops else {
      let why =
        surface.measured.whyNoDrops ?? "the trace does not say"
      throw PlotRefusal("\(surface.path): no dropped refreshes to draw: \(why)")
    }
    self.drops = drops
    boxes = TimeBoxes(surface.timeAxis.range)
  }

  func plot() -> Plot {
    let counts = self.counts
    var base: [Int: Double] = [:]
    var layers: [PlotLayer] = []
    for stage in PipelineStage.allCases {
      guard let own = counts[stage] else { continue }
      let rows = boxes.stack(own.mapValues { Double($0) }, on: &base)
      let total = own.values.reduce(0, +)
      var layer = PlotLayer(.boxes, "\(stage.words) \(total)", .stage(stage), rows)
      layer.isBroken = [.compositor, .unknown].contains(stage)
      layers.append(layer)
    }
    var panel = PlotPanel(
      x: surface.timeAxis,
      y: .counting(
        "dropped refreshes that begin in each \(length)", to: max(base.values.max() ?? 0, 1)),
      layers: layers)
    if layers.isEmpty {
      let range = surface.timeAxis.range
      panel.labels = [
        PlotLabel(
          x: (range.lowerBound + range.upperBound) / 2, y: 0.5,
          text: PlotText.line(["no refresh dropped", inStops]))
      ]
    }
    return Plot(
      "drops", title: "Dropped refreshes by stage: \(surface.title)",
      subtitle: PlotText.line([words, surface.aside]), description: "\(words).", panels: [panel])
  }

  private var length: String {
    let width = boxes.width
    let milliseconds = FixedNumber.text(
      Nanoseconds.seconds(width).milliseconds, decimals: width < 0.001 ? 1 : 0)
    return width < 1 ? "\(milliseconds) ms" : "\(FixedNumber.text(width, decimals: 0)) s"
  }

  /// For each stage, the number of dropped refreshes in each box, counted where the drop begins. Refreshes dropped at
  /// once for one frame form one bar, regardless of their total length.
  private var counts: [PipelineStage: [Int: Int64]] {
    guard let schedule = surface.measured.rebuilt?.timeline.schedule else { return [:] }
    let grid = schedule.grid
    // Drops of frames that were replaced before display belong to the frame that replaced them.
    let shown = { (drop: DroppedRefreshes) in schedule.shownBy[drop.frame] ?? drop.frame }
    let starts = Dictionary(grouping: drops.drops.map(\.refreshes), by: shown)
      .compactMapValues { $0.map(\.refresh).min() }
    var counts: [PipelineStage: [Int: Int64]] = [:]
    for drop in drops.drops.map(\.refreshes) {
      let start = starts[shown(drop)] ?? drop.refresh
      let position = boxes.index(at: surface.seconds(grid.time(start)))
      counts[drop.stage, default: [:]][position, default: 0] += drop.count
    }
    return counts
  }

  /// What stops of unknown cause dropped; `nil` for none.
  private var inStops: String? {
    surface.measured.stopFindings.dropWords.map { "in stops, \($0)" }
  }

  private var words: String {
    let isInferred = drops.drops.contains(where: \.refreshes.isInferred)
    return PlotText.line([
      drops.sentence, inStops,
      isInferred ? "some charges inferred" : nil,
    ])
  }
}

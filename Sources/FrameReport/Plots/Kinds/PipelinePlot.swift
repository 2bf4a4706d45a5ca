import FrameAnalysis
import FrameTrace

extension TracePlot {
  /// The pipeline as boxes: one row for each stage, with frames in the color of their buffer.
  static let pipeline = TracePlot(
    "pipeline",
    "The pipeline as boxes: one row per stage, each frame in the color of its buffer.",
    [.frame, .region],
    .surface { surface, options throws(PlotRefusal) in
      try PipelinePlot(surface, options).plot()
    })
}

/// The pipeline of a few frames.
struct PipelinePlot {
  private let surface: PlottedSurface
  private let listing: FrameListing
  private let window: FrameWindow
  private let touches: PipelineTouches
  private let options: PlotOptions
  /// The rows from top to bottom.
  private let rows: [PipelineRow]

  init(_ surface: PlottedSurface, _ options: PlotOptions) throws(PlotRefusal) {
    guard let listing = surface.measured.listing else {
      throw PlotRefusal("\(surface.path): the pipeline was not rebuilt")
    }
    self.surface = surface
    self.options = options
    self.listing = listing
    window = try FrameWindow(
      surface, listing, options, intervals: 13, interesting: listing.worstDrop(of: surface))
    touches = PipelineTouches(surface.measured, window) { surface.milliseconds($0) }
    rows = PipelineRow.all(
      window.frames, hasTouches: !touches.isEmpty, hasPhotons: touches.hasPhotons,
      isFilledByApp: surface.measured.surface.isFilledByApp)
    guard rows.contains(where: \.isStage) else {
      throw PlotRefusal("\(surface.path): no frame in that time range has stages")
    }
  }

  func plot() -> Plot {
    let boxes = PipelineBoxes(rows, window, options, on: axis.range) { surface.milliseconds($0) }
    var y = PlotAxis("", naming: rows.map(\.name))
    y.isReversed = true
    var layers: [PlotLayer] = []
    if !window.refreshes.isEmpty {
      layers.append(
        .verticals("refreshes", .muted, at: window.refreshes.map(surface.milliseconds), y.range)
          .with(.faint))
    }
    let spans = position(.latency).map { touches.spans(at: $0, options, on: axis.range) }
    layers += boxes.layers + touchLayers + (spans?.layers ?? []) + dropLayers
    var panel = PlotPanel(x: axis, y: y, layers: layers)
    panel.x.hasGrid = false
    panel.labels = boxes.labels + (spans?.labels ?? []) + dropLabels
    return Plot(
      "pipeline", title: "Pipeline: \(surface.title)", subtitle: subtitle,
      description: description, panels: [panel])
  }

  private var axis: PlotAxis {
    PlotAxis("time in ms", surface.milliseconds(window.range))
  }

  private func position(_ name: PipelineRow.Name) -> Double? {
    rows.firstIndex { $0.row == name }.map(Double.init)
  }

  /// Touches, with arrows to the frames that consumed them.
  private var touchLayers: [PlotLayer] {
    guard let y = position(.touch) else { return [] }
    let arrows = position(.app).map { [touches.arrows(from: y, to: $0)] } ?? []
    return (touches.marks(at: y) + arrows).filter { !$0.rows.isEmpty }
  }

  private var drops: [(drop: DroppedRefreshes, start: Double, end: Double)] {
    guard let schedule = surface.measured.rebuilt?.timeline.schedule else { return [] }
    return window.frames.flatMap(\.drops).map { drop in
      (
        drop, surface.milliseconds(schedule.displayTime(at: drop.refresh)),
        surface.milliseconds(schedule.displayTime(at: drop.refresh + drop.count))
      )
    }
  }

  /// Dropped refreshes as boxes, and hitches as arrows that begin when a frame was due.
  private var dropLayers: [PlotLayer] {
    guard let y = position(.dropped) else { return [] }
    let boxes = drops.map { [$0.start, $0.end, y - 0.3, y + 0.3] }
    let hitches = window.frames.compactMap { frame -> [Double]? in
      guard let start = frame.hitchStart, let length = frame.hitch else { return nil }
      let from = surface.milliseconds(start)
      return [from, y - 0.42, from + length.milliseconds, y - 0.42]
    }
    var dropped = PlotLayer(.boxes, "dropped refresh", .fault, boxes)
    dropped.isBroken = true
    return [dropped, PlotLayer(.arrows, "hitch", .fault, hitches)].filter { !$0.rows.isEmpty }
  }

  private var dropLabels: [PlotLabel] {
    guard let y = position(.dropped) else { return [] }
    let axis = self.axis
    return drops.compactMap { item in
      // The label is centered on the visible part, if it fits.
      let start = max(item.start, axis.range.lowerBound)
      let end = min(item.end, axis.range.upperBound)
      let stage = item.drop.stage.rawValue
      let fitting = [item.drop.isInferred ? "\(stage) (inferred)" : stage, stage].first {
        options.width(of: $0, on: axis.range) <= end - start
      }
      return fitting.map { PlotLabel(x: (start + end) / 2, y: y, text: $0) }
    }
  }

  private var subtitle: String {
    let drops = window.frames.reduce(0) { $0 + $1.droppedCount }
    let numbers = window.frames.map(\.row)
    return PlotText.line([
      "frames \(numbers.min() ?? 0) to \(numbers.max() ?? 0), n \(numbers.count)",
      window.reason,
      listing.whyNoDrops == nil
        ? PlotText.count(Int(drops), "dropped refresh", "dropped refreshes") : nil,
      buffers, surface.aside,
    ])
  }

  private var buffers: String? {
    if listing.whyNoBuffers != nil { return "buffers unknown" }
    let count = Set(window.frames.compactMap(\.buffer)).count
    return PlotText.count(count, "buffer", "buffers")
      + (listing.areBuffersInferred ? " (inferred)" : "")
  }

  private var description: String {
    let names = rows.map(\.name).joined(separator: ", ")
    let dropped = drops.map { item in
      "\(PlotText.count(Int(item.drop.count), "refresh", "refreshes")) dropped by \(item.drop.stage.words) at \(PlotText.milliseconds(item.start)), frame \(item.drop.frame)"
    }
    return PlotText.line(["The rows are \(names)", subtitle] + dropped.prefix(5)) + "."
  }
}

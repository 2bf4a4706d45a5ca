import FrameAnalysis
import FrameTrace

extension TracePlot {
  /// The use of buffers over time.
  static let occupancy = TracePlot(
    "occupancy",
    "When each buffer is drawn into, queued and shown, and how many are in use at once.",
    [.frame, .region],
    .surface { surface, options throws(PlotRefusal) in
      try OccupancyPlot(surface, options).plot()
    })
}

/// The buffers of a surface over time.
private struct OccupancyPlot {
  private let surface: PlottedSurface
  private let listing: FrameListing
  private let occupancy: BufferOccupancy
  private let options: PlotOptions
  /// The frames whose buffers are shown individually; `nil` if there are too many.
  private let window: FrameWindow?
  private let range: ClosedRange<Timestamp>

  init(_ surface: PlottedSurface, _ options: PlotOptions) throws(PlotRefusal) {
    guard let listing = surface.measured.listing, let occupancy = surface.measured.occupancy else {
      throw PlotRefusal("\(surface.path): the pipeline was not rebuilt")
    }
    self.surface = surface
    self.options = options
    self.listing = listing
    self.occupancy = occupancy
    if let why = listing.whyNoBuffers {
      throw PlotRefusal("\(surface.path): no buffers to draw: \(why)")
    }
    let isLong =
      surface.isPart && options.frame == nil
      && listing.rows(within: surface.range).count > FrameWindow.most
    window =
      isLong
      ? nil
      : try FrameWindow(
        surface, listing, options, intervals: 24, interesting: Self.change(surface))
    range = window?.range ?? surface.range
  }

  /// The first frame at which the number of buffers changed.
  private static func change(_ surface: PlottedSurface) -> (row: Int, why: String)? {
    surface.measured.buffers?.changes.first.map {
      (
        $0.frame,
        "around the change from \(PlotText.count($0.from, "buffer", "buffers")) to \($0.to)"
      )
    }
  }

  func plot() -> Plot {
    let counts = self.counts
    var panels = [countPanel(counts)]
    if let window { panels.append(bufferPanel(window)) }
    let uses = occupancy.uses.indices.filter { position in
      occupancy.uses[position].firstWrite <= range.upperBound
        && occupancy.uses[position].free ?? .latest >= range.lowerBound
    }
    let buffers = Set(uses.map { occupancy.coloring.colors[$0] }).count
    let words = PlotText.line([
      window.map { "frames \($0.frames.first?.row ?? 0) to \($0.frames.last?.row ?? 0)" },
      "n \(PlotText.count(uses.count, "use", "uses")) of \(PlotText.count(buffers, "buffer", "buffers"))"
        + (listing.areBuffersInferred ? " (inferred)" : ""),
      "at most \(Int(counts.limits?.upperBound ?? 0)) in use at once", window?.reason,
      surface.aside,
    ])
    return Plot(
      "occupancy", title: "Buffers: \(surface.title)", subtitle: words,
      description: "How many buffers are in use over time, and which: \(words).", panels: panels)
  }

  private var axis: PlotAxis {
    PlotAxis("time in ms", surface.milliseconds(range))
  }

  /// The number of buffers in use after each change.
  private var counts: PixelColumns {
    var count = 0
    var changes: [(time: Timestamp, step: Int)] = []
    for use in occupancy.uses where use.free ?? .latest > range.lowerBound {
      if use.firstWrite <= range.lowerBound {
        count += 1
      } else if use.firstWrite <= range.upperBound {
        changes.append((use.firstWrite, 1))
      }
      if let free = use.free, free <= range.upperBound { changes.append((free, -1)) }
    }
    changes.sort { ($0.time, $0.step) < ($1.time, $1.step) }
    var columns = PixelColumns(axis.range, count: options.columns)
    columns.add(axis.range.lowerBound, Double(count))
    for (position, change) in changes.enumerated() {
      count += change.step
      let isLast = position + 1 == changes.count || changes[position + 1].time > change.time
      if isLast { columns.add(surface.milliseconds(change.time), Double(count)) }
    }
    columns.add(axis.range.upperBound, Double(count))
    return columns
  }

  private func countPanel(_ counts: PixelColumns) -> PlotPanel {
    let most = counts.limits?.upperBound ?? 1
    var panel = PlotPanel(
      x: axis, y: .counting("in use", to: most),
      layers: [
        PlotLayer(.steps, "buffers in use", .text, counts.rows).with(.normal)
          .with(count: counts.count)
      ])
    panel.height = window == nil ? 1 : 0.5
    panel.hasLegend = false
    return panel
  }

  private func bufferPanel(_ window: FrameWindow) -> PlotPanel {
    let buffers = Set(window.frames.compactMap(\.buffer)).sorted()
    var y = PlotAxis("", naming: buffers.map(BufferNames.name))
    y.isReversed = true
    var layers: [PlotLayer] = []
    if !window.refreshes.isEmpty {
      layers.append(
        .verticals("refreshes", .muted, at: window.refreshes.map(surface.milliseconds), y.range)
          .with(.faint))
    }
    for (position, buffer) in buffers.enumerated() {
      layers += uses(of: buffer, at: Double(position), window.frames.filter { $0.buffer == buffer })
    }
    var panel = PlotPanel(x: axis, y: y, layers: layers)
    panel.x.hasGrid = false
    panel.labels = labels(window, buffers)
    return panel
  }

  /// The intervals in which a buffer is drawn into, queued, shown and held.
  private func uses(of buffer: Int, at y: Double, _ frames: [ListedFrame]) -> [PlotLayer] {
    var drawing: [[Double]] = []
    var queued: [[Double]] = []
    var shown: [[Double]] = []
    var held: [[Double]] = []
    for frame in frames {
      guard let start = frame.bufferStart, start <= range.upperBound else { continue }
      let end = max(start, frame.bufferEnd ?? range.upperBound)
      let finished = min(max(frame.queued ?? start, start), end)
      let visible = min(max(frame.displayed ?? end, finished), end)
      let gone = min(max(frame.swappedOut ?? end, visible), end)
      let box = { (from: Timestamp, to: Timestamp) in
        [surface.milliseconds(from), surface.milliseconds(to), y - 0.38, y + 0.38]
      }
      if finished > start { drawing.append(box(start, finished)) }
      if visible > finished { queued.append(box(finished, visible)) }
      if gone > visible { shown.append(box(visible, gone)) }
      if end > gone { held.append(box(gone, end)) }
    }
    let name = { (words: String) in y == 0 ? words : nil }
    return [
      PlotLayer(.boxes, name("drawing"), .buffer(buffer), drawing).with(.normal, isBroken: true),
      PlotLayer(.boxes, name("queued"), .buffer(buffer), queued).with(.faint),
      PlotLayer(.boxes, name("shown"), .buffer(buffer), shown),
      PlotLayer(.boxes, name("not yet released"), .muted, held).with(.faint),
    ].filter { !$0.rows.isEmpty }
  }

  private func labels(_ window: FrameWindow, _ buffers: [Int]) -> [PlotLabel] {
    let axis = axis.range
    return window.frames.compactMap { frame in
      guard let buffer = frame.buffer, let position = buffers.firstIndex(of: buffer),
        let shown = frame.displayed, let end = frame.bufferEnd
      else { return nil }
      let low = max(surface.milliseconds(shown), axis.lowerBound)
      let high = min(surface.milliseconds(end), axis.upperBound)
      let text = "\(frame.row)"
      guard options.width(of: text, on: axis) <= high - low else { return nil }
      return PlotLabel(
        x: (low + high) / 2, y: Double(position), text: text,
        color: .upon(.buffer(buffer)))
    }
  }
}

import FrameAnalysis
import FrameTrace

/// The tracks of a surface in a trace for other viewers.
struct SurfaceTracks {
  private let exported: Study
  private let listing: FrameListing
  private let surface: Int
  /// The stages that any frame is known to have passed through, in pipeline order.
  private let stages: [PipelineRow]
  /// The process number in the trace, chosen so that no display has the same one.
  private var process: Int { 100 + surface }

  init(_ exported: Study, _ surface: Int) {
    self.exported = exported
    self.surface = surface
    let listing = exported.frames(of: surface)
    self.listing = listing
    stages = PipelineRow.stages(
      isFilledByApp: exported.trace.surfaces[surface].isFilledByApp
    ).filter { row in
      (0..<listing.count).contains { row.span(of: listing[$0], until: .latest) != nil }
    }
  }

  /// Whether the surface has no time that could be drawn, for example if its frames have only durations.
  var isEmpty: Bool {
    stages.isEmpty && exported.touches(of: surface).isEmpty && listing.allDrops.isEmpty
      && (0..<listing.count).allSatisfy { listing[$0].bufferStart == nil }
  }

  func write(to events: inout some TrackWriter) {
    let surface = exported.trace.surfaces[surface]
    let name = [surface.process, surface.name ?? surface.id].compactMap { $0 }
    events.name(process: process, name.joined(separator: " "))
    writeTouches(to: &events)
    let lanes = stages.indices.map { writeStage($0, to: &events) }
    writeArrows(lanes, to: &events)
    writeDrops(to: &events)
    writeBuffers(to: &events)
  }

  private func track(_ thread: Int) -> EventTrack {
    EventTrack(process: process, thread: thread)
  }

  private func track(ofStage position: Int, lane: Int) -> EventTrack {
    track(1000 * (position + 1) + lane)
  }

  private func span(_ frame: ListedFrame, inStage position: Int) -> Range<Timestamp>? {
    stages[position].span(of: frame, until: exported.range.upperBound)
  }

  /// Writes the slices of a stage; a stage that works on several frames at once has several tracks.
  /// - Returns: The lane of each frame; −1 for a frame without a slice in which an arrow could end.
  private func writeStage(_ position: Int, to events: inout some TrackWriter) -> [Int32] {
    var spans: [(row: Int, span: Range<Timestamp>)] = []
    for row in 0..<listing.count {
      let own = stages[position].spans(of: listing[row], until: exported.range.upperBound)
      for span in own { spans.append((row, span)) }
    }
    spans.sort { ($0.span.lowerBound, $0.row) < ($1.span.lowerBound, $1.row) }
    let lanes = FrameLanes(spans.map(\.span))
    for lane in 0..<lanes.count {
      let number = lanes.count == 1 ? "" : " \(lane + 1)"
      events.name(track(ofStage: position, lane: lane), stages[position].name + number)
    }
    var byRow = [Int32](repeating: -1, count: listing.count)
    // A frame may have thousands of spans, and a frame lookup visits all of its commits.
    var latest: ListedFrame?
    for (item, lane) in zip(spans, lanes.lanes) {
      let frame = latest.flatMap { $0.row == item.row ? $0 : nil } ?? listing[item.row]
      latest = frame
      events.slice(
        "frame \(item.row)", track(ofStage: position, lane: lane), item.span,
        category: stages[position].name, flow: EventFlow(process: process, frame: item.row),
        arguments(of: frame))
      if !item.span.isEmpty, item.span == span(frame, inStage: position) {
        byRow[item.row] = Int32(truncatingIfNeeded: lane)
      }
    }
    return byRow
  }

  /// Writes an arrow along each frame, from stage to stage.
  private func writeArrows(_ lanes: [[Int32]], to events: inout some TrackWriter) {
    for row in 0..<listing.count {
      let frame = listing[row]
      let positions = stages.indices.compactMap {
        position -> (track: EventTrack, time: Timestamp)? in
        let lane = lanes[position][row]
        guard lane >= 0, let span = span(frame, inStage: position) else { return nil }
        return (track(ofStage: position, lane: Int(lane)), span.lowerBound)
      }
      // A GPU may start before the first known app work; arrows have to lead forward in time.
      events.flow(
        EventFlow(process: process, frame: row), positions.sorted { $0.time < $1.time })
    }
  }

  private func arguments(of frame: ListedFrame) -> [EventArgument] {
    var arguments: [EventArgument] = [.integer("frame", frame.row)]
    if let identifier = frame.identifier { arguments.append(.integer("id", identifier)) }
    arguments.append(.text("outcome", frame.outcome.rawValue))
    if let refresh = frame.refresh { arguments.append(.integer("refresh", refresh.number)) }
    if let due = frame.dueRefresh { arguments.append(.integer("due_refresh", due.number)) }
    if let buffer = frame.buffer { arguments.append(.text("buffer", BufferNames.name(buffer))) }
    if let depth = frame.depth { arguments.append(.integer("depth", depth)) }
    if frame.droppedCount > 0 { arguments.append(.integer("dropped", frame.droppedCount)) }
    return arguments
  }

  private func writeTouches(to events: inout some TrackWriter) {
    let touches = exported.touches(of: surface).filter { $0.kind != .predicted }
    guard !touches.isEmpty else { return }
    events.name(track(1), "touches")
    for touch in touches {
      guard let time = touch.scanStart ?? touch.delivered else { continue }
      events.instant("\(touch.kind) touch, \(touch.outcome)", track(1), at: time, category: "touch")
    }
  }

  private func writeDrops(to events: inout some TrackWriter) {
    let schedule = exported.pipeline().surfaces[surface].timeline.schedule
    let drops = listing.allDrops.sorted { $0.refresh < $1.refresh }
    guard !drops.isEmpty else { return }
    events.name(track(9_999_999), "dropped")
    for drop in drops {
      let span =
        schedule.displayTime(at: drop.refresh)..<schedule.displayTime(at: drop.refresh + drop.count)
      events.slice(
        "dropped by \(drop.stage.rawValue)", track(9_999_999), span, category: "dropped",
        flow: nil,
        [
          .integer("refresh", drop.refresh.number), .integer("count", drop.count),
          .integer("frame", drop.frame), .integer("cause_frame", drop.cause.row),
          .flag("inferred", drop.isInferred),
        ] + (drop.whyUnknown.map { [.text("why_unknown", $0)] } ?? []))
    }
  }

  /// Writes one track per buffer, and the number of buffers in use.
  private func writeBuffers(to events: inout some TrackWriter) {
    var changes: [(time: Timestamp, step: Int)] = []
    for buffer in 0..<min(listing.bufferCount, Self.mostBuffers) {
      events.name(
        track(10_000_000 + buffer),
        BufferNames.name(buffer) + (listing.areBuffersInferred ? " (inferred)" : ""))
    }
    for row in 0..<listing.count {
      let frame = listing[row]
      guard let start = frame.bufferStart else { continue }
      let end = max(start, frame.bufferEnd ?? exported.range.upperBound)
      changes.append((start, 1))
      if frame.bufferEnd != nil { changes.append((end, -1)) }
      guard let buffer = frame.buffer, buffer < Self.mostBuffers else { continue }
      events.slice(
        "frame \(row)", track(10_000_000 + buffer), start..<end,
        category: "buffer \(BufferNames.name(buffer))", flow: nil,
        [.integer("frame", row)] + (frame.depth.map { [.integer("depth", $0)] } ?? []))
    }
    changes.sort { ($0.time, $0.step) < ($1.time, $1.step) }
    var count = 0
    for change in changes {
      count += change.step
      events.counter("buffers in use", process: process, at: change.time, count)
    }
  }

  /// The maximum number of buffers to draw; a larger number comes from a pool, whose buffers do not merit a row each.
  private static let mostBuffers = 64
}

/// The tracks of a surface in a trace for other viewers.
struct SurfaceTracks {
  private let exported: ExportedTrace
  private let listing: FrameListing
  private let surface: Int
  /// Numbers of processes that displays do not have.
  private var process: Int { 100 + surface }

  init(_ exported: ExportedTrace, _ surface: Int) {
    self.exported = exported
    self.surface = surface
    listing = exported.frames(of: surface)
  }

  /// Where each frame's slices begin, for the arrows along it.
  private typealias Places = [Int: [(track: TraceEvents.Track, time: Int64)]]

  func write(to events: inout TraceEvents) {
    let surface = exported.trace.surfaces[surface]
    let name = [surface.process, surface.name ?? surface.id].compactMap { $0 }
    events.name(process: process, name.joined(separator: " "))
    let frames = (0..<listing.count).map { listing[$0] }
    var places: Places = [:]
    writeTouches(to: &events)
    writeStages(frames, &places, to: &events)
    for row in places.keys.sorted() {
      events.flow("\(process).\(row)", places[row] ?? [])
    }
    writeDrops(frames, to: &events)
    writeBuffers(frames, to: &events)
  }

  /// Slices of the stages; a stage at work on several frames at once has several tracks.
  private func writeStages(
    _ frames: [ListedFrame], _ places: inout Places, to events: inout TraceEvents
  ) {
    let rows = PipelineRow.all(
      frames, hasTouches: false,
      isFilledByApp: exported.trace.surfaces[surface].isFilledByApp)
    for (place, row) in rows.enumerated() {
      let spans = frames.compactMap { frame in
        row.span(of: frame, until: exported.range.upperBound).map { (frame, $0) }
      }.sorted { ($0.1.lowerBound, $0.0.row) < ($1.1.lowerBound, $1.0.row) }
      guard !spans.isEmpty else { continue }
      let lanes = FrameLanes(spans.map(\.1))
      for lane in 0..<lanes.count {
        let number = lanes.count == 1 ? "" : " \(lane + 1)"
        events.name(track(1000 * (place + 1) + lane), row.name + number)
      }
      for ((frame, span), lane) in zip(spans, lanes.lanes) {
        let track = track(1000 * (place + 1) + lane)
        events.slice("frame \(frame.row)", track, span, category: row.name) { json in
          arguments(of: frame, to: &json)
        }
        // An arrow needs a slice around its end.
        if !span.isEmpty { places[frame.row, default: []].append((track, span.lowerBound)) }
      }
    }
  }

  private func track(_ thread: Int) -> TraceEvents.Track {
    TraceEvents.Track(process: process, thread: thread)
  }

  private func arguments(of frame: ListedFrame, to json: inout JSONWriter) {
    json.member("frame", frame.row)
    json.memberIfAny("id", frame.identifier)
    json.member("outcome", frame.outcome.rawValue)
    json.memberIfAny("refresh", frame.refresh)
    json.memberIfAny("due_refresh", frame.dueRefresh)
    json.memberIfAny("buffer", frame.buffer.map(BufferNames.name))
    json.memberIfAny("depth", frame.depth)
    if frame.droppedCount > 0 { json.member("dropped", frame.droppedCount) }
  }

  private func writeTouches(to events: inout TraceEvents) {
    let touches = exported.touches(of: surface).filter { $0.kind != .predicted }
    guard !touches.isEmpty else { return }
    events.name(track(1), "touches")
    for touch in touches {
      guard let time = (touch.scanStart ?? touch.delivered)?.nanoseconds else { continue }
      events.instant("\(touch.kind) touch, \(touch.outcome)", track(1), at: time, category: "touch")
    }
  }

  private func writeDrops(_ frames: [ListedFrame], to events: inout TraceEvents) {
    let grid = exported.pipeline.surfaces[surface].timeline.schedule.grid
    let drops = frames.flatMap(\.drops).sorted { $0.refresh < $1.refresh }
    guard !drops.isEmpty else { return }
    events.name(track(9000), "dropped")
    for drop in drops {
      let span = grid.time(drop.refresh)..<grid.time(drop.refresh + drop.count)
      events.slice("dropped by \(drop.stage.rawValue)", track(9000), span, category: "dropped") {
        json in
        json.member("refresh", drop.refresh)
        json.member("count", drop.count)
        json.member("frame", drop.frame)
        json.member("cause_frame", drop.cause.row)
        json.member("inferred", drop.isInferred)
        json.memberIfAny("why_unknown", drop.whyUnknown)
      }
    }
  }

  /// A track for each buffer, and how many are in use.
  private func writeBuffers(_ frames: [ListedFrame], to events: inout TraceEvents) {
    var changes: [(time: Int64, step: Int)] = []
    let used = frames.filter { $0.bufferStart != nil }.sorted {
      ($0.bufferStart?.nanoseconds ?? 0, $0.row) < ($1.bufferStart?.nanoseconds ?? 0, $1.row)
    }
    for buffer in Set(used.compactMap(\.buffer)).sorted() where buffer < Self.mostBuffers {
      events.name(
        track(10_000 + buffer),
        BufferNames.name(buffer) + (listing.areBuffersInferred ? " (inferred)" : ""))
    }
    for frame in used {
      guard let start = frame.bufferStart?.nanoseconds else { continue }
      let end = max(start, frame.bufferEnd?.nanoseconds ?? exported.range.upperBound)
      changes.append((start, 1))
      if frame.bufferEnd != nil { changes.append((end, -1)) }
      guard let buffer = frame.buffer, buffer < Self.mostBuffers else { continue }
      events.slice("frame \(frame.row)", track(10_000 + buffer), start..<end, category: "buffer") {
        json in
        json.member("frame", frame.row)
        json.memberIfAny("depth", frame.depth)
      }
    }
    var count = 0
    for change in changes.sorted(by: { ($0.time, $0.step) < ($1.time, $1.step) }) {
      count += change.step
      events.counter("buffers in use", process: process, at: change.time, count)
    }
  }

  /// More buffers than this come from a pool and are no rows to look at.
  private static let mostBuffers = 64
}

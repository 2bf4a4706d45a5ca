import FrameTrace

/// Converts `GraphicsFrameEvent` to buffer events, and to frames of layers that have no frames in the frame timeline.
///
/// A frame belongs to the app from the dequeue of its buffer to its queueing. It belongs to the GPU
/// until the acquire fence, and to SurfaceFlinger from the latch to the present fence.
struct PerfettoBufferFrames {
  private var join: PerfettoJoin
  /// The rows of frames by layer and number, in the order in which they began.
  private var frames: [String: [(number: Int64, row: Table<FrameColumn>.Row)]] = [:]
  private var positions: [String: [Int64: Int]] = [:]
  /// When each layer's buffers without a known frame were dequeued, by buffer.
  private var dequeued: [String: [Int64: Int64]] = [:]
  /// The index of each layer's frame on the display.
  private var displayed: [String: Int] = [:]
  private var unknown = 0

  static func add(to join: inout PerfettoJoin) {
    var frames = PerfettoBufferFrames(join: join)
    frames.addAll()
    join = frames.join
  }

  private init(join: PerfettoJoin) { self.join = join }

  private mutating func addAll() {
    let facts = join.recording.buffers
    let rows = facts.rows.enumerated().sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }
    for (_, row) in rows {
      addEvent(row)
      consume(row)
    }
    for (layer, frames) in frames.sorted(by: { $0.key < $1.key }) {
      let surface = surface(layer)
      // The timeline numbers its frames differently.
      guard join.builder.trace.surfaces[surface].frames.count == 0 else { continue }
      for frame in frames { join.builder.trace.surfaces[surface].frames.append(frame.row) }
    }
    join.builder.log.note(
      .unknownRecord, .info, "buffer events of unsupported kinds", count: unknown)
    join.builder.log.note(
      .malformedLine, .dataLoss, "buffer events without a time or a layer", count: facts.broken)
  }

  private mutating func surface(_ layer: String) -> Int {
    join.builder.surface(layer) { Surface(id: layer, bufferOwner: .app) }
  }

  private mutating func addEvent(_ row: PerfettoBuffers.Row) {
    let event: BufferColumn.Event? =
      switch row.event {
      case .dequeue, .attach: .attached
      case .queue: .queued
      case .latch: .latched
      case .presentFence: .displayed
      case .releaseFence, .cancel, .detach: .released
      case .post, .acquireFence, .composition, .fallback, .modify, nil: nil
      }
    guard let event else {
      // The acquire fence is recorded as a time of its frame.
      if row.event != .acquireFence { unknown += 1 }
      return
    }
    var record = Table<BufferColumn>.Row()
    record[.time] = row.time
    record[.event] = event.rawValue
    record[.surface] = Int64(surface(row.layer))
    record[.buffer] = row.buffer
    join.builder.trace.bufferEvents.append(record)
  }

  private mutating func consume(_ row: PerfettoBuffers.Row) {
    switch row.event {
    case .dequeue:
      if let buffer = row.buffer { dequeued[row.layer, default: [:]][buffer] = row.time }
    case .queue: change(row) { $0[.queued] = $0[.queued] ?? row.time }
    case .acquireFence: change(row) { $0[.fenceSignaled] = $0[.fenceSignaled] ?? row.time }
    case .latch: change(row) { $0[.compositorStart] = $0[.compositorStart] ?? row.time }
    case .presentFence:
      guard let position = change(row, { $0[.displayed] = $0[.displayed] ?? row.time }) else {
        return
      }
      if let before = displayed[row.layer], before != position {
        frames[row.layer]?[before].row[.replaced] = row.time
      }
      displayed[row.layer] = position
    case .releaseFence: change(row) { $0[.released] = $0[.released] ?? row.time }
    default: break
    }
  }

  /// Changes the frame that an event belongs to.
  /// - Returns: The index of the frame in its layer; `nil` for an event without a frame.
  @discardableResult private mutating func change(
    _ row: PerfettoBuffers.Row, _ body: (inout Table<FrameColumn>.Row) -> Void
  ) -> Int? {
    guard let number = row.frame else { return nil }
    var position = positions[row.layer]?[number]
    if position == nil {
      var new = Table<FrameColumn>.Row()
      new[.identifier] = number
      new[.buffer] = row.buffer
      new[.firstWrite] = row.buffer.flatMap { dequeued[row.layer]?.removeValue(forKey: $0) }
      position = frames[row.layer]?.count ?? 0
      frames[row.layer, default: []].append((number, new))
      positions[row.layer, default: [:]][number] = position
    }
    guard let position else { return nil }
    body(&frames[row.layer, default: []][position].row)
    return position
  }
}

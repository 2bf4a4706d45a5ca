import FrameStatistics
import FrameTrace

/// What a trace records about the allocation of a surface's buffers and about their holders.
struct BufferEvents {
  /// For each id, when buffers with that name were destroyed or reallocated, in order.
  private var ends: [Int64: [Timestamp]] = [:]
  /// For frames, by row, when their buffer was attached and released, if events name the frame.
  private(set) var attached: [Int: Timestamp] = [:]
  private(set) var released: [Int: Timestamp] = [:]
  /// The maximum number of buffers allocated at once; `nil` when the trace does not say.
  private(set) var mostAllocated: Int?
  /// The maximum number of buffers that the compositor had at once; `nil` when the trace does not say.
  private(set) var mostHeld: Int?

  init(_ trace: Trace, _ timeline: SurfaceTimeline) {
    var allocated: Set<Int64> = []
    var held: Set<Int64> = []
    let events = trace.bufferEvents
    for row in timeline.bufferEventRows.lazy.map(Int.init) {
      guard let time = events.time(row, .time), let buffer = events[row, .buffer],
        let event = events[row, .event].flatMap(BufferColumn.Event.init)
      else { continue }
      if let frame = events[row, .frame].map(Int.init) {
        if event == .attached { attached[frame] = min(attached[frame] ?? time, time) }
        if event == .released { released[frame] = time }
      }
      switch event {
      case .allocated:
        if allocated.insert(buffer).inserted == false { ends[buffer, default: []].append(time) }
        mostAllocated = max(mostAllocated ?? 0, allocated.count)
      case .destroyed:
        allocated.remove(buffer)
        held.remove(buffer)
        ends[buffer, default: []].append(time)
      case .queued, .latched:
        held.insert(buffer)
        mostHeld = max(mostHeld ?? 0, held.count)
      case .released: held.remove(buffer)
      case .attached, .displayed: break
      }
    }
  }

  /// The name of a buffer that was allocated at a time.
  func name(_ id: Int64, at time: Timestamp) -> BufferName {
    BufferName(id: id, generation: ends[id]?.partitioningIndex { $0 > time } ?? 0)
  }
}

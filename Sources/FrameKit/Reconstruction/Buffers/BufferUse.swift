/// When the buffer of one frame was in use.
struct BufferUse {
  /// The frame, by its row.
  let row: Int
  /// The first that was done to the buffer.
  let firstWrite: Int64
  /// Whether that time stands for the start of the app's work, as the trace has none for the
  /// buffer itself.
  let isInferred: Bool
  /// When the buffer was free again; `max` when it was not before the trace ended.
  var free: Int64
}

extension BufferUse {
  /// The uses of a surface's buffers, in order of their first write.
  static func all(_ frames: Table<FrameColumn>, _ timeline: SurfaceTimeline) -> [BufferUse] {
    let releases = BufferReleases(frames, timeline)
    var uses: [BufferUse] = []
    uses.reserveCapacity(frames.count)
    for row in 0..<frames.count {
      guard let write = firstWrite(row, frames, timeline.stages[row]) else { continue }
      let free = max(releases.time(row), write.time)
      uses.append(
        BufferUse(row: row, firstWrite: write.time, isInferred: write.isInferred, free: free))
    }
    let isInOrder = zip(uses, uses.dropFirst()).allSatisfy { $0.firstWrite <= $1.firstWrite }
    if !isInOrder { uses.sort { ($0.firstWrite, $0.row) < ($1.firstWrite, $1.row) } }
    return uses
  }

  /// When the frame's buffer was first written to; `nil` when no stage is known.
  private static func firstWrite(
    _ row: Int, _ frames: Table<FrameColumn>, _ times: StageTimes
  ) -> (time: Int64, isInferred: Bool)? {
    if let time = frames[row, .firstWrite] ?? times.blocked?.upperBound { return (time, false) }
    if !times.isFilledByApp, let start = times.compositorStart, start <= times.queued ?? .max {
      return (start, false)
    }
    return times.earliest.map { ($0, true) }
  }
}

/// When buffers became free.
private struct BufferReleases {
  private let frames: Table<FrameColumn>
  private let timeline: SurfaceTimeline
  /// For each row that of the next frame displayed after it; −1 for none.
  private var next: [Int32]

  init(_ frames: Table<FrameColumn>, _ timeline: SurfaceTimeline) {
    self.frames = frames
    self.timeline = timeline
    next = Array(repeating: -1, count: frames.count)
    for row in next.indices.dropLast() { next[row] = timeline.schedule.shownBy[row + 1] }
  }

  /// When the buffer of a frame was released, swapped out, or replaced unseen; `max` when
  /// none of it happened.
  func time(_ row: Int) -> Int64 {
    if let released = frames[row, .released] { return released }
    let schedule = timeline.schedule
    if schedule.displayed[row] == FrameSchedule.none {
      // The next buffer that is finished takes its place, whether that one is shown or not.
      guard schedule.shownBy[row] >= 0 else { return .max }
      return timeline.stages[row + 1].queued ?? .max
    }
    if let replaced = frames[row, .replaced] { return replaced }
    return next[row] < 0 ? .max : schedule.shownTime(Int(next[row])) ?? .max
  }
}

/// When a display changed, as far as the display times of frames tell.
struct DisplayChanges {
  /// In order and each once.
  let times: [Timestamp]
  /// For each time when the buffer shown then was finished; `nil` where that is known of none.
  private let ready: CompactOptionals<Timestamp>?

  /// Changes of which nothing but the times is known.
  init(times: [Timestamp]) {
    self.times = times
    ready = nil
  }

  /// The changes that frames of surfaces made.
  init(_ trace: Trace, _ surfaces: [Int]) {
    var changes: [(time: Timestamp, ready: Timestamp?)] = []
    for surface in surfaces {
      let frames = trace.surfaces[surface].frames
      guard let displayed = frames.stored(.displayed) else { continue }
      changes.reserveCapacity(changes.count + frames.count)
      let finished = Finished(frames)
      for row in 0..<frames.count {
        guard let distance = displayed[row] else { continue }
        let time = Timestamp(nanoseconds: frames.references[row] &+ distance)
        changes.append((time, finished.time(row)))
      }
    }
    if zip(changes, changes.dropFirst()).contains(where: { $0.time > $1.time }) {
      changes.sort { ($0.time, $0.ready ?? .latest) < ($1.time, $1.ready ?? .latest) }
    }
    var unique = 0
    for index in changes.indices where index == 0 || changes[index].time != changes[index - 1].time
    {
      changes[unique] = changes[index]
      unique += 1
    }
    changes.removeSubrange(unique...)
    times = changes.map(\.time)
    let knowsReady = changes.contains { $0.ready != nil }
    ready = knowsReady ? CompactOptionals(changes.lazy.map(\.ready)) : nil
  }

  /// When the buffer of the change at a place was finished; `nil` where that is not known.
  func ready(_ place: Int) -> Timestamp? { ready?[place] }
}

/// When the buffers of frames were finished, as far as it was recorded.
private struct Finished {
  private let references: [Int64]
  private let columns: [IntegerColumn]

  init(_ frames: Table<FrameColumn>) {
    references = frames.references
    columns = [FrameColumn.queued, .fenceSignalled, .gpuEnd].compactMap(frames.stored)
  }

  func time(_ row: Int) -> Timestamp? {
    columns.lazy.compactMap { $0[row] }.max().map {
      Timestamp(nanoseconds: $0 &+ references[row])
    }
  }
}

/// When a display changed, as far as the display times of frames tell.
struct DisplayChanges {
  /// In nanoseconds, in order and each once.
  let times: [Int64]
  /// For each time when the buffer shown then was finished, `unknown` where that is not known;
  /// empty where it is of none.
  private let ready: [Int64]

  private static let unknown = Int64.max

  /// Changes of which nothing but the times is known.
  init(times: [Int64]) {
    self.times = times
    ready = []
  }

  /// The changes that frames of surfaces made.
  init(_ trace: Trace, _ surfaces: [Int]) {
    var changes: [(time: Int64, ready: Int64)] = []
    for surface in surfaces {
      let frames = trace.surfaces[surface].frames
      guard let displayed = frames.stored(.displayed) else { continue }
      changes.reserveCapacity(changes.count + frames.count)
      let finished = Finished(frames)
      for row in 0..<frames.count {
        guard let distance = displayed[row] else { continue }
        changes.append(
          (frames.references[row] &+ distance, finished.time(row) ?? Self.unknown))
      }
    }
    if zip(changes, changes.dropFirst()).contains(where: { $0.time > $1.time }) {
      changes.sort { $0 < $1 }
    }
    var unique = 0
    for index in changes.indices where index == 0 || changes[index].time != changes[index - 1].time
    {
      changes[unique] = changes[index]
      unique += 1
    }
    changes.removeSubrange(unique...)
    times = changes.map(\.time)
    ready = changes.contains { $0.ready != Self.unknown } ? changes.map(\.ready) : []
  }

  /// When the buffer of the change at a place was finished; `nil` where that is not known.
  func ready(_ place: Int) -> Int64? {
    ready.isEmpty || ready[place] == Self.unknown ? nil : ready[place]
  }
}

/// When the buffers of frames were finished, as far as it was recorded.
private struct Finished {
  private let references: [Int64]
  private let columns: [IntegerColumn]

  init(_ frames: Table<FrameColumn>) {
    references = frames.references
    columns = [FrameColumn.queued, .fenceSignalled, .gpuEnd].compactMap(frames.stored)
  }

  func time(_ row: Int) -> Int64? {
    var latest: Int64?
    for column in columns { latest = StageTimes.later(latest, column[row]) }
    return latest.map { $0 &+ references[row] }
  }
}

/// How the app started on the frames of a surface: how long after the frame before, and whether it
/// had paused in between.
struct AppStarts {
  /// For each frame whether the app is known to have rested before it.
  private(set) var hasPaused: [Bool]
  /// For each frame the time from A0 of the frame started before it to its own A0; `nil` where
  /// either is not known, it comes first, or a rest lies between.
  private(set) var steps: CompactOptionals<Nanoseconds>

  private let stages: FrameStages
  private let schedule: FrameSchedule
  private let freed: FreedBuffers?
  private var grid: RefreshGrid { schedule.grid }

  /// The frame started before.
  private struct Before {
    var start: Timestamp
    var end: Timestamp?
  }

  init(_ schedule: FrameSchedule, _ frames: Table<FrameColumn>, _ stages: FrameStages) {
    self.schedule = schedule
    self.stages = stages
    hasPaused = Array(repeating: false, count: stages.count)
    steps = CompactOptionals(missing: stages.count)
    freed = schedule.isFree ? FreedBuffers(schedule, frames) : nil
    guard frames.has(.appStart) else { return }
    var coincidences = Coincidences()
    var before: Before?
    var rest = schedule.rowsAfterRest.makeIterator()
    var nextAfterRest = rest.next()
    for row in 0..<stages.count {
      let isAfterRest = nextAfterRest == Int32(row)
      if isAfterRest { nextAfterRest = rest.next() }
      guard !stages.isGenerated(row) else { continue }
      let times = stages[row]
      guard let start = times.appStart, !schedule.isAfterHole(row) else {
        before = newest(row, times)
        continue
      }
      if let before {
        if !isAfterRest, start > before.start { steps[row] = start - before.start }
        hasPaused[row] = isPause(times, start, before)
        if hasPaused[row], mayHaveWaited(times, start, before) {
          coincidences.add(row, isCoincident: startsWithBuffer(start))
        }
      }
      before = newest(row, times)
    }
    for row in coincidences.waits { hasPaused[Int(row)] = false }
  }

  /// Frames that may have been started by a buffer that came free, or by chance then.
  private struct Coincidences {
    private var rows: [Int32] = []
    private var others = 0

    mutating func add(_ row: Int, isCoincident: Bool) {
      if isCoincident { rows.append(Int32(row)) } else { others += 1 }
    }

    /// The rows of frames that waited. Starts that have nothing to do with buffers come within a
    /// quarter of an interval of one in three times of ten; where most do not, none waited.
    var waits: [Int32] { rows.count < others && rows.count + others >= 10 ? [] : rows }
  }

  /// The newest app interval of a frame.
  private func newest(_ row: Int, _ times: StageTimes) -> Before? {
    guard let oldest = times.appStart else { return nil }
    let own = stages.app(row)
    let end = StageTimes.later(times.appEnd ?? times.commit, own?.upperBound)
    return Before(start: max(oldest, own?.lowerBound ?? oldest), end: end)
  }

  /// Whether an app started more than a quarter of an interval after it could have.
  private func isPause(_ times: StageTimes, _ start: Timestamp, _ before: Before) -> Bool {
    guard let end = before.end else { return false }
    let interval = grid.interval(at: start)
    if let blocked = times.blocked, blocked.length > interval / 4 { return false }
    return start - end > interval / 4
  }

  /// Whether a frame starts within a quarter of an interval after a buffer came free.
  private func startsWithBuffer(_ start: Timestamp) -> Bool {
    let interval = grid.interval(at: start)
    guard let free = freed?.last(by: start + interval / 16) else { return false }
    return start - free <= interval / 4
  }

  /// Whether a frame took too long, or came too soon after the one before, to have kept the
  /// display's rate by itself: any other that starts as a buffer comes free does so by chance.
  private func mayHaveWaited(_ times: StageTimes, _ start: Timestamp, _ before: Before) -> Bool {
    guard freed != nil else { return false }
    let interval = grid.interval(at: start)
    let finished = times.queued ?? times.commit
    if let finished, finished - start > interval { return true }
    return start - before.start <= interval * 17 / 16
  }
}

/// When buffers of a surface came free, in order: when they were released, else when the frame in
/// them was swapped out.
private struct FreedBuffers {
  private let times: [Timestamp]

  init(_ schedule: FrameSchedule, _ frames: Table<FrameColumn>) {
    let rows = schedule.order.rows
    // What is swapped in takes the place of the frame before.
    let freed = zip(rows, rows.dropFirst()).compactMap { row, next in
      frames.time(Int(row), .released) ?? schedule.shownTime(Int(next))
    }
    let isInOrder = zip(freed, freed.dropFirst()).allSatisfy { $0 <= $1 }
    times = isInOrder ? freed : freed.sorted()
  }

  /// The last time at or before another one at which a buffer came free; `nil` where none did.
  func last(by time: Timestamp) -> Timestamp? {
    let place = times.boundary { $0 > time }
    return place == 0 ? nil : times[place - 1]
  }
}

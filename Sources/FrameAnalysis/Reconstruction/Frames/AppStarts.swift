import FrameStatistics
import FrameTrace

/// How the app started on the frames of a surface: how long after the previous frame, and whether
/// it had paused in between.
struct AppStarts {
  /// For each frame whether the app is known to have rested before it.
  private(set) var hasPaused: [Bool]
  /// The rows of frames before which the app waited in the present call or for a buffer, if the source does not record
  /// the GPU's work for the previous frame. The app may have waited for a refresh, or for a limiter, which is a pause.
  private(set) var doubtful: [Int32] = []
  /// For each frame, whether the app finished its work on the previous one well before, regardless of what it may then
  /// have waited for.
  private(set) var hadTime: [Bool]
  /// For each frame, how long the app worked on the previously started frame; `nil` if unknown.
  private(set) var workBefore: CompactOptionals<Nanoseconds>
  /// For each frame, the time from A0 of the previously started frame to its A0; `nil` if either is unknown, for the
  /// first frame, or if there is a rest in between.
  private(set) var steps: CompactOptionals<Nanoseconds>

  /// The number of known steps, and their median; `nil` without any.
  private(set) var stepCount = 0
  private(set) var usualStep: Nanoseconds?

  private let stages: FrameStages
  private let schedule: FrameSchedule
  private let freed: FreedBuffers?
  /// Whether frames start as regularly as a clock that is slower than the display, and have time to spare.
  private(set) var keepsClock = false
  /// Whether frames do so, but the source does not record whether the GPU had time to spare, and the app waited before
  /// most frames.
  private(set) var mayKeepClock = false
  private var grid: RefreshGrid { schedule.grid }

  /// The previously started frame.
  private struct Before {
    var start: Timestamp
    /// When the app finished its work on the frame.
    var end: Timestamp?
    /// When the present call returned; `nil` if no present call is known to follow the work.
    var returned: Timestamp?
  }

  init(_ schedule: FrameSchedule, _ frames: Table<FrameColumn>, _ stages: FrameStages) {
    self.schedule = schedule
    self.stages = stages
    hasPaused = Array(repeating: false, count: stages.count)
    hadTime = hasPaused
    steps = CompactOptionals(missing: stages.count)
    workBefore = CompactOptionals(missing: stages.count)
    freed = schedule.isFree ? FreedBuffers(schedule, frames) : nil
    guard schedule.evidence.shows(.appStart) else { return }
    visit { starts, row, _, start, before, isAfterRest in
      if !isAfterRest, start > before.start { starts.steps[row] = start - before.start }
    }
    let known = Array(steps.known)
    (stepCount, usualStep) = (known.count, known.median)
    let found = schedule.isFree ? clock() : (isRegular: false, isLight: nil)
    keepsClock = found.isRegular && found.isLight == true
    visit { starts, row, times, start, before, _ in
      if let end = before.end, start > end {
        let interval = starts.grid.interval(at: start)
        starts.hadTime[row] = Self.hadTime(times, start, since: end, interval)
        if starts.hadTime[row] {
          let isPause = starts.isPause(times, start, before, interval)
          starts.hasPaused[row] = isPause ?? false
          if isPause == nil { starts.doubtful.append(Int32(row)) }
        }
      }
      starts.workBefore[row] = before.end.map { $0 - before.start }
    }
    let waited = hadTime.indices.count { hadTime[$0] && !hasPaused[$0] }
    mayKeepClock = found.isRegular && found.isLight == nil && waited * 2 > stepCount
  }

  /// Calls a closure for each frame that starts after another frame, with that other frame.
  private mutating func visit(
    _ body: (inout AppStarts, Int, StageTimes, Timestamp, Before, _ isAfterRest: Bool) -> Void
  ) {
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
      if let before { body(&self, row, times, start, before, isAfterRest) }
      before = newest(row, times)
    }
  }

  /// The newest app interval of a frame. In a chain that runs freely, the present call is the time that follows the
  /// hand-over.
  private func newest(_ row: Int, _ times: StageTimes) -> Before? {
    guard let oldest = times.appStart else { return nil }
    let own = stages.app(row)
    let start = max(oldest, own?.lowerBound ?? oldest)
    let end = StageTimes.later(times.appEnd ?? times.commit, own?.upperBound)
    guard schedule.isFree, let commit = times.commit, let end, commit < end else {
      return Before(start: start, end: end)
    }
    return Before(start: start, end: commit, returned: end)
  }

  /// Whether an app started more than a quarter of an interval after finishing its work on the previous frame.
  private static func hadTime(
    _ times: StageTimes, _ start: Timestamp, since end: Timestamp, _ interval: Nanoseconds
  ) -> Bool {
    if let blocked = times.blocked, blocked.length > interval / 4 { return false }
    return start - end > interval / 4
  }

  /// The starts under the assumption that the app paused before each doubtful frame.
  func assumingPauses() -> AppStarts {
    var starts = self
    for row in doubtful { starts.hasPaused[Int(row)] = true }
    starts.doubtful = []
    return starts
  }

  /// Whether an app that had time paused before the frame: it started more than a quarter of an interval later than it
  /// could have. If the frame could not have kept the display's rate by itself, the app could start only after the
  /// present call returned and a buffer became free. Any other late start is a coincidence, or a limiter waits in the
  /// call.
  /// - Returns: `nil` if this depends on GPU work that the source does not record.
  private func isPause(
    _ times: StageTimes, _ start: Timestamp, _ before: Before, _ interval: Nanoseconds
  ) -> Bool? {
    guard schedule.isFree else { return true }
    let mayHaveWaited = mayHaveWaited(times, start, before, interval)
    if mayHaveWaited == false || !startedAtOnce(start, before, interval) { return true }
    return mayHaveWaited.map { !$0 }
  }

  /// Whether an app started right after a long present call returned, or a buffer became free.
  private func startedAtOnce(
    _ start: Timestamp, _ before: Before, _ interval: Nanoseconds
  ) -> Bool {
    if let returned = before.returned, let end = before.end, start - returned <= interval / 4,
      returned - end > grid.interval(at: returned) / 16
    {
      return true
    }
    guard let freed = freed?.last(by: start + interval / 16) else { return false }
    return start - freed <= interval / 4
  }

  /// Whether a frame took too long, or arrived too soon after the previous one, to have kept the display's rate by
  /// itself; `nil` if this depends on GPU work that the source does not record.
  private func mayHaveWaited(
    _ times: StageTimes, _ start: Timestamp, _ before: Before, _ interval: Nanoseconds
  ) -> Bool? {
    if !keepsClock, start - before.start <= interval * 17 / 16 { return true }
    let isEnough = isEnough(times, interval)
    return isEnough == nil && schedule.evidence.statesDerivation ? nil : isEnough == false
  }

  /// Whether nine in ten frames start at a distance longer than the display's interval, and whether most frames are
  /// known to have needed less than that interval. Then the distance is set by a limiter, not by the work on the
  /// frames.
  private func clock() -> (isRegular: Bool, isLight: Bool?) {
    var regular = 0
    var (known, light) = (0, 0)
    guard let rate = usualStep else { return (false, nil) }
    var pace = LimiterPace(rate)
    var counted = 0
    for row in steps.indices {
      guard let step = steps[row], let start = stages.appStart(row) else { continue }
      let refresh = grid.interval(at: start)
      let times = stages[row]
      if times.gpuLoad != nil || (schedule.evidence.measuresStarts && times.queued != nil) {
        known += 1
        if isEnough(times, refresh) == true { light += 1 }
      }
      guard pace.counts(step) else { continue }
      counted += 1
      if pace.isKept(by: step), LimiterPace.isSlower(rate, than: refresh) { regular += 1 }
      // Regardless of what follows, fewer than nine in ten will be regular.
      if (counted - regular) * 10 > stepCount { return (false, nil) }
    }
    return (
      LimiterPace.isShown(by: regular, of: counted, among: stepCount),
      known * 2 >= stepCount ? light * 2 > known : nil
    )
  }

  /// Whether a frame could have kept the display's rate by itself; `nil` where that is not known.
  private func isEnough(_ times: StageTimes, _ interval: Nanoseconds) -> Bool? {
    if schedule.evidence.measuresStarts { return Self.isShort(times, interval) }
    // If a source uses the end of one frame as the start of the next, the sum of both loads is latency, not load.
    guard let app = times.appTime else { return Self.isShort(times, interval) }
    if GPULoads.isHeavy(app, interval) { return false }
    guard let gpu = times.gpuLoad else {
      return schedule.evidence.statesDerivation ? nil : Self.isShort(times, interval)
    }
    return !GPULoads.isHeavy(gpu, interval)
  }

  /// Whether a frame is finished within an interval of its start.
  private static func isShort(_ times: StageTimes, _ interval: Nanoseconds) -> Bool? {
    guard let start = times.appStart, let end = times.queued ?? times.commit else { return nil }
    return end - start <= interval
  }
}

/// When buffers of a surface became free, in order: when the frames in them were swapped out, and when they were
/// released, which a program may learn late.
private struct FreedBuffers {
  private let times: [Timestamp]

  init(_ schedule: FrameSchedule, _ frames: Table<FrameColumn>) {
    let rows = schedule.order.rows
    // A frame that is swapped in replaces the previous one.
    var freed = rows.dropFirst().compactMap { schedule.shownTime(Int($0)) }
    if frames.has(.released) { freed += rows.compactMap { frames.time(Int($0), .released) } }
    let isInOrder = zip(freed, freed.dropFirst()).allSatisfy { $0 <= $1 }
    times = isInOrder ? freed : freed.sorted()
  }

  /// The last time, no later than a given time, at which a buffer became free; `nil` if none did.
  func last(by time: Timestamp) -> Timestamp? {
    let position = times.partitioningIndex { $0 > time }
    return position == 0 ? nil : times[position - 1]
  }
}

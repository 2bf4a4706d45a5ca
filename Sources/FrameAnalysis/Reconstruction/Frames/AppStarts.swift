import FrameStatistics
import FrameTrace

/// How the app started on the frames of a surface: how long after the previous frame, and whether
/// it had paused in between.
struct AppStarts {
  /// For each frame whether the app is known to have rested before it.
  private(set) var hasPaused: [Bool]
  /// For each frame, whether the app finished its work on the previous one well before, whatever it
  /// may then have waited for.
  private(set) var hadTime: [Bool]
  /// For each frame how long the app worked on the one started before it; `nil` where that is not known.
  private(set) var workBefore: CompactOptionals<Nanoseconds>
  /// For each frame, the time from A0 of the previously started frame to its A0; `nil` where either
  /// is unknown, for the first frame, or if a rest lies between.
  private(set) var steps: CompactOptionals<Nanoseconds>

  /// How many of the steps are known, and their median; `nil` without any.
  private(set) var stepCount = 0
  private(set) var usualStep: Nanoseconds?

  private let stages: FrameStages
  private let schedule: FrameSchedule
  private let freed: FreedBuffers?
  /// Whether frames start as regularly as a clock that is slightly slower than the display, and the GPU has time to spare.
  private let keepsClock: Bool
  private var grid: RefreshGrid { schedule.grid }

  /// The frame started before.
  private struct Before {
    var start: Timestamp
    /// When the app was done with its work on it.
    var end: Timestamp?
    /// When the present call returned; `nil` where none is known to follow the work.
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
    keepsClock = schedule.isFree && Self.keepsClock(schedule, stages)
    guard frames.has(.appStart) else { return }
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
        if let end = before.end, start > end {
          let interval = grid.interval(at: start)
          hadTime[row] = Self.hadTime(times, start, since: end, interval)
          hasPaused[row] = hadTime[row] && isPause(times, start, before, interval)
        }
        workBefore[row] = before.end.map { $0 - before.start }
      }
      before = newest(row, times)
    }
    let known = Array(steps.known)
    (stepCount, usualStep) = (known.count, known.median)
  }

  /// The newest app interval of a frame. In a chain that runs freely, the present call is what
  /// follows the hand-over.
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

  /// Whether an app started more than a quarter of an interval after its work on the frame before.
  private static func hadTime(
    _ times: StageTimes, _ start: Timestamp, since end: Timestamp, _ interval: Nanoseconds
  ) -> Bool {
    if let blocked = times.blocked, blocked.length > interval / 4 { return false }
    return start - end > interval / 4
  }

  /// Whether an app that had time paused before the frame: it started more than a quarter of an
  /// interval after it could have. Where the frame could not have kept the display's rate by
  /// itself, the app could start only after the present call returned and a buffer became free. Any
  /// other late start is a coincidence, or a limiter waits in the call.
  private func isPause(
    _ times: StageTimes, _ start: Timestamp, _ before: Before, _ interval: Nanoseconds
  ) -> Bool {
    guard schedule.isFree, mayHaveWaited(times, start, before, interval) else { return true }
    if let returned = before.returned, let end = before.end, start - returned <= interval / 4,
      returned - end > grid.interval(at: returned) / 16
    {
      // The call took a while.
      return false
    }
    guard let freed = freed?.last(by: start + interval / 16) else { return true }
    return start - freed > interval / 4
  }

  /// Whether a frame took too long, or came too soon after the previous one, to have kept the
  /// display's rate by itself.
  private func mayHaveWaited(
    _ times: StageTimes, _ start: Timestamp, _ before: Before, _ interval: Nanoseconds
  ) -> Bool {
    if !keepsClock, start - before.start <= interval * 17 / 16 { return true }
    let isEnough = schedule.measuresStarts ? Self.isShort : Self.isLight
    return isEnough(times, interval) == false
  }

  /// Whether nine in ten frames start at a distance that is longer than the display's interval by at most a sixteenth, and
  /// the GPU usually works for less than fifteen sixteenths of it. Frames that wait for refreshes start a whole number of
  /// these apart.
  private static func keepsClock(_ schedule: FrameSchedule, _ stages: FrameStages) -> Bool {
    var steps: [FrameStep] = []
    var loads: [Double] = []
    var before: Timestamp?
    for row in 0..<stages.count where !stages.isGenerated(row) {
      guard let start = stages.appStart(row) else { continue }
      if let before, start > before, start - before <= SurfaceStops.shortest {
        let refresh = schedule.grid.interval(at: start)
        let load = stages[row].gpuLoad
        if let load { loads.append(load.seconds / refresh.seconds) }
        steps.append(FrameStep(length: start - before, refresh: refresh, gpuLoad: load ?? .zero))
      }
      before = start
    }
    guard let rate = steps.map(\.length).median,
      loads.sorted().medianOfSorted ?? 0 <= 15 / 16
    else { return false }
    var pace = LimiterPace(rate)
    let counted = steps.filter { pace.counts($0.length) }
    let kept = counted.count { step in
      pace.isKept(by: step.length) && LimiterPace.isSlower(rate, than: step.refresh)
        && rate * 16 <= step.refresh * 17
    }
    return LimiterPace.isShown(by: kept, of: counted.count, among: steps.count)
  }

  /// Whether a frame is finished within an interval of its start.
  private static func isShort(_ times: StageTimes, _ interval: Nanoseconds) -> Bool? {
    guard let start = times.appStart, let end = times.queued ?? times.commit else { return nil }
    return end - start <= interval
  }

  /// Whether neither CPU nor GPU needs all of an interval: where a source takes the end of one frame for the start of
  /// the next, the sum of both is latency, and no load.
  private static func isLight(_ times: StageTimes, _ interval: Nanoseconds) -> Bool? {
    guard let app = times.appTime, let gpu = times.gpuLoad else { return isShort(times, interval) }
    return max(app, gpu) * 16 <= interval * 15
  }
}

/// When buffers of a surface came free, in order: when the frames in them were swapped out, and when they were released,
/// which a program may hear of late.
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

  /// The last time at or before another one at which a buffer came free; `nil` where none did.
  func last(by time: Timestamp) -> Timestamp? {
    let place = times.partitioningIndex { $0 > time }
    return place == 0 ? nil : times[place - 1]
  }
}

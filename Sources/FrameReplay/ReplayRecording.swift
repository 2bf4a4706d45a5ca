import FrameAnalysis
import FrameTrace

/// Why a trace cannot be replayed, or not under some condition.
public struct ReplayRefusal: Error, Hashable, Sendable {
  /// What is missing, in one line.
  public let message: String
}

/// What a recording says of a surface's work: how long each stage took, what started it, and under which conditions.
struct ReplayRecording {
  let measured: MeasuredSurface
  let rebuilt: RebuiltSurface
  /// The work in the order in which the app did it.
  var work: [ReplayedWork] = []
  /// The pipeline as it was recorded.
  var simulator: ReplaySimulator
  /// Whether the source states when most frames waited for a buffer.
  private(set) var statesWaits = false
  /// Other explanations that fit the recording as well.
  var alternatives: [ReplayExplanation] = []
  /// How many frames lack the times that it takes to play them again.
  private(set) var missing = 0
  /// How many frames a driver made, which are left out.
  private(set) var generated = 0
  /// How many frames came later than the model knows a reason for; their delay is played again.
  var heldBack = 0
  /// Whether any frame was taken as soon as it was committed.
  let hasLowLatency: Bool
  /// Which stages have times of their own.
  private(set) var stages: Set<ReplayConditions.Stage> = []

  var schedule: FrameSchedule { rebuilt.timeline.schedule }
  private var trace: Trace { measured.pipeline.trace }
  private var frames: Table<FrameColumn> { measured.surface.frames }

  /// Of this share of the frames, at least, the times have to be known.
  private static let leastKnown = 0.8
  /// Fewer frames are no recording of a pipeline at work.
  private static let fewest = 10

  init(_ measured: MeasuredSurface) throws(ReplayRefusal) {
    guard let rebuilt = measured.rebuilt else {
      throw ReplayRefusal(message: "the pipeline was not rebuilt")
    }
    self.measured = measured
    self.rebuilt = rebuilt
    hasLowLatency = (0..<measured.surface.frames.count).contains {
      measured.surface.frames[$0, .mode] == FrameColumn.Mode.lowLatency.rawValue
    }
    let schedule = rebuilt.timeline.schedule
    guard schedule.hasDisplayed else {
      throw ReplayRefusal(message: "no frame has a display time")
    }
    guard schedule.hasInterval || schedule.isVariable else {
      throw ReplayRefusal(
        message: "no fixed refresh was found, so nothing tells when frames could be shown")
    }
    simulator = ReplaySimulator(
      chain: Self.chain(rebuilt, measured), refreshes: ReplayRefreshes(schedule.grid))
    simulator.startsAtRecordedTimes =
      simulator.chain != .free && !measured.surface.frames.has(.appStart)
    read()
    guard work.count >= Self.fewest else {
      throw ReplayRefusal(
        message:
          "\(work.count) frames have the times of the app's work and of their display, \(Self.fewest) are needed"
      )
    }
    guard Double(work.count) >= Self.leastKnown * Double(work.count + missing) else {
      throw ReplayRefusal(
        message:
          "\(missing) of \(work.count + missing) frames lack when the app worked on them or when they were shown"
      )
    }
    // Times are added up, scaled by up to a hundred, and have to stay within 64 bits.
    guard work.reduce(0.0, { $0 + $1.length }) < Self.longest else {
      throw ReplayRefusal(
        message: "stages of \(work.count) frames take years, which no display has shown")
    }
    findConditions()
  }

  /// The longest that all stages of all frames may take, in nanoseconds: 110 days.
  private static let longest = 1e16

  private static func chain(
    _ rebuilt: RebuiltSurface, _ measured: MeasuredSurface
  ) -> ReplaySimulator.Chain {
    if rebuilt.timeline.schedule.isFree { return .free }
    guard measured.surface.isFilledByApp else { return .compositor }
    return .app(isComposited: measured.surface.frames.has(.compositorStart))
  }

  /// Whether a frame was shown, or takes part although it never was.
  private var hasReplaced: Bool { measured.outcomes.replaced + measured.outcomes.discarded > 0 }
}

extension ReplayRefreshes {
  init(_ grid: RefreshGrid) {
    let known = grid.known
    self.init(
      numbers: known.numbers, times: known.times.map(\.nanoseconds), before: known.before.count,
      after: known.after.count)
  }
}

extension ReplayRecording {
  /// What is known while the frames are read one after the other.
  private struct Before {
    var appEnd = Int64.min
    var refresh: Int64?
    var demand: Int64?
    var gpuEnd = Int64.min
    var compositorEnd: Timestamp?
  }

  private mutating func read() {
    let intervals = AppIntervals(trace, rebuilt.timeline)
    var before = Before()
    let pace = pace
    var waits = 0
    work.reserveCapacity(frames.count)
    for row in 0..<frames.count {
      let times = rebuilt.timeline.stages[row]
      guard !rebuilt.timeline.stages.isGenerated(row) else {
        generated += 1
        continue
      }
      let isShown = schedule.displayed[row] != nil
      if times.blocked != nil { waits += 1 }
      let started = times.appStart ?? times.commit
      guard let commit = times.commit ?? times.appEnd, let start = started, start <= commit,
        isShown || hasReplaced
      else {
        missing += 1
        continue
      }
      let own =
        intervals.all(row) ?? [
          AppIntervals.Interval(
            start: start, end: max(times.appEnd ?? commit, commit), commits: [commit],
            animates: false)
        ]
      for interval in own {
        var item = ReplayedWork(row: row)
        readApp(&item, interval, times, &before, pace: pace)
        readRest(&item, times, row, interval, before.compositorEnd)
        work.append(item)
      }
      readGPU(times, own.count, &before)
      note(times)
      before.compositorEnd = StageTimes.later(before.compositorEnd, times.compositorEnd)
    }
    statesWaits = simulator.chain == .free && waits * 2 >= frames.count
  }

  /// How many refreshes lie between starts of an app that keeps a rate.
  private var pace: Int64 {
    guard let cadence = schedule.cadence, schedule.hasInterval else { return 1 }
    return max(
      1, Int64((cadence.interval.milliseconds / schedule.grid.interval.milliseconds).rounded()))
  }

  private mutating func note(_ times: StageTimes) {
    if times.appStart != nil { stages.insert(.app) }
    if times.compositorStart != nil, times.compositorEnd != nil { stages.insert(.compositor) }
    if times.gpuStart != nil, times.gpuEnd != nil { stages.insert(.gpu) }
  }

  private func readApp(
    _ item: inout ReplayedWork, _ interval: AppIntervals.Interval, _ times: StageTimes,
    _ before: inout Before, pace: Int64
  ) {
    let start = interval.start.nanoseconds
    let commit = (interval.commits.last ?? interval.end).nanoseconds
    let end = max(interval.end.nanoseconds, commit)
    let blocked = times.blocked.map { blocked in
      max(
        0, min(blocked.upperBound.nanoseconds, commit) - max(blocked.lowerBound.nanoseconds, start))
    }
    item.app = max(0, commit - start - (blocked ?? 0))
    item.call = end - commit
    item.earlierCommits = interval.commits.dropLast().map { commit - $0.nanoseconds }
    item.animates =
      interval.animates || (simulator.chain == .compositor && !times.isLowLatency && hasLowLatency)
    let slack = slack(at: interval.start)
    let refresh = starter(of: interval.start)
    item.offset = start - simulator.refreshes.time(refresh)
    if simulator.startsAtRecordedTimes {
      item.demand = refresh
    } else if simulator.chain == .free {
      item.demand = refresh
      item.pause = before.appEnd == .min ? 0 : max(0, start - before.appEnd)
    } else {
      // Whoever starts as soon as it can may have had something to draw for longer.
      var soonest = Int64.min
      if let last = before.refresh {
        soonest = max(last + 1, simulator.refreshes.first(before.appEnd - item.offset))
        item.startsWhenFree =
          item.offset > 2 * slack && start >= before.appEnd && start - before.appEnd <= slack
        if item.startsWhenFree { soonest = refresh }
      }
      if let demand = before.demand, refresh <= soonest {
        item.demand = min(refresh, demand + pace)
        if item.startsWhenFree { item.offset = 0 }
      } else {
        item.demand = refresh
      }
      (before.refresh, before.demand) = (refresh, item.demand)
    }
    before.appEnd = end
  }

  /// By how much times that a refresh starts may lie before it: clocks and wake-ups are not exact.
  private func slack(at time: Timestamp) -> Int64 { schedule.grid.interval(at: time).count / 16 }

  /// The refresh that starts what starts at a time.
  private func starter(of time: Timestamp) -> Int64 {
    simulator.refreshes.last(time.nanoseconds + slack(at: time))
  }

  private func readRest(
    _ item: inout ReplayedWork, _ times: StageTimes, _ row: Int, _ interval: AppIntervals.Interval,
    _ before: Timestamp?
  ) {
    if let start = times.compositorStart, let end = times.compositorEnd {
      item.compositor = max(0, (end - start).count)
      item.delaySinceCommit = times.commit.map { max(0, (start - max($0, before ?? $0)).count) }
      item.compositorDelay =
        times.isLowLatency
        ? item.delaySinceCommit ?? 0
        : start.nanoseconds - simulator.refreshes.time(starter(of: start))
    }
    item.release = release(row)
    if rebuilt.timeline.hasExpected(row), let due = schedule.due[row] {
      item.due = due.number - starter(of: interval.start)
    }
  }

  /// When the buffer of a frame was free, by what may have freed it: what is free more than half an interval before the
  /// frame leaves the display was copied.
  private func release(_ row: Int) -> ReplayedWork.Release? {
    guard let released = rebuilt.timeline.released(row) else { return nil }
    let interval = schedule.grid.interval.count
    let swapOut = schedule.order.after[row].flatMap { schedule.displayed[$0] }
    let length = swapOut.map { released.nanoseconds - schedule.grid.time($0).nanoseconds }
    if let length, length * 2 >= -interval { return .afterSwapOut(length) }
    guard row + 1 < frames.count, let queued = rebuilt.timeline.stages[row + 1].queued else {
      return length.map { .afterSwapOut(max($0, -2 * interval)) }
    }
    return .afterHandOver(max(released.nanoseconds - queued.nanoseconds, -2 * interval))
  }

  /// The GPU's work beyond that of the frame before, and what comes after it.
  private mutating func readGPU(_ times: StageTimes, _ count: Int, _ before: inout Before) {
    let isDrawnByApp = simulator.chain != .compositor
    guard let ready = isDrawnByApp ? times.commit : times.compositorEnd ?? times.commit else {
      return
    }
    var (delay, length, overlap, finish): (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
    var end = ready.nanoseconds
    if let start = times.gpuStart?.nanoseconds, let gpuEnd = times.gpuEnd?.nanoseconds {
      if !isDrawnByApp, times.compositorEnd != nil { overlap = max(0, ready.nanoseconds - start) }
      let soonest = max(ready.nanoseconds - overlap, before.gpuEnd)
      delay = max(0, start - soonest)
      length = max(0, gpuEnd - soonest - delay)
      end = max(end, gpuEnd)
      before.gpuEnd = max(before.gpuEnd, gpuEnd)
    }
    if let queued = times.queued { finish = max(0, queued.nanoseconds - end) }
    var isTakenUnfinished = false
    if case .app(isComposited: true) = simulator.chain, let start = times.compositorStart {
      isTakenUnfinished = start.nanoseconds < end + finish
    }
    for place in work.indices.suffix(count) {
      (work[place].gpuDelay, work[place].gpu) = (delay, length)
      (work[place].gpuOverlap, work[place].finish) = (overlap, finish)
      work[place].isTakenUnfinished = isTakenUnfinished
    }
  }
}

/// The app intervals of frames whose commits a trace lists one by one.
private struct AppIntervals {
  struct Interval {
    let start, end: Timestamp
    /// In order; never empty.
    var commits: [Timestamp]
    var animates: Bool
  }

  private var byFrame: [Int: [Interval]] = [:]

  init(_ trace: Trace, _ timeline: SurfaceTimeline) {
    for row in timeline.commitRows.lazy.map(Int.init) {
      guard let frame = trace.commits[row, .frame].map(Int.init),
        let time = trace.commits.time(row, .time), let start = trace.commits.time(row, .appStart)
      else { continue }
      let animates = trace.commits[row, .animates] == 1
      let end = trace.commits.time(row, .appEnd) ?? time
      var own = byFrame[frame] ?? []
      if let place = own.firstIndex(where: { $0.start == start }) {
        own[place].commits.append(time)
        own[place].animates = own[place].animates || animates
      } else {
        own.append(Interval(start: start, end: end, commits: [time], animates: animates))
      }
      byFrame[frame] = own
    }
  }

  /// Those of a frame in order of time; `nil` where none is listed.
  func all(_ row: Int) -> [Interval]? {
    byFrame[row]?.map { interval in
      var interval = interval
      interval.commits.sort()
      return interval
    }.sorted { $0.start < $1.start }
  }
}

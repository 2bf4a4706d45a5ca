/// Tells the refresh each frame was due at: the one it makes when every stage keeps its
/// budget.
struct DueTimes {
  private let frames: Table<FrameColumn>
  private let stages: FrameStages
  private var schedule: FrameSchedule
  private let grid: RefreshGrid
  /// How far the source's own expected times are from the refreshes they stand for.
  private let expectedOffset: Int64
  /// Whether the source's numbers of refreshes are those of the grid.
  private let isNumbered: Bool

  /// Fills in the due refreshes of a schedule.
  static func fill(
    _ schedule: FrameSchedule, _ frames: Table<FrameColumn>, _ stages: FrameStages,
    isNumbered: Bool
  ) -> FrameSchedule {
    guard schedule.hasInterval else { return schedule }
    var due = DueTimes(schedule, frames, stages, isNumbered)
    due.fill()
    let others: [FrameColumn] = [.appStart, .commit, .queued, .gpuEnd, .compositorStart]
    if schedule.isFree, !others.contains(where: frames.has) {
      DisplayCadence.apply(to: &due.schedule)
    }
    return due.schedule
  }

  private init(
    _ schedule: FrameSchedule, _ frames: Table<FrameColumn>, _ stages: FrameStages,
    _ isNumbered: Bool
  ) {
    self.isNumbered = isNumbered
    self.schedule = schedule
    self.frames = frames
    self.stages = stages
    grid = schedule.grid
    let expected = (0..<frames.count).lazy.compactMap { frames[$0, .expectedDisplay] }
    expectedOffset =
      frames.has(.expectedDisplay) ? PanelOffset.find(expected, schedule.grid)?.offset ?? 0 : 0
  }

  private mutating func fill() {
    var before = FramesBefore()
    var rest = schedule.rowsAfterRest.makeIterator()
    var nextAfterRest = rest.next()
    let fates = frames.stored(.fate)
    var isBeforeKnown = true
    for row in 0..<frames.count {
      let isAfterRest = nextAfterRest == Int32(row)
      if isAfterRest { nextAfterRest = rest.next() }
      let times = stages[row]
      if !stages.isGenerated(row) {
        schedule.due[row] = due(row, times, before, isAfterRest: isAfterRest)
        let newest = stages.app(row).map { max($0.lowerBound, times.appStart ?? .min) }
        let start = newest ?? times.appStart
        before.started(times, at: start, refresh: start.map(startRefresh))
      }
      before.shown(schedule.displayed[row])
      // Behind a frame that was displayed nobody knows when, nothing tells what was repeated.
      if schedule.displayed[row] != FrameSchedule.none {
        if !isBeforeKnown { schedule.due[row] = FrameSchedule.none }
        isBeforeKnown = true
      } else if fates?[row] == FrameColumn.Fate.displayed.rawValue {
        isBeforeKnown = false
      }
    }
  }

  private mutating func due(
    _ row: Int, _ times: StageTimes, _ before: FramesBefore, isAfterRest: Bool
  ) -> Int64 {
    if let expected = frames[row, .expectedDisplay] {
      return grid.nearest(expected &- expectedOffset)
    }
    if schedule.isFree || (schedule.isVariable && !schedule.isRecorded) {
      return freeDue(times, before, isAfterRest: isAfterRest)
    }
    guard let start = start(row, times, before, isAfterRest: isAfterRest) else {
      return FrameSchedule.none
    }
    return start + (times.isLowLatency ? 1 : 2)
  }

  /// The last refresh at or before a start, which may come a little early.
  private func startRefresh(_ appStart: Int64) -> Int64 {
    grid.last(appStart &+ grid.interval / 16)
  }

  /// The refresh that started the app on a frame; `nil` when that is not known.
  private mutating func start(
    _ row: Int, _ times: StageTimes, _ before: FramesBefore, isAfterRest: Bool
  ) -> Int64? {
    if isNumbered, let stated = frames[row, .startRefresh], grid.holds(stated) { return stated }
    guard let appStart = times.appStart else { return nil }
    let refresh = startRefresh(appStart)
    let isCadence = !isAfterRest && before.keepsCadence(appStart, start: refresh, grid)
    if isCadence { schedule.cadenceRows.append(Int32(row)) }
    guard isAfterRest || isCadence else { return refresh }
    let isStartedBetween = appStart &- grid.time(refresh) > grid.interval(after: refresh) / 4
    return isStartedBetween ? refresh + 1 : refresh
  }

  /// The due refresh in a chain that runs freely: the one after that of the frame before,
  /// unless the app paused in between.
  private func freeDue(
    _ times: StageTimes, _ before: FramesBefore, isAfterRest: Bool
  ) -> Int64 {
    let next = before.lastShown.map { $0 + 1 }
    guard let appStart = times.appStart else {
      // After a rest only what is known of the frame itself tells when it could come.
      guard isAfterRest, let next else { return next ?? FrameSchedule.none }
      let soonest = times.earliest.map { grid.first($0 &+ grid.interval) }
      return soonest.map { max(next, $0) } ?? FrameSchedule.none
    }
    let inTime = grid.first(appStart &+ grid.interval)
    guard let next else { return inTime }
    guard let end = before.appEnd else { return next }
    let free = max(end, times.blocked?.upperBound ?? end)
    let hasPaused = appStart &- free > grid.interval / 4
    return hasPaused ? max(next, inTime) : next
  }
}

/// What due times need to know of the frames before.
private struct FramesBefore {
  /// The last refresh at which any was shown; `nil` before the first.
  private(set) var lastShown: Int64?
  /// A1 of the one started last.
  private(set) var appEnd: Int64?
  private var times: StageTimes?
  /// When the newest of its app intervals started, and the refresh that started it.
  private var appStart: Int64?
  private var start: Int64?

  mutating func started(_ times: StageTimes, at appStart: Int64?, refresh: Int64?) {
    self.times = times
    self.appStart = appStart
    start = refresh
    appEnd = times.appEnd ?? times.commit
  }

  mutating func shown(_ refresh: Int64) {
    if refresh != FrameSchedule.none { lastShown = max(lastShown ?? refresh, refresh) }
  }

  /// Whether a frame that starts at a refresh comes at least two behind the one before, and
  /// not because that one was busy.
  func keepsCadence(_ next: Int64, start refresh: Int64, _ grid: RefreshGrid) -> Bool {
    guard let start, let appStart, let times, refresh &- start >= 2 else { return false }
    let interval = grid.interval(after: start)
    guard next &- appStart >= 2 &* interval &- interval / 16 else { return false }
    guard let begin = times.appStart, let end = times.appEnd ?? times.commit else { return false }
    let budget = interval + grid.interval / 16
    let (compositor, gpu) = (times.compositorTime ?? 0, times.gpuTime ?? 0)
    // The GPU shares a budget with whoever draws.
    let app = times.isFilledByApp ? end &- begin &+ gpu : end &- begin
    let rendering = times.isFilledByApp ? compositor : compositor &+ gpu
    return app <= budget && rendering <= budget
  }
}

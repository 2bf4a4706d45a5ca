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
    if schedule.isFree, !frames.has(.appStart), !frames.has(.commit) {
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
    for row in 0..<frames.count {
      let isAfterRest = nextAfterRest == Int32(row)
      if isAfterRest { nextAfterRest = rest.next() }
      let times = stages[row]
      if !stages.isGenerated(row) {
        schedule.due[row] = due(row, times, before, isAfterRest: isAfterRest)
        let newest = stages.app(row).map { max($0.lowerBound, times.appStart ?? .min) }
        before.started(row, times, start: (newest ?? times.appStart).map(startRefresh))
      }
      before.shown(schedule.displayed[row])
    }
  }

  private mutating func due(
    _ row: Int, _ times: StageTimes, _ before: FramesBefore, isAfterRest: Bool
  ) -> Int64 {
    if let expected = frames[row, .expectedDisplay] {
      return grid.nearest(expected &- expectedOffset)
    }
    if schedule.isFree || schedule.isVariable { return freeDue(row, times, before) }
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
    if isNumbered, let stated = frames[row, .startRefresh] { return stated }
    guard let appStart = times.appStart else { return nil }
    let refresh = startRefresh(appStart)
    let isCadence = !isAfterRest && before.keepsCadence(start: refresh, grid)
    if isCadence { schedule.cadenceRows.append(Int32(row)) }
    guard isAfterRest || isCadence else { return refresh }
    let isStartedBetween = appStart &- grid.time(refresh) > grid.interval(after: refresh) / 4
    return isStartedBetween ? refresh + 1 : refresh
  }

  /// The due refresh in a chain that runs freely: the one after that of the frame before,
  /// unless the app paused in between.
  private func freeDue(_ row: Int, _ times: StageTimes, _ before: FramesBefore) -> Int64 {
    let next = before.lastShown.map { $0 + 1 }
    guard let appStart = times.appStart else { return next ?? FrameSchedule.none }
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
  /// The refresh that started the newest of its app intervals.
  private var start: Int64?

  mutating func started(_ row: Int, _ times: StageTimes, start: Int64?) {
    self.times = times
    self.start = start
    appEnd = times.appEnd ?? times.commit
  }

  mutating func shown(_ refresh: Int64) {
    if refresh != FrameSchedule.none { lastShown = max(lastShown ?? refresh, refresh) }
  }

  /// Whether a frame that starts at a refresh comes at least two behind the one before, and
  /// not because that one was busy.
  func keepsCadence(start refresh: Int64, _ grid: RefreshGrid) -> Bool {
    guard let start, let times, refresh - start >= 2 else { return false }
    let budget = grid.interval(after: start) + grid.interval / 16
    guard let begin = times.appStart, let end = times.appEnd ?? times.commit else { return false }
    return end - begin <= budget && (times.compositorTime ?? 0) <= budget
      && (times.gpuTime ?? 0) <= budget
  }
}

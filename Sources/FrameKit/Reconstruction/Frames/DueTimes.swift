/// Tells the refresh each frame was due at: the one it makes when every stage keeps its
/// budget.
struct DueTimes {
  private let frames: Table<FrameColumn>
  private let stages: FrameStages
  private var schedule: FrameSchedule
  private let grid: RefreshGrid
  /// How far the source's own expected times are from the refreshes they stand for.
  private let expectedOffset: Nanoseconds
  /// Whether the source's numbers of refreshes are those of the grid.
  private let isNumbered: Bool
  /// How the app started on frames; `nil` where no rule needs it.
  private let starts: AppStarts?
  private let kept: KeptRate?
  private var stated: StatedRate?
  /// How long frames of a chain that runs freely usually take; `nil` in any other.
  private let path: UsualPath?
  /// The rows of frames before which something was shown that the trace does not say.
  private var unknownBefore: Set<Int32> = []

  /// Fills in the due refreshes of a schedule.
  /// - Parameter keepingRate: Whether a lower rate that the surface keeps is one on purpose.
  static func fill(
    _ schedule: FrameSchedule, _ surface: Surface, _ stages: FrameStages, isNumbered: Bool,
    keepingRate: Bool = true
  ) -> FrameSchedule {
    guard schedule.hasInterval else { return schedule }
    var due = DueTimes(schedule, surface, stages, isNumbered, keepingRate)
    due.fill()
    if due.stated == nil, due.kept == nil, keepingRate { due.fillByDisplay() }
    due.schedule.forgiveGuesses()
    due.schedule.endRestsWhenDue()
    due.schedule.path = due.kept?.path ?? due.path
    return due.schedule
  }

  private init(
    _ schedule: FrameSchedule, _ surface: Surface, _ stages: FrameStages, _ isNumbered: Bool,
    _ keepingRate: Bool
  ) {
    self.isNumbered = isNumbered
    self.schedule = schedule
    self.stages = stages
    frames = surface.frames
    grid = schedule.grid
    let expected = (0..<frames.count).lazy.compactMap { surface.frames.time($0, .expectedDisplay) }
    expectedOffset =
      (frames.has(.expectedDisplay) ? PanelOffset.find(expected, schedule.grid)?.offset : nil)
      ?? .zero
    stated =
      schedule.isVariable
      ? nil : surface.targetInterval.map { StatedRate($0, schedule.grid) }
    let needsStarts = !schedule.isVariable && frames.has(.appStart)
    let starts = needsStarts ? AppStarts(schedule, frames, stages) : nil
    self.starts = starts
    kept =
      keepingRate && stated == nil
      ? starts.flatMap { KeptRate($0, schedule, surface.frames, stages) } : nil
    // With a rate that is stated, what usually lies between a step and the display is no fault.
    let hasOwnPath = schedule.isFree || stated != nil
    path = hasOwnPath ? Self.freePath(starts, schedule, stages) : nil
    if let stated {
      self.schedule.cadence = Cadence(source: .stated, interval: stated.interval, isInferred: false)
    } else if let kept {
      self.schedule.cadence = Cadence(
        source: .kept, interval: kept.interval, isInferred: kept.isOverBudget)
    }
  }

  /// The path of a chain that runs freely: over the frames before which the app paused, those that
  /// were finished within an interval first.
  private static func freePath(
    _ starts: AppStarts?, _ schedule: FrameSchedule, _ stages: FrameStages
  ) -> UsualPath {
    let paused = starts.map { starts in
      starts.hasPaused.indices.filter { starts.hasPaused[$0] }.map(Int32.init)
    }
    return UsualPath(schedule, stages, rows: paused ?? []) { times, interval in
      guard let start = times.appStart, let end = times.queued ?? times.commit else { return false }
      return end - start <= interval
    }
  }

  private mutating func fill() {
    var rest = schedule.rowsAfterRest.makeIterator()
    var nextAfterRest = rest.next()
    let fates = frames.stored(.fate)
    var isBeforeKnown = true
    for row in 0..<frames.count {
      let isAfterRest = nextAfterRest == Int32(row)
      if isAfterRest { nextAfterRest = rest.next() }
      if !stages.isGenerated(row) { fill(row, isAfterRest: isAfterRest) }
      // After a frame that was displayed nobody knows when, or that nobody recorded, nothing
      // tells what was repeated.
      if schedule.isAfterHole(row) { isBeforeKnown = false }
      if !isBeforeKnown {
        unknownBefore.insert(Int32(row))
        schedule.due[row] = nil
      }
      if schedule.displayed[row] != nil {
        isBeforeKnown = true
      } else if FrameColumn.Fate.hidesDisplay(fates?[row]) {
        isBeforeKnown = false
      }
    }
  }

  private mutating func fill(_ row: Int, isAfterRest: Bool) {
    let times = stages[row]
    let before = schedule.refreshBefore(row)
    let rate = stated?.due(
      shown: schedule.shownRefresh(row), before: before, isAfterRest: isAfterRest)
    if let expected = frames.time(row, .expectedDisplay) {
      schedule.due[row] = grid.nearest(expected - expectedOffset)
    } else if let rate {
      schedule.due[row] = rate
      schedule.cadenceRows.append(Int32(row))
    } else if let kept, let start = times.appStart {
      schedule.due[row] = kept.due(row, start: start, before: before)
      if kept.isKept(row, start: start) { schedule.cadenceRows.append(Int32(row)) }
    } else if schedule.isFree || (schedule.isVariable && !schedule.isRecorded) {
      schedule.due[row] = freeDue(row, times, before: before, isAfterRest: isAfterRest)
    } else if let start = startRefresh(row, times, isAfterRest: isAfterRest) {
      schedule.due[row] = start + (times.isLowLatency ? 1 : 2)
    }
  }

  /// The refresh that started the app on a frame; `nil` when that is not known.
  private func startRefresh(_ row: Int, _ times: StageTimes, isAfterRest: Bool) -> RefreshNumber? {
    if isNumbered, let stated = frames.refresh(row, .startRefresh), grid.holds(stated) {
      return stated
    }
    guard let appStart = times.appStart else { return nil }
    // The app may start a little early.
    let refresh = grid.last(appStart + grid.interval(at: appStart) / 16)
    guard isAfterRest else { return refresh }
    let isStartedBetween = appStart - grid.time(refresh) > grid.interval(after: refresh) / 4
    return isStartedBetween ? refresh + 1 : refresh
  }

  /// The due refresh in a chain that runs freely: the one after that of the frame before, unless
  /// the app paused in between.
  private func freeDue(
    _ row: Int, _ times: StageTimes, before: RefreshNumber?, isAfterRest: Bool
  ) -> RefreshNumber? {
    let next = before.map { $0 + 1 }
    guard let start = times.appStart else {
      // After a rest only what is known of the frame itself tells when it could come.
      guard isAfterRest, let next else { return next }
      let soonest = times.earliest.map { grid.first($0 + grid.interval(at: $0)) }
      return soonest.map { max(next, $0) }
    }
    let interval = grid.interval(at: start)
    let inTime = path?.due(startingAt: start, grid) ?? grid.first(start + interval / 16 * 15)
    guard let next else { return inTime }
    return starts?.hasPaused[row] ?? isAfterRest ? max(next, inTime) : next
  }
}

extension DueTimes {
  /// Fills in what display times alone tell: patterns of a lower rate, and freezes.
  fileprivate mutating func fillByDisplay() {
    guard schedule.isFree, !schedule.isVariable, showsNoRest else { return }
    let rows = schedule.order.rows
    let pattern = DisplayPattern(
      rows.compactMap { schedule.displayed[Int($0)] },
      gap: schedule.gaps(mayBeFreezes: isDisplayOnly))
    for place in rows.indices where !unknownBefore.contains(rows[place]) {
      if let due = pattern.due[place] { schedule.due[Int(rows[place])] = due }
    }
    let slow = pattern.stretches.filter(\.isSlow)
    for stretch in slow { schedule.cadenceRows += rows[stretch.places].dropFirst() }
    if let longest = slow.max(by: { $0.places.count < $1.places.count }),
      let first = schedule.displayed[Int(rows[longest.places.lowerBound])]
    {
      let refresh = Double(grid.interval(after: first).count)
      let interval = Nanoseconds(rounding: longest.distance * refresh)
      schedule.cadence = Cadence(source: .displayed, interval: interval, isInferred: true)
    }
    if isDisplayOnly { schedule.takeFreezes(pattern) }
  }

  private var isDisplayOnly: Bool {
    let stages: [FrameColumn] = [
      .appStart, .commit, .queued, .fenceSignalled, .gpuEnd, .compositorStart,
    ]
    return !stages.contains(where: frames.has)
  }

  /// Whether nothing tells the app's work from its rest: the trace has no start of it, and what it
  /// has of other stages keeps the budget; or its work is a limiter's sleep by all signs.
  private var showsNoRest: Bool {
    if frames.has(.appStart) { return stages.derivesStarts(schedule.holes) && isLimited }
    return !frames.has(.queued) && !frames.has(.gpuEnd) && !frames.has(.fenceSignalled)
      || isFinishedInTime
  }

  /// Whether nine in ten frames are finished within an interval of what is first known of them.
  private var isFinishedInTime: Bool {
    let inTime = (0..<stages.count).count { row in
      let times = stages[row]
      guard let start = times.earliest, let end = times.queued, end > start else { return false }
      return end - start <= grid.interval(at: start)
    }
    return inTime * 10 >= stages.count * 9
  }

  /// Whether nine in ten frames keep the app busy for a whole number of intervals, and hardly
  /// longer in the present call.
  private var isLimited: Bool {
    var (known, limited) = (0, 0)
    for row in 0..<stages.count where !stages.isGenerated(row) {
      let times = stages[row]
      guard let start = times.appStart, let commit = times.commit else { continue }
      known += 1
      let interval = grid.interval(at: start)
      let rest = (commit - start) % interval
      let present = (times.appEnd ?? commit) - commit
      if commit - start > interval / 2, min(rest, interval - rest) * 16 <= interval,
        present * 16 < interval
      {
        limited += 1
      }
    }
    return known > 0 && limited * 10 >= known * 9
  }
}

import FrameTrace

/// Determines the refresh at which each frame was due: the refresh that the frame reaches if every stage keeps its
/// budget.
struct DueTimes {
  private let frames: Table<FrameColumn>
  private let stages: FrameStages
  private var schedule: FrameSchedule
  private let grid: RefreshGrid
  /// When frames were expected on the display, and for how many refreshes the app requested them.
  private let expected: ColumnTimes
  private let syncIntervals: IntegerColumn
  /// How far the source's expected times are from the refreshes they represent.
  private let expectedOffset: Nanoseconds
  /// Whether the source's refresh numbers match those of the grid.
  private let isNumbered: Bool
  /// How the app started on frames; `nil` where no rule needs it.
  private let starts: AppStarts?
  private var kept: KeptRate?
  private var stated: StatedRate?
  /// How long frames of a chain that runs freely usually take; `nil` for any other chain.
  private let path: UsualPath?
  private let evidence: SurfaceEvidence
  /// The shortest time between refreshes of a display that waits for frames.
  private let shortest: Nanoseconds
  /// The rows of frames preceded by a display change that the trace does not record.
  private var unknownBefore: Set<Int32> = []

  /// Fills in the due refreshes of a schedule.
  /// - Parameter keepingRate: Whether a lower rate that the surface keeps counts as deliberate.
  static func fill(
    _ schedule: FrameSchedule, _ surface: Surface, _ stages: FrameStages, isNumbered: Bool,
    keepingRate: Bool = true
  ) -> FrameSchedule {
    guard schedule.hasInterval, schedule.isOnGrid else { return schedule }
    let needsStarts = !schedule.isVariable && stages.evidence.shows(.appStart)
    let starts = needsStarts ? AppStarts(schedule, surface.frames, stages) : nil
    let filled = { (starts: AppStarts?) in
      var due = DueTimes(schedule, surface, stages, starts, isNumbered, keepingRate)
      due.fillAll(keepingRate)
      return due.schedule
    }
    var schedule = filled(starts)
    guard keepingRate, schedule.unjudged == nil, let starts, !starts.doubtful.isEmpty else {
      return schedule
    }
    let other = filled(starts.assumingPauses())
    let dropped = { LateFrames($0).reduce(0) { $0 + $1.droppedCount } }
    if other.unjudged != nil || dropped(other) != dropped(schedule) {
      schedule.leaveUnjudged(other.unjudged ?? .waits(starts.doubtful.count))
    }
    return schedule
  }

  private mutating func fillAll(_ keepingRate: Bool) {
    let clock = keepingRate && stated == nil ? displayClock() : nil
    if clock != nil { (schedule.unjudged, schedule.cadence, kept) = (nil, nil, nil) }
    schedule.path = kept?.path ?? path
    schedule.isDueByPath =
      schedule.path == nil ? [] : Array(repeating: false, count: stages.count)
    if schedule.unjudged == nil { fill() }
    if let clock { fill(by: clock) }
    schedule.forgiveGuesses()
    schedule.endRestsWhenDue()
  }

  private init(
    _ schedule: FrameSchedule, _ surface: Surface, _ stages: FrameStages, _ starts: AppStarts?,
    _ isNumbered: Bool, _ keepingRate: Bool
  ) {
    self.isNumbered = isNumbered
    self.schedule = schedule
    self.stages = stages
    frames = surface.frames
    evidence = stages.evidence
    grid = schedule.grid
    self.expected = ColumnTimes(frames, .expectedDisplay)
    syncIntervals = frames.stored(.syncInterval) ?? IntegerColumn(missing: frames.count)
    shortest = schedule.isVariable ? schedule.shortestInterval : .zero
    let expected = (0..<frames.count).lazy.compactMap { surface.frames.time($0, .expectedDisplay) }
    expectedOffset =
      (evidence.shows(.expectedTime) ? PanelOffset.find(expected, schedule.grid)?.offset : nil)
      ?? .zero
    stated =
      schedule.isVariable
      ? nil : surface.targetInterval.map { StatedRate($0, schedule.grid) }
    self.starts = starts
    let rate =
      keepingRate && stated == nil
      ? starts.flatMap { KeptRate($0, schedule, stages) } : nil
    var unjudged: UnprovenDemand?
    if keepingRate, !evidence.shows(.targetRate), schedule.isFree {
      unjudged = starts.flatMap {
        UnprovenDemand($0, schedule, stages, keepsRate: rate != nil || $0.keepsClock)
      }
      if evidence.statesDerivation, !evidence.shows(.appStart),
        evidence.shows(.gpuEnd) || evidence.shows(.gpuTime)
      {
        unjudged = .unknownStarts
      }
    }
    self.schedule.unjudged = unjudged
    kept = unjudged == nil ? rate : nil
    // With a stated rate, the usual time between a step and the display does not count as a fault.
    let hasOwnPath = schedule.isFree || stated != nil
    path = hasOwnPath ? Self.freePath(starts, schedule, stages) : nil
    self.schedule.cadence = Self.cadence(stated, kept, surface.frames, schedule)
  }

  private static func cadence(
    _ stated: StatedRate?, _ kept: KeptRate?, _ frames: Table<FrameColumn>,
    _ schedule: FrameSchedule
  ) -> Cadence? {
    if let stated { return Cadence(source: .stated, interval: stated.interval, isInferred: false) }
    if let interval = DisplayChanges.syncInterval(frames), interval > 1 {
      return Cadence(
        source: .stated, interval: schedule.grid.interval * interval, isInferred: false)
    }
    return kept.map {
      Cadence(source: $0.source, interval: $0.interval, isInferred: $0.isInferred)
    }
  }

  /// The path of a chain that runs freely: computed from the frames before which the app paused, preferring those that
  /// were finished within an interval.
  private static func freePath(
    _ starts: AppStarts?, _ schedule: FrameSchedule, _ stages: FrameStages
  ) -> UsualPath {
    let paused = starts.map { starts in
      starts.hasPaused.indices.filter { starts.hasPaused[$0] }.map(Int32.init)
    }
    let quick = (0..<stages.count).filter { row in
      guard !stages.isGenerated(row), let shown = schedule.displayed[row],
        let before = schedule.refreshBefore(row)
      else { return false }
      return shown == before + 1
    }
    return UsualPath(
      schedule, stages, rows: paused ?? [], quick: quick.map(Int32.init),
      isInTime: UsualPath.isShort)
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
      // After a frame that was displayed at an unknown time or is missing from the recording, the
      // number of repeats is unknown.
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
    let before = schedule.refreshBefore(row)
    let rate = stated?.due(
      shown: schedule.shownRefresh(row), before: before, isAfterRest: isAfterRest)
    // For a frame in a stop that may be a rest, it is unknown when the frame was due.
    if schedule.stops.unjudgedRange(before: row) != nil || schedule.stops.isUnshown(row) { return }
    schedule.due[row] = due(row, before: before, rate: rate, isAfterRest: isAfterRest)
    guard let interval = syncIntervals[row], interval > 1, interval < 1 << 16 else { return }
    schedule.cadenceRows.append(Int32(row))
    if let before, let due = schedule.due[row] { schedule.due[row] = max(due, before + interval) }
  }

  private mutating func due(
    _ row: Int, before: RefreshNumber?, rate: RefreshNumber?, isAfterRest: Bool
  ) -> RefreshNumber? {
    if let expected = expected[row] {
      return grid.nearest(expected - expectedOffset)
    }
    if schedule.isVariable { return isAfterRest ? nil : variableDue(row) }
    if let rate {
      schedule.cadenceRows.append(Int32(row))
      schedule.isDueByPath[row] = true
      return rate
    }
    if let kept, let start = stages.appStart(row) {
      let isKept = kept.isKept(row, start: start)
      if isKept, schedule.cadence?.source != .stated { schedule.cadenceRows.append(Int32(row)) }
      schedule.isDueByPath[row] = kept.hasRested(row) || !schedule.isFree
      return kept.due(row, stages[row], start: start, before: ownRefresh(before: row))
    }
    if schedule.isFree { return freeDue(row, before: before, isAfterRest: isAfterRest) }
    let times = stages[row]
    return startRefresh(row, times, isAfterRest: isAfterRest)
      .map { $0 + (times.isLowLatency ? 1 : 2) }
  }

  /// The refresh at which the app's previous frame was displayed, ignoring generated frames.
  private func ownRefresh(before row: Int) -> RefreshNumber? {
    var position = schedule.order.before[row]
    while let generated = position, stages.isGenerated(generated) {
      position = schedule.order.before[generated]
    }
    return position.flatMap { schedule.displayed[$0] }
  }

  /// How many distances before a frame are used to find the usual distance on a display that waits for frames.
  private static let variableSample = 3...10

  /// The refresh at which a frame is due on a display that waits for frames: slightly after the
  /// usual distance from the previous frame.
  private func variableDue(_ row: Int) -> RefreshNumber? {
    guard schedule.isRecorded else { return nil }
    var distances: [Nanoseconds] = []
    var later = schedule.order.before[row]
    let shown = later.flatMap(schedule.shownTime)
    while let position = later, distances.count < Self.variableSample.upperBound,
      let before = schedule.order.before[position], let end = schedule.shownTime(position),
      let start = schedule.shownTime(before)
    {
      if end - start <= SurfaceRests.longestGap { distances.append(end - start) }
      later = before
    }
    guard let shown, distances.count >= Self.variableSample.lowerBound,
      let usual = distances.median
    else { return nil }
    return grid.first(shown + usual + shortest / 4)
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

  /// The due refresh in a chain that runs freely: the refresh after the previous frame's, unless
  /// the app paused in between.
  private mutating func freeDue(
    _ row: Int, before: RefreshNumber?, isAfterRest: Bool
  ) -> RefreshNumber? {
    let next = before.map { $0 + 1 }
    guard let start = stages.appStart(row) else {
      // After a rest, only the frame's first known time shows how early it could have come.
      guard isAfterRest, let next else { return next }
      let soonest = stages[row].earliest.map { grid.first($0 + grid.interval(at: $0)) }
      return soonest.map { max(next, $0) }
    }
    if let next, !(starts?.hasPaused[row] ?? isAfterRest) { return next }
    let interval = grid.interval(at: start)
    let inTime =
      path?.due(stages[row], startingAt: start, grid) ?? grid.first(start + interval / 16 * 15)
    guard let next else { return inTime }
    schedule.isDueByPath[row] = path != nil
    return max(next, inTime)
  }
}

extension DueTimes {
  /// The clock that displayed frames show, if nothing shows when the app rested, or if the app does not wait in present
  /// calls, the GPU has time to spare, and presents follow refreshes.
  fileprivate func displayClock() -> DisplayClock? {
    guard schedule.isFree, !schedule.isVariable else { return nil }
    // A limiter's late frames may be the frames of a clock that skips refreshes.
    let mayBeLimiter = kept?.source == .limited
    if schedule.unjudged != nil {
      guard case .rate(_, isGPUKnown: true, waits: false) = schedule.unjudged else { return nil }
    } else if !mayBeLimiter, kept != nil || !showsNoRest {
      return nil
    }
    let clock = DisplayClock(
      schedule.order.rows.compactMap { schedule.displayed[Int($0)] },
      gap: schedule.gaps(mayBeFreezes: lacksStarts), allowsLate: lacksStarts)
    let needsPhase = schedule.unjudged != nil || mayBeLimiter
    return !needsPhase || isPresented(by: clock) ? clock : nil
  }

  /// Whether an app presents according to a clock that follows refreshes, although the source records only when frames
  /// end. Two conditions must hold: nine in ten presents lie within an eighth of an interval of one phase of the
  /// refresh that is not its boundary; and the clock's distance, which four in five frames keep, is not a whole number
  /// of refreshes.
  private func isPresented(by clock: DisplayClock) -> Bool {
    let kept = clock.stretches.filter { !$0.clock.isWhole }
    guard kept.reduce(0, { $0 + $1.positions.count }) * 5 >= schedule.order.rows.count * 4,
      let phase = PanelOffset.find((0..<stages.count).lazy.compactMap { stages[$0].commit }, grid)
    else { return false }
    return phase.share >= 0.9 && phase.offset.magnitude * 16 > grid.interval
  }

  /// Fills in what display times show: clocks with a lower rate, and freezes.
  fileprivate mutating func fill(by clock: DisplayClock) {
    let rows = schedule.order.rows
    let keeping = clock.stretches.reduce(0) { $0 + $1.positions.count }
    if lacksStarts, let demand = unprovenDemand {
      if keeping * 2 < rows.count {
        schedule.leaveUnjudged(demand)
        return
      }
      for row in rows { schedule.due[Int(row)] = nil }
    }
    for position in rows.indices where !unknownBefore.contains(rows[position]) {
      if let due = clock.due[position] { schedule.due[Int(rows[position])] = due }
    }
    let overloads = clock.stretches.filter { isOverload($0, among: clock.stretches) }
    for position in overloads.flatMap({ $0.positions.dropFirst() }) {
      guard !unknownBefore.contains(rows[position]) else { continue }
      schedule.due[Int(rows[position])] = schedule.displayed[Int(rows[position - 1])].map { $0 + 1 }
    }
    let slow = clock.stretches.filter { stretch in
      stretch.isSlow && !overloads.contains { $0.positions == stretch.positions }
    }
    for stretch in slow { schedule.cadenceRows += rows[stretch.positions].dropFirst() }
    if let longest = slow.max(by: { $0.positions.count < $1.positions.count }),
      let first = schedule.displayed[Int(rows[longest.positions.lowerBound])]
    {
      let refresh = Double(grid.interval(after: first).count)
      let interval = Nanoseconds(rounding: longest.clock.mean * refresh)
      schedule.cadence = Cadence(source: .displayed, interval: interval, isInferred: true)
    }
    if lacksStarts { schedule.takeFreezes(clock) }
  }

  /// Why frames that keep no clock were not necessarily due at each refresh: they are irregular, or usually skip
  /// refreshes; `nil` if most frames follow one another without a break.
  private var unprovenDemand: UnprovenDemand? {
    let shown = schedule.order.rows.compactMap { schedule.displayed[Int($0)].map(grid.time) }
    let steps = zip(shown, shown.dropFirst()).compactMap { before, time in
      time > before && time - before <= SurfaceStops.shortest
        ? FrameStep(length: time - before, refresh: grid.interval(at: before), gpuLoad: .zero) : nil
    }
    guard steps.count >= KeptRate.fewestFrames, let distances = FrameDistances(steps) else {
      return nil
    }
    if distances.isIrregular { return .irregular }
    return distances.usual < 1.5
      ? nil : .rate(distances.mean, isGPUKnown: evidence.shows(.gpuTime), waits: false)
  }

  /// A stretch at a lower rate that is shorter than this is not deliberate if frames at every refresh are next to it.
  private static let shortestPurpose = Nanoseconds.seconds(2)
  /// The maximum number of frames between a stretch and the one next to it.
  private static let mostBetween = 8

  /// Whether a stretch at a lower rate is short, and frames came at every refresh directly before or after it.
  private func isOverload(
    _ slow: DisplayClock.Stretch, among stretches: [DisplayClock.Stretch]
  ) -> Bool {
    let rows = schedule.order.rows
    guard slow.isSlow, let first = schedule.displayed[Int(rows[slow.positions.lowerBound])],
      let last = schedule.displayed[Int(rows[slow.positions.upperBound])],
      grid.time(last) - grid.time(first) < Self.shortestPurpose
    else { return false }
    let afterRest = Set(schedule.rowsAfterRest)
    return stretches.contains { other in
      guard !other.isSlow, other.positions.count >= KeptRate.fewestFrames else { return false }
      let between =
        other.positions.upperBound <= slow.positions.lowerBound
        ? other.positions.upperBound..<slow.positions.lowerBound
        : slow.positions.upperBound..<max(slow.positions.upperBound, other.positions.lowerBound)
      return between.count <= Self.mostBetween
        && !between.contains { afterRest.contains(rows[$0 + 1]) }
    }
  }

  /// Whether the source does not record when the app began to work and therefore does not distinguish a rest from a
  /// freeze.
  private var lacksStarts: Bool { !evidence.shows(.appStart) }

  /// Whether the trace cannot distinguish the app's work from its rest: app starts are not recorded, and no load of the
  /// GPU explains a rate below the display's.
  private var showsNoRest: Bool { lacksStarts && !isGPUBusy }

  /// Whether the GPU is known to need more than an interval for most frames.
  private var isGPUBusy: Bool {
    guard evidence.shows(.gpuTime) else { return false }
    var loads = GPULoads()
    for row in 0..<stages.count {
      let times = stages[row]
      guard let start = times.earliest else { continue }
      loads.add(times.gpuLoad, grid.interval(at: start))
    }
    return loads.isKnown(of: stages.count) && loads.areHeavy
  }
}

import FrameStatistics
package import FrameTrace

/// At which refresh each frame of a surface was shown, and at which refresh it was due.
package struct FrameSchedule {
  /// The refreshes. If the display kept no interval, every nanosecond is a refresh, so that times remain unchanged.
  package let grid: RefreshGrid
  /// Whether the display kept an interval, so that refreshes can be counted.
  package let hasInterval: Bool
  /// For each frame the refresh at which it was swapped in; `nil` when it never was.
  package private(set) var displayed: CompactOptionals<RefreshNumber>
  /// For each frame, the row of the first frame displayed at or after it; `nil` if none was.
  package private(set) var shownBy: NearbyRows
  /// For each frame, the refresh at which it was due; `nil` if unknown.
  package var due: CompactOptionals<RefreshNumber>
  /// The frames in the order in which they were displayed.
  package private(set) var order: DisplayOrder
  /// When no frame was in progress.
  private var resting = SurfaceRests()
  /// The stretches of more than 500 ms without a new frame.
  let stops: SurfaceStops
  /// The time from start to start that most frames keep; `nil` where they keep none.
  private var step: Nanoseconds?
  /// The rows of frames before which the display froze: only display times are known, and they keep
  /// a rate on both sides or miss it by at least three refreshes.
  private(set) var rowsAfterFreeze: [Int32] = []
  /// The rows of frames that follow frames missing from the recording, in order.
  let holes: MissingFrames
  /// The lower rate that the surface deliberately keeps; `nil` when it keeps none.
  package var cadence: Cadence?
  /// The rows of frames that belong to the lower rate, including late ones, in order.
  var cadenceRows: [Int32] = []
  /// How long before the display time the steps of frames usually end, if that does not follow from their budgets.
  var path: UsualPath?
  /// For each frame whether it is due by that path; empty where none is.
  var isDueByPath: [Bool] = []
  /// Why no due times are known although refreshes are: a lower rate that cannot be judged; `nil` if the rate can be
  /// judged.
  var unjudged: UnprovenDemand?
  /// How well the display times fit the refreshes, if the refreshes were not found from display times.
  let gridFit: GridFit?
  /// How much later the trace's display times are than the refreshes that they represent.
  private let offset: Nanoseconds
  /// How long after its refresh a frame is displayed, unless the delay is a panel's: such frames are not even finished
  /// at their refresh.
  let shownDelay: Nanoseconds
  /// Whether due times follow only from earlier frames.
  package let isFree: Bool
  /// What the source shows of the facts that judgments rest on.
  package let evidence: SurfaceEvidence
  /// Whether the trace or the user states the rate that the surface aims at.
  let hasStatedRate: Bool
  /// Whether the display waits for frames.
  package let isVariable: Bool
  /// The shortest time between refreshes, as stated or otherwise observed.
  let shortestInterval: Nanoseconds
  /// Whether the trace recorded the refreshes themselves.
  let isRecorded: Bool
  /// The refreshes with estimated numbers, because the rate changed somewhere before them.
  private let guessed: Set<RefreshNumber>
  /// The refreshes that the trace says repeated a frame, in order.
  private let repeated: [RefreshNumber]

  /// Determines when frames were shown; `DueTimes` adds when frames were due.
  /// - Parameter touches: The rows of the surface's inputs.
  init(
    _ trace: Trace, surface: Int, _ stages: FrameStages, _ refreshes: DisplayRefreshes,
    touches: ArraySlice<Int32>
  ) {
    let frames = trace.surfaces[surface].frames
    (holes, evidence) = (stages.holes, stages.evidence)
    isFree = Self.isFree(trace, surface, evidence, touches)
    isVariable = refreshes.isVariable
    isRecorded = refreshes.isRecorded
    repeated = refreshes.repeated
    guessed = refreshes.guessed
    hasInterval = refreshes.grid != nil
    shortestInterval = refreshes.scanOutInterval ?? .zero
    let shown = ColumnTimes(frames, .displayed)
    let phase = SchedulePhase(shown, stages, refreshes, isFree: isFree)
    grid = phase.grid
    offset = phase.offset
    shownDelay = Self.isCausal(shown, stages, offset: phase.offset) ? .zero : phase.offset
    displayed = CompactOptionals(expecting: frames.count)
    for row in 0..<frames.count {
      // A refresh number is exact; a time only represents the nearest refresh.
      let stated = refreshes.isNumbered ? frames.refresh(row, .displayedRefresh) : nil
      if let stated, grid.holds(stated) {
        displayed.append(stated)
      } else {
        displayed.append(shown[row].map { phase.grid.nearest($0 - phase.offset) })
      }
    }
    due = CompactOptionals(missing: frames.count)
    hasStatedRate = trace.surfaces[surface].targetInterval != nil
    gridFit = phase.fit
    shownBy = Self.shownBy(displayed, frames)
    order = DisplayOrder(displayed, shownBy: shownBy)
    stops = SurfaceStops(
      frames, order: order.rows, displayed: { [displayed, grid] in displayed[$0].map(grid.time) },
      stages)
    if !stops.unshown.isEmpty {
      for row in stops.unshown { shownBy[Int(row)] = nil }
      order = DisplayOrder(displayed, shownBy: shownBy)
    }
    step = SurfaceRests.step(self, stages)
    resting = SurfaceRests(self, stages, step: step)
  }

  /// The time in which the surface was seen, from the first work on it to its last change.
  package var observed: Range<Timestamp>? { resting.observed }
  /// Stretches in which no frame was in progress, in order.
  package var rests: [Range<Timestamp>] { resting.ranges }
  /// The rows of the first frames after each rest, in order.
  var rowsAfterRest: [Int32] { resting.rowsAfter }

  /// Whether the frames match these refreshes, so that drops can be determined.
  var isOnGrid: Bool { gridFit?.isGood ?? true }

  /// Whether frames are missing from the recording before the frame in a row.
  func isAfterHole(_ row: Int) -> Bool { holes.isBefore(row) }

  /// The refresh of the frame displayed before the frame in a row, or before the frame that shows it; `nil` if there
  /// was none.
  func refreshBefore(_ row: Int) -> RefreshNumber? {
    guard let before = order.before[row] else { return nil }
    return displayed[before]
  }

  /// The refresh that a display time of the trace represents.
  func refresh(displayedAt time: Timestamp) -> RefreshNumber { grid.nearest(time - offset) }

  /// The time of the refresh at which a frame, or the frame that replaced it, was shown; `nil` if none was.
  package func shownTime(_ row: Int) -> Timestamp? {
    guard let refresh = shownRefresh(row) else { return nil }
    return displayTime(at: refresh)
  }

  /// When a frame that is swapped in at a refresh is displayed.
  package func displayTime(at refresh: RefreshNumber) -> Timestamp {
    grid.time(refresh) + shownDelay
  }

  /// The refresh at which a frame, or the frame that replaced it, was shown; `nil` if none was.
  package func shownRefresh(_ row: Int) -> RefreshNumber? {
    guard let shownBy = shownBy[row] else { return nil }
    return displayed[shownBy]
  }

  /// The refreshes of a range that repeated a frame, according to the trace.
  func repeated(in range: Range<RefreshNumber>) -> [Range<RefreshNumber>] {
    var found: [Range<RefreshNumber>] = []
    var position = repeated.partitioningIndex { $0 >= range.lowerBound }
    while position < repeated.count, repeated[position] < range.upperBound {
      let number = repeated[position]
      if let last = found.last, last.upperBound == number {
        found[found.count - 1] = last.lowerBound..<number + 1
      } else {
        found.append(number..<number + 1)
      }
      position += 1
    }
    return found
  }

  /// Whether any frame was displayed.
  package var hasDisplayed: Bool { displayed.hasAny }

  /// Whether the due time of any frame is known.
  var hasDue: Bool { due.hasAny }

  /// How long the surface was seen within a range.
  func observedTime(within range: Range<Timestamp>) -> Nanoseconds {
    observed?.clamped(to: range).length ?? .zero
  }

  /// How many refreshes there were in the active time within a range: those at which a frame in progress could be
  /// shown.
  func activeRefreshes(within range: Range<Timestamp>) -> Int {
    guard let observed, let firstRow = resting.firstRow else { return 0 }
    var count: Int64 = 0
    let begins = [(observed.lowerBound, firstRow)] + zip(rests.map(\.upperBound), rowsAfterRest)
    for ((begin, row), rest) in zip(begins, rests.map(\.lowerBound) + [observed.upperBound]) {
      let end = rest - shownDelay
      guard begin < range.upperBound, end >= range.lowerBound else { continue }
      let start = grid.last(begin + grid.interval(at: begin) / 16) + 1
      var first = min(start, shownRefresh(Int(row)) ?? start)
      if begin < range.lowerBound { first = max(first, grid.first(range.lowerBound)) }
      let last = end < range.upperBound ? grid.last(end) : grid.first(range.upperBound) - 1
      count += max(0, last - first + 1)
    }
    return Int(count)
  }

  /// The refreshes at which an older frame was shown again while the surface was active.
  var repeats: [Range<RefreshNumber>] {
    let afterRest = Set(rowsAfterRest)
    return order.rows.compactMap { row in
      guard !afterRest.contains(row), !isAfterHole(Int(row)), let shown = displayed[Int(row)],
        let before = refreshBefore(Int(row)), before + 1 < shown
      else { return nil }
      return before + 1..<shown
    }
  }

  /// The time in which the surface was active within a range.
  func activeTime(within range: Range<Timestamp>) -> Nanoseconds {
    guard let observed else { return .zero }
    let seen = observed.clamped(to: range)
    // Rests computed from contradictory times may overlap.
    var (rested, end) = (Nanoseconds.zero, seen.lowerBound)
    for rest in rests where rest.upperBound > end {
      rested += (max(rest.lowerBound, end)..<rest.upperBound).clamped(to: seen).length
      end = rest.upperBound
    }
    return seen.length - rested
  }
}

extension FrameSchedule {
  /// The time in which the surface was seen and did not rest, in order.
  package var activeStretches: [Range<Timestamp>] {
    guard let observed else { return [] }
    var stretches: [Range<Timestamp>] = []
    var start = observed.lowerBound
    for rest in rests where rest.upperBound > start {
      if rest.lowerBound >= start { stretches.append(start..<rest.lowerBound) }
      start = rest.upperBound
    }
    if start < observed.upperBound { stretches.append(start..<observed.upperBound) }
    return stretches
  }

  /// Whether the trace does not show which refresh starts the app on a frame.
  private static func isFree(
    _ trace: Trace, _ surface: Int, _ evidence: SurfaceEvidence, _ touches: ArraySlice<Int32>
  ) -> Bool {
    let surface = trace.surfaces[surface]
    // If the source shows how a compositor is woken, a compositor exists and waits for refreshes.
    let isDrawnByCompositor = surface.bufferOwner == .compositor && evidence.shows(.appStart)
    let facts: [EvidenceFact] = [.startRefresh, .expectedTime, .compositor]
    guard !isDrawnByCompositor, !facts.contains(where: evidence.shows), !surface.frames.has(.mode)
    else { return false }
    guard trace.touches.has(.delivered) else { return true }
    return !touches.contains { trace.touches[Int($0), .delivered] != nil }
  }

  /// Whether at least seven in eight frames were finished by their display times minus an offset.
  private static func isCausal(
    _ shown: ColumnTimes, _ stages: FrameStages, offset: Nanoseconds
  ) -> Bool {
    guard offset > .zero else { return true }
    var (early, known) = (0, 0)
    for row in 0..<stages.count {
      guard let time = shown[row] else { continue }
      let times = stages[row]
      guard let ready = StageTimes.later(times.compositorEnd, times.gpuEnd), ready <= time else {
        continue
      }
      known += 1
      if time - offset < ready { early += 1 }
    }
    return early * 8 <= known
  }

  /// For each frame, finds the frame that shows it. A frame displayed at an unrecorded time may also have replaced
  /// others, so nothing is known about those.
  private static func shownBy(
    _ displayed: CompactOptionals<RefreshNumber>, _ frames: Table<FrameColumn>
  ) -> NearbyRows {
    var shownBy = NearbyRows(missing: displayed.count)
    var next: Int?
    let fates = frames.stored(.fate)
    for row in displayed.indices.reversed() {
      if displayed[row] != nil {
        next = row
      } else if FrameColumn.Fate.hidesDisplay(fates?[row]) {
        next = nil
      }
      shownBy[row] = next
    }
    return shownBy
  }
}

extension FrameSchedule {
  /// What precedes each frame in display order.
  /// - Parameter mayBeFreezes: Whether a short rest may be a freeze.
  func gaps(mayBeFreezes: Bool) -> (Int) -> DisplayedFrames.Gap {
    let lengths = Dictionary(
      zip(rowsAfterRest, rests).map { ($0, $1.length) },
      uniquingKeysWith: { first, _ in first })
    return { [rows = order.rows] position in
      if isAfterHole(Int(rows[position])) { return .hole }
      guard let length = lengths[rows[position]] else { return .none }
      return mayBeFreezes && length <= SurfaceRests.longestGap ? .unknown : .rest
    }
  }

  /// This many consecutive refreshes without a frame that was due are a freeze.
  private static let fewestFrozen: Int64 = 3

  /// A short rest between two stretches of a kept rate.
  private struct PossibleFreeze {
    let row: Int32
    let rest: Range<Timestamp>
    let before, due, shown: RefreshNumber
  }

  /// Treats short rests between two stretches of a kept rate as freezes. If these take too much of the time, they may
  /// also be rests, and nothing is judged.
  mutating func takeFreezes(_ clock: DisplayClock) {
    let positions = Dictionary(
      order.rows.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let freezes = possibleFreezes(clock, positions)
    let seen = (observed?.length ?? .zero) - rests.reduce(.zero) { $0 + $1.length }
    let time = seen + freezes.reduce(.zero) { $0 + $1.rest.length }
    let late = freezes.reduce(.zero) { $0 + (grid.time($1.shown) - grid.time($1.due)) }
    let lengths = freezes.map { grid.time($0.shown) - grid.time($0.before) }
    let frozen = Set(freezes.map(\.row))
    resting.filter { rest, row in frozen.contains(row) ? nil : rest }
    if let gaps = FrameGaps(lengths, beyondUsual: late, of: time) {
      leaveUnjudged(.gaps(gaps))
      return
    }
    for freeze in freezes { due[Int(freeze.row)] = freeze.due }
    let lateRows = order.rows.filter { row in
      guard let shown = displayed[Int(row)], let own = due[Int(row)] else { return false }
      return shown - own >= Self.fewestFrozen
    }
    rowsAfterFreeze = frozen.union(lateRows).sorted { (positions[$0] ?? 0) < (positions[$1] ?? 0) }
  }

  /// Discards when frames were due, because the source does not show that they were.
  mutating func leaveUnjudged(_ demand: UnprovenDemand) {
    unjudged = demand
    (cadence, cadenceRows) = (nil, [])
    due = CompactOptionals(missing: due.count)
    // An apparent rest between two frames may be a freeze.
    if !evidence.measuresStarts {
      resting.filter { rest, _ in rest.length <= SurfaceRests.longestGap ? nil : rest }
    }
  }

  private func possibleFreezes(_ clock: DisplayClock, _ positions: [Int32: Int])
    -> [PossibleFreeze]
  {
    return zip(rowsAfterRest, rests).compactMap { row, rest in
      let position = positions[row] ?? 0
      guard rest.length <= SurfaceRests.longestGap, position > 0,
        let before = displayed[Int(order.rows[position - 1])], let shown = displayed[Int(row)],
        let own = clock.due[position]
      else { return nil }
      return PossibleFreeze(row: row, rest: rest, before: before, due: own, shown: shown)
    }
  }

  /// Treats frames as on time if their lateness would depend on an estimated refresh number.
  mutating func forgiveGuesses() {
    guard !guessed.isEmpty else { return }
    for row in displayed.indices {
      guard let shown = displayed[row], let own = due[row], guessed.contains(shown) else {
        continue
      }
      due[row] = max(own, shown)
    }
  }

  /// Ends rests when a frame was due, which may be before any work on the frame.
  mutating func endRestsWhenDue() {
    var resting = resting
    resting.endWhenDue(self, step: step)
    self.resting = resting
  }

  /// How many refreshes before the display time the steps of a frame usually end.
  /// - Parameter times: The frame's stages.
  func lags(_ row: Int, _ times: StageTimes, hasExpected: Bool) -> StepLags {
    guard let path, !hasExpected else { return times.isLowLatency ? .immediate : .classic }
    if isDueByPath[row] {
      let start = times.appStart ?? times.earliest
      let own = path.path(start.map(grid.interval(at:)) ?? grid.interval)
      return own?.lags ?? path.usualLags
    }
    return isFree ? path.freeLags : times.isLowLatency ? .immediate : .classic
  }
}

/// The times in a column of frames, found without looking up the column for each frame.
struct ColumnTimes {
  private let column: IntegerColumn
  private let references: [Int64]

  init(_ frames: Table<FrameColumn>, _ column: FrameColumn) {
    self.column = frames.stored(column) ?? IntegerColumn(missing: frames.count)
    references = frames.references
  }

  /// The time of the frame in a row; `nil` where the trace does not have it.
  subscript(row: Int) -> Timestamp? {
    column[row].map { Timestamp(nanoseconds: $0 &+ references[row]) }
  }
}

extension Table<FrameColumn> {
  /// The refresh whose number is in a column; `nil` when it is missing.
  func refresh(_ row: Int, _ column: FrameColumn) -> RefreshNumber? {
    self[row, column].map(RefreshNumber.init)
  }
}

/// At which refresh each frame of a surface was shown and at which it was due.
struct FrameSchedule {
  /// The refreshes; where the display kept no interval every nanosecond is one, so that times
  /// stay what they are.
  let grid: RefreshGrid
  /// Whether the display kept an interval, so that refreshes can be counted.
  let hasInterval: Bool
  /// For each frame the refresh at which it was swapped in; `nil` when it never was.
  private(set) var displayed: CompactOptionals<RefreshNumber>
  /// For each frame the row of the first one displayed at or after it; `nil` when none was.
  let shownBy: CompactOptionals<Int>
  /// For each frame the refresh it was due at; `nil` where that is not known.
  var due: CompactOptionals<RefreshNumber>
  /// The time in which the surface was seen, from the first work on it to its last change.
  private(set) var observed: Range<Timestamp>?
  /// The frames in the order in which they were displayed.
  let order: DisplayOrder
  /// The row of the frame that was seen first; `nil` where none has a time.
  private var firstRow: Int32?
  /// Stretches of more than four intervals in which no frame was on its way, in order.
  private(set) var rests: [Range<Timestamp>] = []
  /// The rows of the frames that begin again after rest, in order.
  private(set) var rowsAfterRest: [Int32] = []
  /// Rests between frames of a kept rate of which nothing but display times is known, so that each
  /// may be a freeze, in order.
  private(set) var pauses: [Range<Timestamp>] = []
  /// The rows of frames before which the display froze: nothing but display times is known, and
  /// those keep a rate on both sides.
  private(set) var rowsAfterFreeze: [Int32] = []
  /// The rows of frames before which others are missing in the recording, in order.
  let holes: MissingFrames
  /// The lower rate that the surface keeps on purpose; `nil` when it keeps none.
  var cadence: Cadence?
  /// The rows of frames that belong to it, those that came late included, in order.
  var cadenceRows: [Int32] = []
  /// How long before the display steps of frames usually end, where that is not by their budgets.
  var path: UsualPath?
  /// How far the trace's display times are behind the refreshes they stand for.
  private let offset: Nanoseconds
  /// How far behind its refresh a frame comes, where that is no panel's delay: frames are not even finished at
  /// their refresh.
  let shownDelay: Nanoseconds
  /// Whether due times follow from nothing but the frames before.
  let isFree: Bool
  /// Whether the display waits for frames.
  let isVariable: Bool
  /// Whether the trace recorded the refreshes themselves.
  let isRecorded: Bool
  /// The refreshes whose number is a guess, as the rate changed somewhere before them.
  private let guessed: Set<RefreshNumber>
  /// The refreshes that the trace says repeated a frame, in order.
  private let repeated: [RefreshNumber]

  /// How long nothing is on its way until a surface is at rest, in intervals; of 60 Hz where
  /// the display kept none.
  private static let restIntervals: Int64 = 4

  /// Tells when frames were shown; `DueTimes` adds when they were due.
  /// - Parameter touches: The rows of the surface's inputs.
  init(
    _ trace: Trace, surface: Int, _ stages: FrameStages, _ refreshes: DisplayRefreshes,
    touches: ArraySlice<Int32>
  ) {
    let frames = trace.surfaces[surface].frames
    isFree = Self.isFree(trace, surface, touches)
    holes = MissingFrames(trace.surfaces[surface])
    isVariable = refreshes.isVariable
    isRecorded = refreshes.isRecorded
    repeated = refreshes.repeated
    guessed = refreshes.guessed
    hasInterval = refreshes.grid != nil
    let shown = ShownTimes(frames)
    let phase = Self.phase(of: shown, stages, refreshes, isFree: isFree)
    grid = phase.grid
    offset = phase.offset
    shownDelay = Self.isCausal(shown, stages, offset: phase.offset) ? .zero : phase.offset
    displayed = CompactOptionals(missing: frames.count)
    for row in 0..<frames.count {
      // The number of a refresh is exact where a time stands for the one nearest to it.
      let stated = refreshes.isNumbered ? frames.refresh(row, .displayedRefresh) : nil
      if let stated, grid.holds(stated) {
        displayed[row] = stated
      } else {
        displayed[row] = shown[row].map { phase.grid.nearest($0 - phase.offset) }
      }
    }
    due = CompactOptionals(missing: frames.count)
    shownBy = Self.shownBy(displayed, frames)
    order = DisplayOrder(displayed, shownBy: shownBy)
    findRests(stages)
  }

  /// Whether frames before the one in a row are missing in the recording.
  func isAfterHole(_ row: Int) -> Bool { holes.isBefore(row) }

  /// The refresh at which the frame before the one in a row was displayed, or before the one that
  /// shows it; `nil` when none was.
  func refreshBefore(_ row: Int) -> RefreshNumber? {
    order.before[row].flatMap { displayed[$0] }
  }

  /// The refresh that a display time of the trace stands for.
  func refresh(displayedAt time: Timestamp) -> RefreshNumber { grid.nearest(time - offset) }

  /// When the refresh at which a frame was shown was, or that of the frame that replaced it;
  /// `nil` when none was.
  func shownTime(_ row: Int) -> Timestamp? { shownRefresh(row).map(displayTime(at:)) }

  /// When a frame that is swapped in at a refresh comes onto the display.
  func displayTime(at refresh: RefreshNumber) -> Timestamp { grid.time(refresh) + shownDelay }

  /// The refresh at which a frame was shown, or the one that replaced it; `nil` when none
  /// was.
  func shownRefresh(_ row: Int) -> RefreshNumber? {
    shownBy[row].flatMap { displayed[$0] }
  }

  /// Those refreshes of a range that the trace says repeated a frame.
  func repeated(in range: Range<RefreshNumber>) -> [Range<RefreshNumber>] {
    var found: [Range<RefreshNumber>] = []
    var place = repeated.boundary { $0 >= range.lowerBound }
    while place < repeated.count, repeated[place] < range.upperBound {
      let number = repeated[place]
      if let last = found.last, last.upperBound == number {
        found[found.count - 1] = last.lowerBound..<number + 1
      } else {
        found.append(number..<number + 1)
      }
      place += 1
    }
    return found
  }

  /// Whether any frame came onto the display.
  var hasDisplayed: Bool { displayed.hasAny }

  /// Whether the trace tells of any frame when it was due.
  var hasDue: Bool { due.hasAny }

  /// How long the surface was seen within a range.
  func observedTime(within range: Range<Timestamp>) -> Nanoseconds {
    observed?.clamped(to: range).length ?? .zero
  }

  /// How many refreshes there were in the active time within a range: those at which a frame that
  /// was on its way could be shown.
  func activeRefreshes(within range: Range<Timestamp>) -> Int {
    guard let observed, let firstRow else { return 0 }
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

  /// The time in which the surface was active within a range.
  func activeTime(within range: Range<Timestamp>) -> Nanoseconds {
    guard let observed else { return .zero }
    let seen = observed.clamped(to: range)
    return rests.reduce(seen.length) { $0 - $1.clamped(to: seen).length }
  }
}

extension FrameSchedule {
  /// The time in which the surface was seen and did not rest, in order.
  var activeStretches: [Range<Timestamp>] {
    guard let observed else { return [] }
    var stretches: [Range<Timestamp>] = []
    var start = observed.lowerBound
    for rest in rests where rest.lowerBound >= start {
      stretches.append(start..<rest.lowerBound)
      start = rest.upperBound
    }
    if start < observed.upperBound { stretches.append(start..<observed.upperBound) }
    return stretches
  }

  /// Whether nothing in the trace tells which refresh starts the app on a frame.
  private static func isFree(
    _ trace: Trace, _ surface: Int, _ touches: ArraySlice<Int32>
  ) -> Bool {
    let frames = trace.surfaces[surface].frames
    // What tells how a compositor is woken has one, which waits for refreshes.
    let isDrawnByCompositor =
      trace.surfaces[surface].bufferOwner == .compositor && frames.has(.appStart)
    let hasCompositor =
      frames.has(.compositorStart) || frames.has(.mode) || isDrawnByCompositor
    if frames.has(.startRefresh) || hasCompositor || frames.has(.expectedDisplay) {
      return false
    }
    guard trace.touches.has(.delivered) else { return true }
    return !touches.contains { trace.touches[Int($0), .delivered] != nil }
  }

  /// Whether frames are finished at the times at which they are displayed once an offset is taken off, all but
  /// an eighth of them.
  private static func isCausal(
    _ shown: ShownTimes, _ stages: FrameStages, offset: Nanoseconds
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

  /// The refreshes that apps and the compositor keep, and how far display times are behind
  /// them: a constant panel offset.
  private static func phase(
    of shown: ShownTimes, _ stages: FrameStages, _ refreshes: DisplayRefreshes, isFree: Bool
  ) -> (grid: RefreshGrid, offset: Nanoseconds) {
    guard let grid = refreshes.grid else {
      return (.nanoseconds, .zero)
    }
    if refreshes.isVariable { return (grid, .zero) }
    if refreshes.isRecorded {
      let times = (0..<stages.count).lazy.compactMap { shown[$0] }
      return (grid, PanelOffset.find(times, grid)?.offset ?? .zero)
    }
    // Refreshes found from display times are behind the real ones by the panel's offset,
    // which the times show at which refreshes start the app.
    guard !isFree else { return (grid, .zero) }
    let starts = (0..<stages.count).lazy.compactMap { stages[$0].appStart }
    // An app that starts behind them only takes a while to wake: a panel is never early.
    guard let found = PanelOffset.find(starts, grid), found.share > 0.6, found.offset < .zero else {
      return (grid, .zero)
    }
    return (grid.shifted(by: found.offset), -found.offset)
  }

  /// Finds for each frame the one that shows it. A frame that was displayed at a time nobody
  /// recorded shows others then too, so that nothing is known of these.
  private static func shownBy(
    _ displayed: CompactOptionals<RefreshNumber>, _ frames: Table<FrameColumn>
  ) -> CompactOptionals<Int> {
    var shownBy = CompactOptionals<Int>(missing: displayed.count)
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

  private mutating func findRests(_ stages: FrameStages) {
    var start: Timestamp?
    var covered: Timestamp?
    for row in displayed.indices {
      let shown = shownTime(row)
      guard let begin = stages.earliest(row) ?? shown else { continue }
      if start.map({ begin < $0 }) ?? true { firstRow = Int32(row) }
      start = min(start ?? begin, begin)
      if let covered, isRest(from: covered, to: begin) {
        rests.append(covered..<begin)
        rowsAfterRest.append(Int32(row))
      }
      covered = max(covered ?? begin, begin, shown ?? begin)
    }
    if let start, let covered { observed = start..<max(start, covered) }
  }

  /// Whether there is a rest between the end of a frame and the start of the next.
  private func isRest(from end: Timestamp, to start: Timestamp) -> Bool {
    guard start > end else { return false }
    let interval =
      hasInterval ? min(grid.interval(at: end), Nanoseconds(1 << 56)) : RefreshGrid.sixtyHertz
    return start - end > interval * Self.restIntervals
  }
}

extension FrameSchedule {
  /// How long a gap in display times may be that is taken for a freeze.
  private static let longestFreeze = Nanoseconds(500_000_000)

  /// What lies before each frame in the order of display.
  /// - Parameter mayBeFreezes: Whether a short rest may be a freeze.
  func gaps(mayBeFreezes: Bool) -> (Int) -> DisplayPattern.Gap {
    let lengths = Dictionary(
      zip(rowsAfterRest, rests).map { ($0, $1.length) },
      uniquingKeysWith: { first, _ in first })
    return { [rows = order.rows] place in
      if isAfterHole(Int(rows[place])) { return .hole }
      guard let length = lengths[rows[place]] else { return .none }
      return mayBeFreezes && length <= Self.longestFreeze ? .unknown : .rest
    }
  }

  /// Takes rests between two stretches of a kept rate for freezes, where they are short, and notes
  /// the others as pauses that may be some.
  mutating func takeFreezes(_ pattern: DisplayPattern) {
    let ends = Dictionary(
      pattern.stretches.map { ($0.places.upperBound, $0.next) }, uniquingKeysWith: { $1 })
    let begins = Set(pattern.stretches.map(\.places.lowerBound))
    let places = Dictionary(
      order.rows.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var kept: [(rest: Range<Timestamp>, row: Int32)] = []
    for (rest, row) in zip(rests, rowsAfterRest) {
      let place = places[row] ?? 0
      let step = begins.contains(place) ? ends[place - 1] : nil
      let isShort = rest.length <= Self.longestFreeze
      if isShort, place > 0, pattern.due[place] != nil || step != nil {
        rowsAfterFreeze.append(row)
        if let step, let before = displayed[Int(order.rows[place - 1])] {
          due[Int(row)] = before + step
        }
      } else {
        if step != nil { pauses.append(rest) }
        kept.append((rest, row))
      }
    }
    rests = kept.map(\.rest)
    rowsAfterRest = kept.map(\.row)
  }

  /// Takes frames for those that came when they were due where a guess would be behind it.
  mutating func forgiveGuesses() {
    guard !guessed.isEmpty else { return }
    for row in displayed.indices {
      guard let shown = displayed[row], let own = due[row], guessed.contains(shown) else {
        continue
      }
      due[row] = max(own, shown)
    }
  }

  /// Lets rests end where a frame was due, which may be before anything was done on it.
  mutating func endRestsWhenDue() {
    var kept: [(rest: Range<Timestamp>, row: Int32)] = []
    for (rest, row) in zip(rests, rowsAfterRest) {
      let end = min(rest.upperBound, due[Int(row)].map(grid.time) ?? rest.upperBound)
      if isRest(from: rest.lowerBound, to: end) { kept.append((rest.lowerBound..<end, row)) }
    }
    rests = kept.map(\.rest)
    rowsAfterRest = kept.map(\.row)
  }

  /// How many refreshes before the display the steps of a frame usually end.
  /// - Parameter times: The frame's stages.
  func lags(_ times: StageTimes, hasExpected: Bool) -> StepLags {
    if let path, !hasExpected {
      let start = times.appStart ?? times.earliest
      return path.path(start.map(grid.interval(at:)) ?? grid.interval).lags
    }
    return times.isLowLatency ? .immediate : .classic
  }
}

/// When frames came onto the display, by their time or by that of the source's refresh.
private struct ShownTimes {
  private let displayed: IntegerColumn
  private let references: [Int64]

  init(_ frames: Table<FrameColumn>) {
    displayed = frames.stored(.displayed) ?? IntegerColumn(missing: frames.count)
    references = frames.references
  }

  subscript(row: Int) -> Timestamp? {
    displayed[row].map { Timestamp(nanoseconds: $0 &+ references[row]) }
  }
}

extension Table<FrameColumn> {
  /// The refresh whose number is in a column; `nil` when it is missing.
  func refresh(_ row: Int, _ column: FrameColumn) -> RefreshNumber? {
    self[row, column].map(RefreshNumber.init)
  }
}

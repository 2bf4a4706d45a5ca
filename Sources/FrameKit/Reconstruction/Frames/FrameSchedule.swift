/// At which refresh each frame of a surface was shown and at which it was due.
struct FrameSchedule {
  /// What stands for no refresh.
  static let none = Int64.min

  /// The refreshes; where the display kept no interval every nanosecond is one, so that times
  /// stay what they are.
  let grid: RefreshGrid
  /// Whether the display kept an interval, so that refreshes can be counted.
  let hasInterval: Bool
  /// For each frame the refresh at which it was swapped in; `none` when it never was.
  private(set) var displayed: [Int64] = []
  /// For each frame the row of the first one displayed at or after it; −1 when none was.
  private(set) var shownBy: [Int32] = []
  /// For each frame the refresh it was due at; `none` where that is not known.
  var due: [Int64] = []
  /// The time in which the surface was seen, from the first work on it to its last change.
  private(set) var observed: Range<Int64>?
  /// Stretches of more than four intervals in which no frame was on its way, in order.
  private(set) var rests: [Range<Int64>] = []
  /// The rows of the frames that begin again after rest, in order.
  private(set) var rowsAfterRest: [Int32] = []
  /// The rows of frames that belong to a cadence, a deliberate lower rate, in order.
  var cadenceRows: [Int32] = []
  /// How far the trace's display times are behind the refreshes they stand for.
  private let offset: Int64
  /// How far behind its refresh a frame comes, where that is no panel's delay: frames are not even finished at
  /// their refresh.
  let shownDelay: Int64
  /// Whether due times follow from nothing but the frames before.
  let isFree: Bool
  /// Whether the display waits for frames.
  let isVariable: Bool
  /// Whether the trace recorded the refreshes themselves.
  let isRecorded: Bool
  /// The refreshes that the trace says repeated a frame, in order.
  private let repeated: [Int64]

  /// How long nothing is on its way until a surface is at rest, in intervals; of 60 Hz where
  /// the display kept none.
  private static let restIntervals: Int64 = 4

  /// Tells when frames were shown; `DueTimes` adds when they were due.
  init(_ trace: Trace, surface: Int, _ stages: FrameStages, _ refreshes: DisplayRefreshes) {
    let frames = trace.surfaces[surface].frames
    isFree = Self.isFree(trace, surface)
    isVariable = refreshes.isVariable
    isRecorded = refreshes.isRecorded
    repeated = refreshes.repeated
    hasInterval = refreshes.grid != nil
    let shown = ShownTimes(frames)
    let phase = Self.phase(of: shown, stages, refreshes, isFree: isFree)
    grid = phase.grid
    offset = phase.offset
    shownDelay = Self.isCausal(shown, stages, offset: phase.offset) ? 0 : phase.offset
    displayed = (0..<frames.count).map { row in
      // The number of a refresh is exact where a time stands for the one nearest to it.
      if refreshes.isNumbered, let number = frames[row, .displayedRefresh], grid.holds(number) {
        return number
      }
      return shown[row].map { grid.nearest($0 &- phase.offset) } ?? Self.none
    }
    due = Array(repeating: Self.none, count: frames.count)
    findShown(frames)
    findRests(stages)
  }

  /// The refresh that a display time of the trace stands for.
  func refresh(displayedAt time: Int64) -> Int64 { grid.nearest(time &- offset) }

  /// When the refresh at which a frame was shown was, or that of the frame that replaced it;
  /// `nil` when none was.
  func shownTime(_ row: Int) -> Int64? { shownRefresh(row).map { grid.time($0) &+ shownDelay } }

  /// The refresh at which a frame was shown, or the one that replaced it; `nil` when none
  /// was.
  func shownRefresh(_ row: Int) -> Int64? {
    shownBy[row] < 0 ? nil : displayed[Int(shownBy[row])]
  }

  /// Those refreshes of a range that the trace says repeated a frame.
  func repeated(in range: Range<Int64>) -> [Range<Int64>] {
    var found: [Range<Int64>] = []
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
  var hasDisplayed: Bool { displayed.contains { $0 != Self.none } }

  /// Whether the trace tells of any frame when it was due.
  var hasDue: Bool { due.contains { $0 != Self.none } }

  /// How long the surface was seen within a range, in nanoseconds.
  func observedTime(within range: Range<Int64>) -> Int64 {
    observed.map { Int64($0.clamped(to: range).count) } ?? 0
  }

  /// How many refreshes there were in the active time within a range.
  func activeRefreshes(within range: Range<Int64>) -> Int {
    guard let seen = observed?.clamped(to: range), !seen.isEmpty else { return 0 }
    let count = { (range: Range<Int64>) in
      range.isEmpty ? 0 : grid.first(range.upperBound) - grid.first(range.lowerBound)
    }
    return Int(rests.reduce(count(seen)) { $0 - count($1.clamped(to: seen)) })
  }

  /// The time in which the surface was active, in nanoseconds, within a range.
  func activeTime(within range: Range<Int64>) -> Int64 {
    guard let observed else { return 0 }
    let seen = observed.clamped(to: range)
    return rests.reduce(Int64(seen.count)) { time, rest in
      time - Int64(rest.clamped(to: seen).count)
    }
  }
}

extension FrameSchedule {
  /// The time in which the surface was seen and did not rest, in order.
  var activeStretches: [Range<Int64>] {
    guard let observed else { return [] }
    var stretches: [Range<Int64>] = []
    var start = observed.lowerBound
    for rest in rests where rest.lowerBound >= start {
      stretches.append(start..<rest.lowerBound)
      start = rest.upperBound
    }
    if start < observed.upperBound { stretches.append(start..<observed.upperBound) }
    return stretches
  }

  /// Whether nothing in the trace tells which refresh starts the app on a frame.
  private static func isFree(_ trace: Trace, _ surface: Int) -> Bool {
    let frames = trace.surfaces[surface].frames
    // What tells how a compositor is woken has one, which waits for refreshes.
    let hasCompositor = frames.has(.compositorStart) || frames.has(.mode)
    if frames.has(.startRefresh) || hasCompositor || frames.has(.expectedDisplay) {
      return false
    }
    guard trace.touches.has(.delivered) else { return true }
    return !(0..<trace.touches.count).contains { row in
      trace.touches[row, .delivered] != nil
        && trace.touches[row, .surface].map { $0 == Int64(surface) } ?? (trace.surfaces.count == 1)
    }
  }

  /// Whether frames are finished at the times at which they are displayed once an offset is taken off, all but
  /// an eighth of them.
  private static func isCausal(
    _ shown: ShownTimes, _ stages: FrameStages, offset: Int64
  ) -> Bool {
    guard offset > 0 else { return true }
    var (early, known) = (0, 0)
    for row in 0..<stages.count {
      guard let time = shown[row] else { continue }
      let times = stages[row]
      guard let ready = StageTimes.later(times.compositorEnd, times.gpuEnd), ready <= time else {
        continue
      }
      known += 1
      if time &- offset < ready { early += 1 }
    }
    return early * 8 <= known
  }

  /// The refreshes that apps and the compositor keep, and how far display times are behind
  /// them: a constant panel offset.
  private static func phase(
    of shown: ShownTimes, _ stages: FrameStages, _ refreshes: DisplayRefreshes, isFree: Bool
  ) -> (grid: RefreshGrid, offset: Int64) {
    guard let grid = refreshes.grid else {
      return (RefreshGrid(numbers: [0], times: [0], interval: 1), 0)
    }
    if refreshes.isVariable { return (grid, 0) }
    if refreshes.isRecorded {
      let times = (0..<stages.count).lazy.compactMap { shown[$0] }
      return (grid, PanelOffset.find(times, grid)?.offset ?? 0)
    }
    // Refreshes found from display times are behind the real ones by the panel's offset,
    // which the times show at which refreshes start the app.
    guard !isFree else { return (grid, 0) }
    let starts = (0..<stages.count).lazy.compactMap { stages[$0].appStart }
    // An app that starts behind them only takes a while to wake: a panel is never early.
    guard let found = PanelOffset.find(starts, grid), found.share > 0.6, found.offset < 0 else {
      return (grid, 0)
    }
    return (grid.shifted(by: found.offset), -found.offset)
  }

  /// Finds for each frame the one that shows it. A frame that was displayed at a time nobody
  /// recorded shows others then too, so that nothing is known of these.
  private mutating func findShown(_ frames: Table<FrameColumn>) {
    shownBy = Array(repeating: -1, count: displayed.count)
    var next: Int32 = -1
    let fates = frames.stored(.fate)
    for row in displayed.indices.reversed() {
      if displayed[row] != Self.none {
        next = Int32(row)
      } else if fates?[row] == FrameColumn.Fate.displayed.rawValue {
        next = -1
      }
      shownBy[row] = next
    }
  }

  private mutating func findRests(_ stages: FrameStages) {
    var start: Int64?
    var covered = Int64.min
    let interval = hasInterval ? min(grid.interval, 1 << 56) : RefreshGrid.sixtyHertz
    let longest = Self.restIntervals * interval
    for row in displayed.indices {
      let shown = shownTime(row)
      guard let begin = stages.earliest(row) ?? shown else { continue }
      start = min(start ?? begin, begin)
      let isFirst = covered == .min
      if !isFirst, begin > covered, begin &- covered > longest {
        rests.append(covered..<begin)
        rowsAfterRest.append(Int32(row))
      }
      covered = max(covered, begin, shown ?? begin)
    }
    if let start { observed = start..<max(start, covered) }
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

  subscript(row: Int) -> Int64? { displayed[row].map { $0 &+ references[row] } }
}

import FrameTrace

/// When a surface was observed, and the stretches in between in which none of its frames was in progress.
struct SurfaceRests {
  /// The time in which the surface was seen, from the first work on it to its last change.
  private(set) var observed: Range<Timestamp>?
  /// The row of the frame that was seen first; `nil` if no frame has a time.
  private(set) var firstRow: Int32?
  /// The rests in order.
  private(set) var ranges: [Range<Timestamp>] = []
  /// The rows of the first frames after each rest, in order.
  private(set) var rowsAfter: [Int32] = []

  /// This many refreshes without a frame are not yet a rest; if the display kept no interval, refreshes at 60 Hz.
  private static let refreshes = 4.0
  /// If a rate is stated, a gap up to this length means that frames failed to arrive.
  static let longestGap = Nanoseconds(500_000_000)

  /// Creates the rests of a surface that was not observed.
  init() {}

  /// - Parameter step: The time from start to start that frames keep; `nil` where they keep none.
  init(_ schedule: FrameSchedule, _ stages: FrameStages, step: Nanoseconds?) {
    var start: Timestamp?
    var covered: Timestamp?
    for row in 0..<stages.count {
      let shown = schedule.shownTime(row)
      if schedule.stops.isUnshown(row) { continue }
      guard let begin = stages.earliest(row) ?? shown else { continue }
      if start.map({ begin < $0 }) ?? true { firstRow = Int32(row) }
      start = min(start ?? begin, begin)
      let rest = covered.flatMap { end in
        Self.isRest(from: end, to: begin, schedule, step) ? end..<begin : nil
      }
      if let stop = schedule.stops.unjudgedRange(before: row) {
        // Nothing is due during the stop either, and the app may have rested before it.
        add(min(rest?.lowerBound ?? stop.lowerBound, stop.lowerBound)..<stop.upperBound, row)
      } else if let rest {
        add(rest, row)
      }
      covered = max(covered ?? begin, begin, shown ?? begin)
    }
    if let start, let covered { observed = start..<max(start, covered) }
  }

  private mutating func add(_ range: Range<Timestamp>, _ row: Int) {
    ranges.append(range)
    rowsAfter.append(Int32(row))
  }

  /// Whether there is a rest between the end of a frame and the start of the next.
  private static func isRest(
    from end: Timestamp, to start: Timestamp, _ schedule: FrameSchedule, _ step: Nanoseconds?
  ) -> Bool {
    guard start > end else { return false }
    if schedule.hasStatedRate { return start - end > longestGap }
    let interval = schedule.hasInterval ? schedule.grid.interval(at: end) : RefreshGrid.sixtyHertz
    if let step, start - end <= step + interval { return false }
    guard schedule.hasInterval else { return start - end > interval * Int64(refreshes) }
    return schedule.grid.position(start) - schedule.grid.position(end) > refreshes
  }

  /// Keeps the rests for which `kept` returns a range, each with that range.
  mutating func filter(_ kept: (Range<Timestamp>, Int32) -> Range<Timestamp>?) {
    let all = zip(ranges, rowsAfter).map { (kept($0, $1), $1) }
    ranges = all.compactMap(\.0)
    rowsAfter = all.compactMap { $0 == nil ? nil : $1 }
  }

  /// Ends rests when a frame was due, which may be before any work on the frame.
  mutating func endWhenDue(_ schedule: FrameSchedule, step: Nanoseconds?) {
    filter { rest, row in
      let due = schedule.due[Int(row)].map(schedule.grid.time)
      let end = Swift.min(rest.upperBound, due ?? rest.upperBound)
      return Self.isRest(from: rest.lowerBound, to: end, schedule, step)
        ? rest.lowerBound..<end : nil
    }
  }

  /// The interval between starts that 80 % of the frames keep, within half an interval of the
  /// display; `nil` where they keep none. A long trace is sampled.
  static func step(_ schedule: FrameSchedule, _ stages: FrameStages) -> Nanoseconds? {
    guard schedule.hasInterval else { return nil }
    let stride = max(1, stages.count / 32_768)
    var steps: [Nanoseconds] = []
    for row in Swift.stride(from: 1, to: stages.count, by: stride)
    where !stages.isGenerated(row) && !stages.isGenerated(row - 1) {
      let begin = { (row: Int) in stages.earliest(row) ?? schedule.shownTime(row) }
      guard let start = begin(row), let before = begin(row - 1), start > before else { continue }
      if start - before <= longestGap { steps.append(start - before) }
    }
    guard steps.count >= KeptRate.fewestFrames else { return nil }
    let middle = steps.ranked(steps.count / 2)
    let keeping = steps.count { ($0 - middle).magnitude * 2 <= schedule.grid.interval }
    return keeping * 5 >= steps.count * 4 ? middle : nil
  }
}

/// A deliberate lower rate that shows in nothing but display times: steps in refreshes that
/// repeat, as 3, 2, 3, 2 for 24 frames a second on 60 refreshes.
enum DisplayCadence {
  /// The most steps after which a cadence repeats.
  private static let longestPeriod = 5
  /// The fewest frames that make one.
  private static let fewestFrames = 10

  /// Makes frames of a cadence due when it has them.
  static func apply(to schedule: inout FrameSchedule) {
    let rows = schedule.displayed.indices.filter { schedule.displayed[$0] != FrameSchedule.none }
    let shown = rows.map { schedule.displayed[$0] }
    // A rest is no step of a cadence: it is told by 0, which none has.
    let afterRest = Set(schedule.rowsAfterRest.map(Int.init))
    let steps = shown.indices.dropFirst().map { place in
      afterRest.contains(rows[place]) ? 0 : shown[place] &- shown[place - 1]
    }
    var index = 0
    while index < steps.count {
      guard let (period, end) = cadence(steps, from: index) else {
        index += 1
        continue
      }
      for step in index..<end { schedule.due[rows[step + 1]] = shown[step + 1] }
      if end < steps.count, steps[end] > 0 {
        // The frame that breaks the cadence was due a step of it behind the one before.
        schedule.due[rows[end + 1]] = shown[end] + steps[end - period]
      }
      if steps[index..<index + period].contains(where: { $0 > 1 }) {
        schedule.cadenceRows += (index..<end).map { Int32(rows[$0 + 1]) }
      }
      index = end
    }
  }

  /// The shortest period with which the steps from `start` on repeat for long enough, and
  /// where they cease to.
  private static func cadence(_ steps: [Int64], from start: Int) -> (period: Int, end: Int)? {
    for period in 1...longestPeriod where start + period < steps.count {
      var end = start + period
      guard steps[start..<start + period].allSatisfy({ $0 > 0 }) else { continue }
      while end < steps.count, steps[end] == steps[end - period] { end += 1 }
      if end - start + 1 >= fewestFrames { return (period, end) }
    }
    return nil
  }
}

import FrameTrace

/// The refreshes of a display that a trace recorded.
struct RecordedRefreshes {
  let grid: RefreshGrid
  /// Whether the refreshes have the source's numbers.
  let isNumbered: Bool
  /// The numbers of the refreshes that repeated the previous frame, in order.
  let repeated: [RefreshNumber]
  /// Whether the trace says for any refresh whether it repeated a frame.
  let knowsRepeats: Bool

  /// - Returns: `nil` when there are fewer than two refreshes, or if they cannot be complete: a compositor that
  ///   repaints only on changes, and sometimes begins late, names some refreshes mixed with other times.
  init?(_ display: Display) {
    let table = display.refreshes
    guard let rows = Self.rowsOfRefreshes(table, isVariable: display.isVariable == true),
      rows.count > 1
    else { return nil }
    let times = rows.compactMap { table.time($0, .time) }
    let stated = rows.compactMap { table[$0, .number].map(RefreshNumber.init) }
    isNumbered = Self.arePlausible(stated, at: times)
    let numbers =
      isNumbered
      ? stated
      : Self.counted(times, display.interval, isVariable: display.isVariable == true)
    let steps = times.indices.dropFirst().map { index in
      (times[index] - times[index - 1]) / (numbers[index] - numbers[index - 1])
    }
    let interval = Self.median(steps[...])
    let isStated = display.interval.map { interval * 8 <= $0 * 9 } ?? false
    guard isNumbered || isStated || display.isVariable == true || interval <= DisplayRates.longest
    else { return nil }
    grid = RefreshGrid(
      numbers: numbers, times: times, interval: interval,
      before: Self.median(steps.prefix(8)), after: Self.median(steps.suffix(8)))
    knowsRepeats = table.has(.repeated)
    repeated = zip(rows, numbers).compactMap { row, number in
      table[row, .repeated] == 1 ? number : nil
    }
  }

  private static func median(_ steps: ArraySlice<Nanoseconds>) -> Nanoseconds {
    max(Nanoseconds(1), steps.sorted()[(steps.count - 1) / 2])
  }

  /// The rows with a time, each later than the previous one.
  private static func rowsInOrder(_ table: Table<RefreshColumn>) -> [Int] {
    var last: Timestamp?
    return (0..<table.count).filter { row in
      guard let time = table.time(row, .time), last.map({ time > $0 }) ?? true else { return false }
      last = time
      return true
    }
  }

  /// The number of consecutive distances needed to show a rate of the display.
  private static let fewestOfRate = 12

  /// The rows of refreshes in order, without those that follow another refresh by much less than an interval. A display
  /// that changes its rate produces such distances for many consecutive refreshes or not at all. `nil` if a tenth of
  /// all rows have such a distance.
  private static func rowsOfRefreshes(
    _ table: Table<RefreshColumn>, isVariable: Bool
  ) -> [Int]? {
    let rows = rowsInOrder(table)
    let times = rows.compactMap { table.time($0, .time) }
    let distances = times.indices.dropFirst().map { times[$0] - times[$0 - 1] }
    guard !isVariable, let commonest = DisplayDistances.commonest(distances) else { return rows }
    let isShort = { (distance: Nanoseconds) in distance * 16 < commonest * 7 }
    guard distances.contains(where: isShort) else { return rows }
    var kept = rows.prefix(1).map(\.self)
    var (last, position, left) = (times[0], 0, 0)
    while position < distances.count {
      let end = distances[position...].firstIndex { !isShort($0) } ?? distances.count
      let isRate = end - position >= fewestOfRate
      for index in position..<min(end + 1, distances.count) {
        if isRate || !isShort(times[index + 1] - last) {
          kept.append(rows[index + 1])
          last = times[index + 1]
        } else {
          left += 1
        }
      }
      position = end + 1
    }
    return left * 10 <= distances.count ? kept : nil
  }

  /// Whether every refresh has a number that a display can have counted, and the numbers rise, but no faster than the
  /// time.
  private static func arePlausible(_ numbers: [RefreshNumber], at times: [Timestamp]) -> Bool {
    guard numbers.count == times.count, let first = numbers.first, let last = numbers.last,
      first.number > -Timestamp.bound, last.number < Timestamp.bound
    else { return false }
    return numbers.indices.dropFirst().allSatisfy { index in
      let (number, before) = (numbers[index].number, numbers[index - 1].number)
      let (step, overflow) = number.subtractingReportingOverflow(before)
      return !overflow && step > 0 && step <= (times[index] - times[index - 1]).count
    }
  }

  /// The numbers based on the distances, because a recorder may have left refreshes out; one by one if the distances
  /// are variable. A longer distance counts as several refreshes only if the rate on both sides is the same shorter
  /// one: the display may have changed its rate.
  private static func counted(
    _ times: [Timestamp], _ interval: Nanoseconds?, isVariable: Bool
  ) -> [RefreshNumber] {
    if isVariable { return RefreshNumber.counted(times.count) }
    let steps = times.indices.dropFirst().map { times[$0] - times[$0 - 1] }
    var numbers: [RefreshNumber] = [RefreshNumber(0)]
    for (position, step) in steps.enumerated() {
      let before = position > 0 ? median(steps[max(0, position - side)..<position]) : interval
      let after =
        position + 1 < steps.count
        ? median(steps[position + 1..<min(steps.count, position + 1 + side)]) : interval
      numbers.append(numbers[position] + count(step, between: before, after))
    }
    return numbers
  }

  /// The number of distances on either side of a distance that show the rate there.
  private static let side = 3

  /// The number of refreshes that a distance represents.
  private static func count(
    _ step: Nanoseconds, between before: Nanoseconds?, _ after: Nanoseconds?
  ) -> Int64 {
    guard let before, let after, (before - after).magnitude <= before / 8 else { return 1 }
    return RateFit.multiple(step, max(Nanoseconds(1), before))
  }
}

/// The values of a series in windows of time.
///
/// The score of a window is the mean rank of its values. Ranks are whole numbers, so windows of
/// equal values have exactly equal scores, and an extreme value does not outweigh the others.
struct WindowedSeries {
  /// When each remaining row ends, in nanoseconds.
  let times: [Int64]
  private let values: [Double]
  /// The sum of the ranks of all rows before each index.
  private let rankSums: [Int]

  /// Removes the rows of the events: the rows later than the start of an event and not later than its end.
  /// - Parameter events: In order and disjoint.
  /// - Complexity: O(n log n) in the number of rows.
  init(_ series: MomentDifferences.Series, without events: [Range<Int64>]) {
    var times: [Int64] = []
    var values: [Double] = []
    var next = 0
    for (time, value) in zip(series.times, series.values) {
      while next < events.count && events[next].upperBound < time { next += 1 }
      if next < events.count && events[next].lowerBound < time { continue }
      times.append(time)
      values.append(value)
    }
    self.times = times
    self.values = values
    rankSums = Self.rankSums(values)
  }

  /// Whether all values are equal.
  var isConstant: Bool { values.allSatisfy { $0 == values.first } }

  /// The mean rank in a window; the rank of the last earlier value if the window has no rows. The rank of a value is
  /// the number of values below it plus the number of values not above it.
  /// - Precondition: A row is not later than `end`.
  func score(_ length: Int64, endingAt end: Int64) -> Double {
    let rows = rows(length, endingAt: end)
    return Double(rankSums[rows.upperBound] - rankSums[rows.lowerBound]) / Double(rows.count)
  }

  /// The mean value in a window; the last earlier value if the window has no rows.
  /// - Precondition: A row is not later than `end`.
  func mean(_ length: Int64, endingAt end: Int64) -> Double {
    let rows = rows(length, endingAt: end)
    return values[rows].reduce(0, +) / Double(rows.count)
  }

  /// The rows later than the start of a window and not later than its end.
  private func rows(_ length: Int64, endingAt end: Int64) -> Range<Int> {
    let upper = times.partitioningIndex { $0 > end }
    return min(times[..<upper].partitioningIndex { $0 > end - length }, upper - 1)..<upper
  }

  private static func rankSums(_ values: [Double]) -> [Int] {
    let order = values.enumerated().sorted { $0.element < $1.element }
    var sums = [Int](repeating: 0, count: values.count + 1)
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count && order[end].element == order[start].element { end += 1 }
      for row in order[start..<end] { sums[row.offset + 1] = start + end }
      start = end
    }
    for index in 0..<values.count { sums[index + 1] += sums[index] }
    return sums
  }
}

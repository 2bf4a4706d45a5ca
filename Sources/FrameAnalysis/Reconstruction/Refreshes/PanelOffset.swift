import FrameStatistics
import FrameTrace

/// The constant delay of one kind of times after the refreshes that they represent.
enum PanelOffset {
  /// Parts of an interval in which times are counted.
  private static let bins = 16

  /// The median distance of the times from the nearest refresh, around the most frequent distance.
  /// - Returns: The offset, from minus half an interval to half an interval, and the share of the times within an
  ///   eighth and within a quarter of an interval of the offset; `nil` without times.
  static func find(_ times: some Sequence<Timestamp>, _ grid: RefreshGrid)
    -> (offset: Nanoseconds, share: Double, nearShare: Double)?
  {
    var distances: [Nanoseconds] = []
    var counts = [Int](repeating: 0, count: bins)
    let interval = grid.interval
    for time in times {
      let last = grid.last(time)
      let start = grid.time(last)
      let own = max(1, (grid.time(last + 1) - start).count)
      // Intervals of different lengths are scaled to the usual one.
      let distance = Nanoseconds(
        Int64(
          truncatingIfNeeded: Int128((time - start).count) * Int128(interval.count) / Int128(own)))
      distances.append(distance)
      counts[min(Int(distance.ratio(to: interval) * Double(bins)), bins - 1)] += 1
    }
    guard !distances.isEmpty else { return nil }
    // Neighboring bins are summed because the most frequent distance may lie between them.
    let sums = counts.indices.map { counts[$0] + counts[($0 + 1) % bins] }
    let densest = sums.indices.max { (sums[$0], $1) < (sums[$1], $0) } ?? 0
    let center = interval / Int64(bins) * Int64(densest + 1)
    let around = distances.map { wrapped($0 - center, interval) }.sorted()
    guard let median = around.medianOfSorted else { return nil }
    let share = { (reach: Nanoseconds) in
      Double(around.count { ($0 - median).magnitude <= reach }) / Double(around.count)
    }
    return (wrapped(center + median, interval), share(interval / 8), share(interval / 4))
  }

  /// The distance modulo the interval, from minus half an interval to half an interval.
  private static func wrapped(_ distance: Nanoseconds, _ interval: Nanoseconds) -> Nanoseconds {
    var rest = distance % interval
    if rest > interval / 2 { rest -= interval }
    if rest < -interval / 2 { rest += interval }
    return rest
  }
}

public import FrameTrace

/// A stretch of time in which a display kept a refresh rate.
public struct RateStretch: Hashable, Sendable {
  /// When the stretch began.
  public let start: Timestamp
  /// The time between refreshes in the stretch.
  public let interval: Nanoseconds

  /// The number of consecutive known refreshes at another rate that count as a change of rate; fewer are jitter.
  static let fewest = 12
  /// Intervals that differ by at least this fraction belong to different rates.
  static let tolerance: Int64 = 8
}

extension RefreshGrid {
  /// The stretches of each rate that the known refreshes show, in order.
  ///
  /// Takes time linear in the known refreshes.
  var rateStretches: [RateStretch] {
    let (numbers, times, _, _) = known
    var found: [RateStretch] = []
    var next: (start: Timestamp, interval: Nanoseconds, count: Int)?
    for position in numbers.indices.dropLast() {
      // Across unknown refreshes, the rate is also unknown.
      guard numbers[position + 1] - numbers[position] == 1 else {
        next = nil
        continue
      }
      let interval = times[position + 1] - times[position]
      if let last = found.last, last.interval.isSameRate(as: interval) {
        next = nil
        continue
      }
      if let open = next, open.interval.isSameRate(as: interval) {
        next = (open.start, open.interval, open.count + 1)
      } else {
        next = (times[position], interval, 1)
      }
      if let open = next, open.count >= RateStretch.fewest {
        found.append(RateStretch(start: open.start, interval: open.interval))
        next = nil
      }
    }
    return found
  }
}

extension Nanoseconds {
  fileprivate func isSameRate(as other: Nanoseconds) -> Bool {
    (self - other).magnitude * RateStretch.tolerance < max(self, other)
  }
}

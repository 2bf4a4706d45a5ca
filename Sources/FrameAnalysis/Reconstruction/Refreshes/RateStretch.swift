public import FrameTrace

/// A stretch of time in which a display kept a refresh rate.
public struct RateStretch: Hashable, Sendable {
  /// When it began.
  public let start: Timestamp
  /// The time between refreshes in it.
  public let interval: Nanoseconds

  /// This many refreshes in a row at another rate are a change of rate; fewer are jitter.
  static let fewest: Int64 = 12
  /// Intervals that differ by at least this part of one another are of different rates.
  static let tolerance: Int64 = 8
}

extension RefreshGrid {
  /// The stretches of each rate that the known refreshes show, in order.
  ///
  /// Takes time linear in the known refreshes.
  var rateStretches: [RateStretch] {
    let (numbers, times, _, after) = known
    var found: [RateStretch] = []
    var next: (start: Timestamp, interval: Nanoseconds, count: Int64)?
    for place in numbers.indices.dropLast() {
      let count = numbers[place + 1] - numbers[place]
      let interval = (times[place + 1] - times[place]) / count
      if let last = found.last, last.interval.isSameRate(as: interval) {
        next = nil
        continue
      }
      if let open = next, open.interval.isSameRate(as: interval) {
        next = (open.start, open.interval, open.count + count)
      } else {
        next = (times[place], interval, count)
      }
      if let open = next, open.count >= RateStretch.fewest {
        found.append(RateStretch(start: open.start, interval: open.interval))
        next = nil
      }
    }
    if let end = times.last, let last = found.last, !last.interval.isSameRate(as: after) {
      found.append(RateStretch(start: end, interval: after))
    }
    return found
  }
}

extension Nanoseconds {
  fileprivate func isSameRate(as other: Nanoseconds) -> Bool {
    (self - other).magnitude * RateStretch.tolerance < max(self, other)
  }
}

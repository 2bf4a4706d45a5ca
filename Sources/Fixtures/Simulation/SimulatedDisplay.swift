import FrameKit

/// The refreshes of a simulated display.
package struct SimulatedDisplay: Sendable {
  /// The intervals between refreshes, each up to its refresh number; the last interval applies from then on.
  private let rates: [(until: Int64, interval: Int64)]
  /// The interval at the start.
  package let interval: Int64
  /// The compositor's wake-up delays after a refresh, used in rotation.
  package var wakeDelays: [Int64] = [0]

  /// A display with one refresh rate.
  package init(interval: Int64) {
    self.interval = interval
    rates = [(.max, interval)]
  }

  /// A display that changes its refresh rate: each rate lasts until a refresh, and the last rate lasts until the end.
  package init(changing rates: [(until: Int64, interval: Int64)]) {
    self.rates = rates.dropLast() + [(.max, rates[rates.count - 1].interval)]
    interval = rates[0].interval
  }

  /// The time at which the compositor wakes for a refresh.
  func wake(_ number: Int64) -> Int64 {
    time(number) + wakeDelays[Int(number) % wakeDelays.count]
  }

  /// The shortest and the longest time between refreshes.
  package var intervals: ClosedRange<Int64> {
    let all = rates.map(\.interval)
    return (all.min() ?? interval)...(all.max() ?? interval)
  }

  /// Whether the display has one refresh rate throughout.
  package var keepsRate: Bool { rates.count == 1 }

  /// The first refresh at or after a time.
  package func first(atOrAfter instant: Int64) -> Int64 {
    var start: (number: Int64, time: Int64) = (0, 0)
    for rate in rates {
      let count = rate.until == .max ? Int64.max : rate.until - start.number
      let steps = max(0, (instant - start.time + rate.interval - 1) / rate.interval)
      if steps <= count { return start.number + steps }
      start = (rate.until, start.time + count * rate.interval)
    }
    return start.number
  }

  /// The time of a refresh.
  package func time(_ number: Int64) -> Int64 {
    var time: Int64 = 0
    var start: Int64 = 0
    for rate in rates {
      let end = min(number, rate.until)
      time += max(0, end - start) * rate.interval
      start = max(start, end)
    }
    return time
  }
}

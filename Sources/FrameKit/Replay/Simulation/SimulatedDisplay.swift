/// The refreshes of a simulated display.
package struct SimulatedDisplay: Sendable {
  /// The time between refreshes, up to each of these refreshes and from the last on.
  private let rates: [(until: Int64, interval: Int64)]
  /// The time between refreshes at the start.
  package let interval: Int64
  /// How long after a refresh the compositor wakes, refresh by refresh and over again.
  package var wakeDelays: [Int64] = [0]

  /// A display with one rate.
  package init(interval: Int64) {
    self.interval = interval
    rates = [(.max, interval)]
  }

  /// A display that changes its rate: each one until a refresh, the last one for good.
  package init(changing rates: [(until: Int64, interval: Int64)]) {
    self.rates = rates
    interval = rates[0].interval
  }

  /// When the compositor wakes for a refresh.
  func wake(_ number: Int64) -> Int64 {
    time(number) + wakeDelays[Int(number) % wakeDelays.count]
  }

  /// When a refresh is.
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

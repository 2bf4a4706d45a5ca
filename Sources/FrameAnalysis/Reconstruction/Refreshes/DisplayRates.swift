import FrameTrace

/// Refresh rates that displays have.
enum DisplayRates {
  /// The rates in hertz, in the order in which they are tried: the common ones first, so that times
  /// that fit several grids are attributed to the more likely display.
  static let hertz: [Int64] = [
    60, 120, 90, 144, 165, 240, 75, 72, 100, 80, 48, 50, 85, 160, 170, 175, 180, 200, 280, 300,
    360, 480, 500, 540,
  ]

  /// The time between refreshes at each of those rates.
  static let intervals = hertz.map { Nanoseconds((1_000_000_000 + $0 / 2) / $0) }

  /// The tolerance of a display's interval, as the divisor of the nominal interval.
  static let tolerance: Int64 = 200

  /// Whether a display has a rate with this interval.
  static func has(_ interval: Nanoseconds) -> Bool {
    intervals.contains { ($0 - interval).magnitude * tolerance <= $0 }
  }

  /// The interval of the lowest rate assumed for a display unless a source states otherwise: 39 Hz.
  static let longest = Nanoseconds(25_641_026)

  /// The rates that a lower rate may represent if the display's rate is not visible, in hertz.
  private static let usual: [Double] = [48, 50, 60, 72, 75, 90, 100, 120, 144, 165, 240]
  /// The rates above that displays have less often than a multiple.
  private static let rare: [Double] = [48, 50, 72]

  /// The smallest integer above one by which a rate must be multiplied to get a usual one, within 1 %; `nil` if there
  /// is none, or if the rate is itself a usual rate that is not rare.
  static func usualMultiple(of interval: Nanoseconds) -> Int64? {
    let rate = 1e9 / Double(interval.count)
    let contains = { (rates: [Double], rate: Double) in
      rates.contains { abs($0 - rate) * 100 <= $0 }
    }
    guard !contains(usual, rate) || contains(rare, rate) else { return nil }
    let most = Int64(max(1, 242.4 / rate))
    return (1...most).first { $0 > 1 && contains(usual, Double($0) * rate) }
  }
}

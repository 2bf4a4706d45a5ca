import FrameTrace

/// Refresh rates that displays have.
enum DisplayRates {
  /// In the order in which they are tried, in hertz: the frequent ones first, so that times that
  /// fit several grids are taken for those of the display that is more likely.
  static let hertz: [Int64] = [
    60, 120, 90, 144, 165, 240, 75, 72, 100, 80, 48, 50, 85, 160, 170, 175, 180, 200, 280, 300,
    360, 480, 500, 540,
  ]

  /// The time between refreshes at each of those rates.
  static let intervals = hertz.map { Nanoseconds((1_000_000_000 + $0 / 2) / $0) }

  /// By how much the interval of a display may differ from that of its rate: this part of it.
  static let tolerance: Int64 = 200

  /// Whether a display has a rate with this interval.
  static func has(_ interval: Nanoseconds) -> Bool {
    intervals.contains { ($0 - interval).magnitude * tolerance <= $0 }
  }

  /// The time between refreshes at the lowest rate that displays have unless a source says so: 39 Hz.
  static let longest = Nanoseconds(25_641_026)

  /// The rates that a lower one stands for where nothing shows the display's own, in hertz.
  private static let usual: [Double] = [48, 50, 60, 72, 75, 90, 100, 120, 144, 165, 240]

  /// The smallest whole number, above one, by which a rate has to be multiplied to give a usual one, within 1 %; `nil`
  /// where there is none, or the rate is a usual one itself.
  static func usualMultiple(of interval: Nanoseconds) -> Int64? {
    let rate = 1e9 / Double(interval.count)
    let isUsual = { (rate: Double) in usual.contains { abs($0 - rate) * 100 <= $0 } }
    guard !isUsual(rate) else { return nil }
    let most = Int64(max(1, 242.4 / rate))
    return (1...most).first { $0 > 1 && isUsual(Double($0) * rate) }
  }
}

/// Refresh rates that displays have.
enum DisplayRates {
  /// In the order in which they are tried, in hertz: the frequent ones first, so that times that
  /// fit several grids are taken for those of the display that is more likely.
  static let hertz: [Int64] = [
    60, 120, 90, 144, 165, 240, 75, 72, 100, 80, 48, 50, 85, 160, 170, 175, 180, 200, 280, 300,
    360, 480, 500, 540,
  ]

  /// The time between refreshes at each of those rates, in nanoseconds.
  static let intervals: [Int64] = hertz.map { (1_000_000_000 + $0 / 2) / $0 }

  /// By how much the interval of a display may differ from that of its rate: this part of it.
  static let tolerance: Int64 = 200

  /// Whether a display has a rate with this interval.
  static func has(_ interval: Int64) -> Bool {
    intervals.contains { abs($0 - interval) * tolerance <= $0 }
  }
}

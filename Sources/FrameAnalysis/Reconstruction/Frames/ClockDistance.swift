/// The distance from frame to frame of a steady clock, as a fraction of refreshes.
///
/// A display shows each frame of a clock at the first refresh after the frame is due. The distance over `n` frames
/// therefore differs by less than one refresh from `n` times this distance.
struct ClockDistance: Equatable {
  let refreshes: Int64
  let frames: Int

  var isWhole: Bool { frames == 1 }
  var mean: Double { Double(refreshes) / Double(frames) }

  /// The maximum distance over a number of frames.
  func most(over count: Int) -> Int64 {
    (Int64(count) * refreshes + Int64(frames) - 1) / Int64(frames)
  }

  /// The minimum distance over a number of frames.
  func least(over count: Int) -> Int64 { Int64(count) * refreshes / Int64(frames) }
}

/// The distances that a clock may have, found from frames that keep it: an open range of fractions.
struct ClockRange {
  private typealias Fraction = (numerator: Int64, denominator: Int64)
  private var lower: Fraction = (0, 1)
  private var upper: Fraction = (1, 0)

  /// Narrows the range to the distances that agree with a distance over a number of frames.
  mutating func narrow(to refreshes: Int64, over frames: Int) {
    let (least, most) = ((refreshes - 1, Int64(frames)), (refreshes + 1, Int64(frames)))
    if Self.isLess(lower, least) { lower = least }
    if Self.isLess(most, upper) { upper = most }
  }

  var isEmpty: Bool { !Self.isLess(lower, upper) }

  /// The distance in the range with the fewest frames; it is at least one refresh if the range contains such a
  /// distance.
  var simplest: ClockDistance {
    let found = Self.simplest(lower, upper)
    return ClockDistance(refreshes: found.numerator, frames: Int(found.denominator))
  }

  private static func isLess(_ one: Fraction, _ other: Fraction) -> Bool {
    one.numerator * other.denominator < other.numerator * one.denominator
  }

  /// The fraction between two others with the smallest denominator, computed with continued fractions.
  private static func simplest(_ lower: Fraction, _ upper: Fraction) -> Fraction {
    let whole = lower.numerator / lower.denominator
    if isLess((whole + 1, 1), upper) { return (whole + 1, 1) }
    let rest = simplest(
      (upper.denominator, upper.numerator - whole * upper.denominator),
      (lower.denominator, lower.numerator - whole * lower.denominator))
    return (whole * rest.numerator + rest.denominator, rest.numerator)
  }
}

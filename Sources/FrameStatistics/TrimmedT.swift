extension TwoSampleT {
  /// Compares trimmed means: a share of the smallest and of the largest values of each group is
  /// removed, so that a few outliers do not affect the result.
  ///
  /// K. K. Yuen, "The two-sample trimmed t for unequal population variances", Biometrika 61 (1974),
  /// with the sum of both groups' degrees of freedom, because the groups have the same size here.
  /// - Precondition: At least five values remain in each group.
  package static func trimmed(
    _ first: [Double], _ second: [Double], share: Double
  ) -> TwoSampleT {
    let (one, other) = (TrimmedMean(first, share: share), TrimmedMean(second, share: share))
    return TwoSampleT(
      difference: other.mean - one.mean,
      standardError: (one.squaredError + other.squaredError).squareRoot(),
      degrees: Double(one.left + other.left - 2), level: one.mean)
  }

  /// Compares the groups if the order of the runs is known: the difference as measured, and what is left of it with a
  /// term for a steady drift from run to run, both with the noise that is left beside such a drift. Ordinary least squares
  /// on a constant, the side, and the position in that order.
  /// - Parameters:
  ///   - places: The position of each run of the first group, then of each of the second, from 0.
  /// - Returns: `nil` where the effect of the side cannot be separated from the drift.
  package static func ordered(
    _ first: [Double], _ second: [Double], places: [Int]
  ) -> (measured: TwoSampleT, withoutDrift: TwoSampleT)? {
    let values = first + second
    let n = Double(values.count)
    guard values.count > 3, places.count == values.count else { return nil }
    let middle = Double(places.reduce(0, +)) / n
    let drift = places.map { Double($0) - middle }
    let share = Double(second.count) / n
    let side = values.indices.map { ($0 < first.count ? 0 : 1) - share }
    let dot = { (one: [Double], other: [Double]) in
      zip(one, other).reduce(0) { $0 + $1.0 * $1.1 }
    }
    // Both are centered, so that two equations are left.
    let (ss, dd, sd) = (dot(side, side), dot(drift, drift), dot(side, drift))
    let determinant = ss * dd - sd * sd
    guard determinant > 1e-9 * ss * dd else { return nil }
    let mean = values.reduce(0, +) / n
    let centered = values.map { $0 - mean }
    let (sy, dy) = (dot(side, centered), dot(drift, centered))
    let effect = (dd * sy - sd * dy) / determinant
    let slope = (ss * dy - sd * sy) / determinant
    let rest = values.indices.map { centered[$0] - effect * side[$0] - slope * drift[$0] }
    let degrees = n - 3
    let variance = dot(rest, rest) / degrees
    return (
      TwoSampleT(
        difference: sy / ss, standardError: (variance / ss).squareRoot(), degrees: degrees),
      TwoSampleT(
        difference: effect, standardError: (variance * dd / determinant).squareRoot(),
        degrees: degrees)
    )
  }
}

/// The mean of the middle of some values, with the square of its standard error.
private struct TrimmedMean {
  let mean: Double
  let squaredError: Double
  /// How many values are left.
  let left: Int

  init(_ values: [Double], share: Double) {
    let winsorized = WinsorizedValues(values, cut: Int(share * Double(values.count)))
    (mean, left) = (winsorized.mean, winsorized.left)
    squaredError = winsorized.squares / Double(left * (left - 1))
  }
}

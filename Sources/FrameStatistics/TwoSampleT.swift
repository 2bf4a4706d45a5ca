/// A comparison of two groups of values using Student's t.
package struct TwoSampleT: Hashable, Sendable {
  /// The second mean minus the first.
  package let difference: Double
  package let standardError: Double
  package let degrees: Double

  package var t: Double { difference / standardError }

  /// The probability of a difference as great or greater, if there is no true difference.
  package var pSecondGreater: Double { StudentsT.above(t, degrees: degrees) }
  /// The probability of a difference as small or smaller, if there is no true difference.
  package var pSecondLess: Double { StudentsT.above(-t, degrees: degrees) }
  /// The probability of a difference at least as far from zero, if there is no true difference.
  package var pTwoSided: Double { 2 * StudentsT.above(abs(t), degrees: degrees) }

  /// The interval that contains the true difference with a confidence such as 0.95.
  package func interval(_ confidence: Double) -> (low: Double, high: Double) {
    let reach = StudentsT.quantile(0.5 + confidence / 2, degrees: degrees) * standardError
    return (difference - reach, difference + reach)
  }

  /// Creates a comparison with a known standard error.
  package init(difference: Double, standardError: Double, degrees: Double) {
    self.difference = difference
    // Runs that are identical to the last bit still differ in unmeasured effects.
    self.standardError = max(standardError, 1e-9)
    self.degrees = degrees
  }

  /// Compares the groups with one variance for both groups.
  /// - Precondition: There are at least three values in all, and at least one in each group.
  package static func pooled(_ first: [Double], _ second: [Double]) -> TwoSampleT {
    moderated(first, second, variance: 0, degrees: 0)
  }

  /// Compares the groups with a variance that is partly known from other data, such as earlier
  /// runs.
  package static func moderated(
    _ first: [Double], _ second: [Double], variance known: Double, degrees: Double
  ) -> TwoSampleT {
    let (one, other) = (Moments(first), Moments(second))
    let own = Double(first.count + second.count - 2)
    let variance = (degrees * known + one.squares + other.squares) / (degrees + own)
    let inverse = 1 / Double(first.count) + 1 / Double(second.count)
    return TwoSampleT(
      difference: other.mean - one.mean, standardError: (variance * inverse).squareRoot(),
      degrees: degrees + own)
  }

  /// Compares the groups by the differences of pairs: one value of each group at the same index.
  /// - Precondition: Both groups have the same number of values, at least two.
  package static func paired(_ first: [Double], _ second: [Double]) -> TwoSampleT {
    let differences = Moments(zip(first, second).map { $1 - $0 })
    let count = Double(differences.count)
    return TwoSampleT(
      difference: differences.mean, standardError: (differences.variance / count).squareRoot(),
      degrees: count - 1)
  }

  /// Compares the groups with a variance for each, after Welch and Satterthwaite.
  /// - Precondition: There are at least two values in each group.
  package static func welch(_ first: [Double], _ second: [Double]) -> TwoSampleT {
    let (one, other) = (Moments(first), Moments(second))
    return TwoSampleT(
      difference: other.mean - one.mean,
      means: [one, other].map { ($0.variance / Double($0.count), Double($0.count - 1)) })
  }

  /// Creates a comparison of two means with separately estimated variances, with the degrees of
  /// freedom of Satterthwaite.
  package init(difference: Double, means: [(variance: Double, degrees: Double)]) {
    let sum = means.reduce(0) { $0 + $1.variance }
    let squares = means.reduce(0) { $0 + $1.variance * $1.variance / $1.degrees }
    let most = means.reduce(0) { $0 + $1.degrees }
    self.init(
      difference: difference, standardError: sum.squareRoot(),
      degrees: squares > 0 ? min(max(sum * sum / squares, 1), most) : most)
  }

  /// The number of values that each group needs to find a difference with a given probability.
  /// - Parameters:
  ///   - spread: The standard deviation of the values.
  ///   - level: The probability of a false finding, one-sided.
  /// - Returns: `nil` if more than `most` would be needed.
  package static func sizeNeeded(
    toFind difference: Double, spread: Double, level: Double, power: Double = 0.8, most: Int = 200
  ) -> Int? {
    guard spread > 0, difference > 0 else { return 2 }
    return (2...most).first { n in
      let degrees = Double(2 * n - 2)
      let limit = StudentsT.quantile(1 - level, degrees: degrees)
      let noncentrality = difference / (spread * (2 / Double(n)).squareRoot())
      return StudentsT.above(limit, degrees: degrees, noncentrality: noncentrality) >= power
    }
  }
}

extension TwoSampleT {
  /// The number of values that each group needs to decide about a change as large as the observed one: to show it if it
  /// is as large as the threshold, or else to rule out the threshold.
  /// - Parameters:
  ///   - level: The probability of a false finding, one-sided.
  ///   - doubt: The probability of falsely ruling out the threshold.
  package static func sizeNeeded(
    toDecide seen: Double, threshold: Double, spread: Double, level: Double, doubt: Double
  ) -> Int? {
    seen >= threshold
      ? sizeNeeded(toFind: seen, spread: spread, level: level)
      : sizeNeeded(toFind: threshold - seen, spread: spread, level: doubt)
  }
}

/// The mean of some values and their sum of squares around the mean.
package struct Moments {
  package let mean: Double
  package let squares: Double
  package let count: Int

  package init(_ values: [Double]) {
    count = values.count
    let mean = values.reduce(0, +) / Double(max(1, values.count))
    self.mean = mean
    squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  /// The moments of values with multiplicities.
  package init(_ values: [(value: Double, count: Int64)]) {
    let number = values.reduce(0.0) { $0 + Double($1.count) }
    count = Int(clamping: values.reduce(Int128(0)) { $0 + Int128($1.count) })
    let mean = values.reduce(0.0) { $0 + $1.value * Double($1.count) } / max(1, number)
    self.mean = mean
    squares = values.reduce(0.0) { $0 + ($1.value - mean) * ($1.value - mean) * Double($1.count) }
  }

  /// The estimated variance of the distribution; 0 for a single value.
  package var variance: Double { count > 1 ? squares / Double(count - 1) : 0 }
}

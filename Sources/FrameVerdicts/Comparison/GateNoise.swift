import FrameStatistics

/// How much a figure differs between unchanged runs, and what that does to a limit on it.
///
/// Lengths of time and rates are computed with by their logarithms where all are above 0, as noise grows with
/// them; shares and sums as they are.
package struct GateNoise: Hashable, Sendable {
  let count: Int
  /// The middle value, and how much values of one run deviate; both on the scale.
  private let median, mean, deviation: Double
  private let isLogarithmic: Bool

  /// - Returns: `nil` for fewer than two values, which show no noise.
  init?(_ values: [Double], unit: String) {
    guard values.count >= 2 else { return nil }
    let median = RealQuantile.type7(values.sorted(), 0.5)
    isLogarithmic = ["ms", "fps"].contains(unit) && values.allSatisfy { $0 > 0 }
    let isLogarithmic = isLogarithmic
    let scaled = values.map { isLogarithmic ? Elementary.log($0) : $0 }
    count = values.count
    let n = Double(count)
    let mean = scaled.reduce(0, +) / n
    self.mean = mean
    self.median = isLogarithmic ? Elementary.log(median) : median
    let deviation =
      (scaled.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)).squareRoot()
    let least = isLogarithmic ? Self.leastDeviation : Self.leastDeviation * mean.magnitude
    self.deviation = deviation > least ? deviation : 0
  }

  /// Runs that differ by less, as a share, are alike: a quantile that refreshes hold still until it jumps tells
  /// nothing of how often it does.
  private static let leastDeviation = 1e-4

  private var degrees: Double { Double(count - 1) }

  private func scaled(_ value: Double) -> Double? {
    guard isLogarithmic else { return value }
    return value > 0 ? Elementary.log(value) : nil
  }

  private func unscaled(_ value: Double) -> Double {
    isLogarithmic ? Elementary.exp(value) : value
  }

  /// The deviation of one run, in the unit, at the median.
  package var spread: Double {
    isLogarithmic ? Elementary.exp(median) * deviation : deviation
  }

  /// The one-sided 95 % bound of what the median of such runs settles on: below it for a limit from above.
  func bound(from isUpper: Bool) -> Double {
    let reach =
      StudentsT.quantile(0.95, degrees: degrees) * deviation
      * Self.medianVariance(count).squareRoot()
    return unscaled(isUpper ? median - reach : median + reach)
  }

  /// The chance that the median of so many more runs, unchanged, is past a limit; `nil` with fewer than three
  /// runs or where all are alike, which tells nothing of rare ones.
  func chancePast(_ limit: Double, isUpper: Bool, runs: Int = 1) -> Double? {
    guard count >= 3, deviation > 0 else { return nil }
    // What is above 0 is always above a limit of 0 or less.
    guard let limit = scaled(limit) else { return isUpper ? 1 : 0 }
    let room = (isUpper ? limit - mean : mean - limit) / foreseen(runs)
    return StudentsT.above(room, degrees: degrees)
  }

  /// The limit that the median of so many more runs, unchanged, is past by this chance; `nil` as with
  /// `chancePast`.
  func limit(past chance: Double, isUpper: Bool, runs: Int) -> Double? {
    guard count >= 3, deviation > 0 else { return nil }
    let reach = StudentsT.quantile(1 - chance, degrees: degrees) * foreseen(runs)
    let value = unscaled(isUpper ? mean + reach : mean - reach)
    return value.isFinite ? value : nil
  }

  /// The value that the median of so many runs has to have settled on for nine in ten to be past a limit.
  func level(noticedBy limit: Double, isUpper: Bool, runs: Int) -> Double? {
    guard let limit = scaled(limit) else { return nil }
    let reach =
      StudentsT.quantile(0.9, degrees: degrees) * deviation
      * Self.medianVariance(runs).squareRoot()
    let value = unscaled(isUpper ? limit + reach : limit - reach)
    return value.isFinite ? value : nil
  }

  /// The standard error with which the median of so many more runs is foreseen: theirs, and that of the mean of
  /// these.
  private func foreseen(_ runs: Int) -> Double {
    deviation * (Self.medianVariance(runs) + 1 / Double(count)).squareRoot()
  }

  /// The variance of the median of so many normal values of variance 1: right for one, within 2 % for odd
  /// numbers, and more than it is for even ones (exact values in Rider, "Variance of the median of small
  /// samples", JASA 55, 1960).
  private static func medianVariance(_ runs: Int) -> Double {
    Double.pi / (2 * (Double(runs) - 1) + Double.pi)
  }
}

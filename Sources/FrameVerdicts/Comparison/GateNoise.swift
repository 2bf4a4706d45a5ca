import FrameStatistics

/// How much a figure varies between unchanged runs, and how that affects a limit on it.
///
/// Durations and rates are analyzed as logarithms if all values are above 0, because their noise is proportional to
/// them; shares and sums are analyzed without conversion.
package struct GateNoise: Hashable, Sendable {
  let count: Int
  /// The median, the mean, and the standard deviation of one run; all on the analyzed scale.
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

  /// Runs that differ by less than this share count as equal: a quantile bound to refreshes stays
  /// constant until it jumps, and does not show how often it jumps.
  private static let leastDeviation = 1e-4

  private var degrees: Double { Double(count - 1) }

  private func scaled(_ value: Double) -> Double? {
    guard isLogarithmic else { return value }
    return value > 0 ? Elementary.log(value) : nil
  }

  private func unscaled(_ value: Double) -> Double {
    isLogarithmic ? Elementary.exp(value) : value
  }

  /// The standard deviation of one run, in the unit, at the median.
  package var spread: Double {
    isLogarithmic ? Elementary.exp(median) * deviation : deviation
  }

  /// The one-sided 95 % bound of the true median of such runs; a lower bound if the limit is an upper limit.
  func bound(from isUpper: Bool) -> Double {
    let reach =
      StudentsT.quantile(0.95, degrees: degrees) * deviation
      * Self.medianVariance(count).squareRoot()
    return unscaled(isUpper ? median - reach : median + reach)
  }

  /// The chance that the median of this many further unchanged runs exceeds a limit; `nil` with fewer than three runs,
  /// or if all runs are equal, because equal runs do not show rare values.
  func chancePast(_ limit: Double, isUpper: Bool, runs: Int = 1) -> Double? {
    guard count >= 3, deviation > 0 else { return nil }
    // Values above 0 are always above a limit of 0 or less.
    guard let limit = scaled(limit) else { return isUpper ? 1 : 0 }
    let room = (isUpper ? limit - mean : mean - limit) / foreseen(runs)
    return StudentsT.above(room, degrees: degrees)
  }

  /// The limit that the median of this many further unchanged runs exceeds with this chance; `nil` under the same
  /// conditions as for `chancePast`.
  func limit(past chance: Double, isUpper: Bool, runs: Int) -> Double? {
    guard count >= 3, deviation > 0 else { return nil }
    let reach = StudentsT.quantile(1 - chance, degrees: degrees) * foreseen(runs)
    let value = unscaled(isUpper ? mean + reach : mean - reach)
    return value.isFinite ? value : nil
  }

  /// The true median at which nine in ten medians of this many runs exceed a limit.
  func level(noticedBy limit: Double, isUpper: Bool, runs: Int) -> Double? {
    guard let limit = scaled(limit) else { return nil }
    let reach =
      StudentsT.quantile(0.9, degrees: degrees) * deviation
      * Self.medianVariance(runs).squareRoot()
    let value = unscaled(isUpper ? limit + reach : limit - reach)
    return value.isFinite ? value : nil
  }

  /// The standard error of a predicted median of this many further runs: it combines the error of
  /// that median with the error of the mean of the existing runs.
  private func foreseen(_ runs: Int) -> Double {
    deviation * (Self.medianVariance(runs) + 1 / Double(count)).squareRoot()
  }

  /// The variance of the median of this many normal values of variance 1: exact for one value,
  /// within 2 % for odd numbers, and too high for even ones (exact values in Rider, "Variance of
  /// the median of small samples", JASA 55, 1960).
  private static func medianVariance(_ runs: Int) -> Double {
    Double.pi / (2 * (Double(runs) - 1) + Double.pi)
  }
}

import FrameStatistics

/// Whether the newest jobs of a series deviate from their level. A single job can deviate for
/// unrelated reasons, so two or three must agree.
///
/// The last two, or three, jobs are compared with up to fifty jobs of the level by a t-test of
/// their mean. The test accounts for the dependence between jobs, and each of the newest jobs must
/// deviate by itself. A job far above the next one has little weight.
package struct NewestJobs {
  /// The number of newest jobs that are tested, the p value required of their mean, and the p value
  /// required of the least deviating job.
  private struct Rule {
    let count: Int
    let mean, least: Double
  }

  private static let rules = [
    Rule(count: 2, mean: 0.003, least: 0.05), Rule(count: 3, mean: 0.008, least: 0.3),
  ]
  /// The largest number of newest jobs in a rule.
  static let mostNew = 3
  /// The minimum and maximum number of a level's jobs that are used.
  package static let levelJobs = 12...50
  /// A job that exceeds the next one by more than this many standard deviations is an outlier; then
  /// the least deviating job must reach this p value.
  private static let gap = 2.5
  private static let leastBesideGap = 0.01
  /// The p value at which a single job is suspected.
  private static let leastOfOne = 0.01

  /// The result of a rule.
  struct Finding {
    /// The number of newest jobs.
    let count: Int
    /// The mean of these jobs minus the mean of the level; an outlier among these jobs is capped.
    let difference: Double
    /// The bounds of the difference, each with one-sided 95 % confidence.
    let low, high: Double
    /// If there is no change, the probability of such a mean, and the probability of the least deviating job.
    let p, pOfLeast: Double
    /// The p value at which the finding is red.
    let level: Double
    let isRed: Bool
  }

  let findings: [Finding]
  /// The newest job tested against its level, if the job deviates so much that it should be measured again.
  let suspicion: TwoSampleT?

  /// The finding with the clearest evidence.
  var clearest: Finding? {
    findings.filter(\.isRed).min { $0.p / $0.level < $1.p / $1.level }
      ?? findings.min { $0.p / $0.level < $1.p / $1.level }
  }
  var isRed: Bool { findings.contains(where: \.isRed) }
  /// The probability that one check is red without a change; for normal noise, this is the combined result of the
  /// rules.
  static let level = 0.005
  /// The combined p value of the rules, which is red at `level` or below.
  var p: Double {
    findings.filter(\.isRed).map { min(1, $0.p / $0.level * Self.level) }.min() ?? 1
  }

  /// - Parameters:
  ///   - values: The scaled values, in order; larger is worse.
  ///   - threshold: The smallest change worth acting on, scaled.
  ///   - start: The index at which the level begins.
  ///   - noise: The variation between jobs when nothing changed.
  init(_ values: [Double], threshold: Double, from start: Int, noise: SeriesNoise) {
    findings = Self.rules.compactMap { Self.judge(values, threshold, start, $0, noise) }
    suspicion = Self.suspicion(values, threshold, start)
  }

  private static func level(_ values: [Double], _ start: Int, before count: Int) -> [Double]? {
    let end = values.count - count
    guard end - start >= levelJobs.lowerBound else { return nil }
    return Array(values[max(start, end - levelJobs.upperBound)..<end])
  }

  private static func judge(
    _ values: [Double], _ threshold: Double, _ start: Int, _ rule: Rule, _ noise: SeriesNoise
  ) -> Finding? {
    guard let level = level(values, start, before: rule.count) else { return nil }
    var newest = Array(values.suffix(rule.count).sorted())
    let count = Double(level.count)
    let moments = Moments(level)
    let spread = noise.spread(ofLevel: max(moments.variance, 1e-30).squareRoot())
    let dependence = noise.dependence
    // Cap the largest value at a fixed distance above the next one.
    let last = newest.count - 1
    let limit = newest[last - 1] + gap * spread
    let isApart = newest[last] > limit
    newest[last] = min(newest[last], limit)
    let difference = newest.reduce(0, +) / Double(newest.count) - moments.mean
    let error =
      spread
      * (dependence.ofMean(newest.count) / Double(newest.count) + dependence.ofLevel / count)
      .squareRoot()
    let degrees = noise.degrees(level.count)
    let p = StudentsT.above(difference / error, degrees: degrees)
    let least = (newest[0] - moments.mean) / (spread * (1 + 1 / count).squareRoot())
    let pOfLeast = StudentsT.above(least, degrees: degrees)
    let isRed =
      p <= rule.mean && difference >= threshold
      && pOfLeast <= (isApart ? leastBesideGap : rule.least)
    let reach = StudentsT.quantile(0.95, degrees: degrees) * error
    return Finding(
      count: rule.count, difference: difference, low: difference - reach,
      high: difference + reach, p: p, pOfLeast: pOfLeast, level: rule.mean, isRed: isRed)
  }

  private static func suspicion(
    _ values: [Double], _ threshold: Double, _ start: Int
  ) -> TwoSampleT? {
    guard let level = level(values, start, before: 1), let newest = values.last else { return nil }
    let test = TwoSampleT.pooled(level, [newest])
    return test.difference >= threshold && test.pSecondGreater <= leastOfOne ? test : nil
  }
}

/// Whether a series has drifted away from its start too slowly for any single job to deviate from
/// its level.
struct Creep {
  private static let firstJobs = 20
  private static let lastJobs = 10
  private static let level = 0.001
  /// The required drift, as a multiple of the smallest change worth acting on.
  private static let thresholds = 1.5

  /// The median of the last jobs minus the median of the first.
  let difference: Double
  let p: Double
  let isFound: Bool

  /// - Parameters:
  ///   - values: The scaled values, in order; larger is worse.
  ///   - threshold: The smallest change worth acting on, scaled.
  ///   - start: The index at which the accepted level begins.
  /// - Returns: `nil` with fewer than forty jobs since that index.
  init?(_ values: [Double], threshold: Double, from start: Int) {
    guard values.count - start >= Self.firstJobs + 2 * Self.lastJobs else { return nil }
    let first = Array(values[start..<start + Self.firstJobs])
    let last = Array(values.suffix(Self.lastJobs))
    let difference = RealQuantile.type7(last, 0.5) - RealQuantile.type7(first, 0.5)
    let degrees = Double(first.count + last.count - 2)
    let variance = (Moments(first).squares + Moments(last).squares) / degrees
    let inverse = 1 / Double(first.count) + 1 / Double(last.count)
    // For normal noise, the variance of a median is larger than that of a mean by this factor.
    let error = max(Double.pi / 2 * variance * inverse, 1e-30).squareRoot()
    p = StudentsT.above(difference / error, degrees: degrees)
    self.difference = difference
    isFound = difference >= Self.thresholds * threshold && p <= Self.level
  }
}

import FrameStatistics

/// Whether the newest jobs of a series are off their level, by their number: one job can be off for reasons
/// of its own, so that two or three have to agree.
///
/// The last two, or three, are held against up to fifty jobs of the level by a t-test of their mean, which takes
/// into account that jobs depend on the one before, and each of them has to be off by itself. One that is far above
/// the next one counts for little.
package struct NewestJobs {
  /// How many of the newest jobs are looked at, the probability of their mean, and that of the one that is
  /// least off.
  private struct Rule {
    let count: Int
    let mean, least: Double
  }

  private static let rules = [
    Rule(count: 2, mean: 0.003, least: 0.05), Rule(count: 3, mean: 0.008, least: 0.3),
  ]
  /// The most jobs that a rule is of.
  static let mostNew = 3
  /// The fewest and the most jobs of a level.
  package static let levelJobs = 12...50
  /// A job further above the next one than so many standard deviations stands by itself, and then the
  /// others have to be this unlikely.
  private static let gap = 2.5
  private static let leastBesideGap = 0.01
  /// The probability at which one job by itself is suspected.
  private static let leastOfOne = 0.01

  /// What a rule found.
  struct Finding {
    /// How many jobs it is of.
    let count: Int
    /// Their mean less that of the level; where one of them stands apart it counts for less.
    let difference: Double
    /// The bounds of that, each of 95 % confidence to its side.
    let low, high: Double
    /// The probability of such a mean when there is no change, and of the one that is least off.
    let p, pOfLeast: Double
    /// The probability that makes it red.
    let level: Double
    let isRed: Bool
  }

  let findings: [Finding]
  /// The newest job by itself against its level, where it is off by so much that it ought to be measured again.
  let suspicion: TwoSampleT?

  /// The finding that speaks most clearly.
  var clearest: Finding? {
    findings.filter(\.isRed).min { $0.p / $0.level < $1.p / $1.level }
      ?? findings.min { $0.p / $0.level < $1.p / $1.level }
  }
  var isRed: Bool { findings.contains(where: \.isRed) }
  /// The probability of one check that is red without a change, as the rules together have it for normal noise.
  static let level = 0.005
  /// What the rules found as one probability, which is red at `level` or below.
  var p: Double {
    findings.filter(\.isRed).map { min(1, $0.p / $0.level * Self.level) }.min() ?? 1
  }

  /// - Parameters:
  ///   - values: Scaled, in order, more being worse.
  ///   - threshold: The smallest change worth acting on, scaled.
  ///   - start: Where the level begins.
  ///   - noise: How jobs differ where nothing changed.
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
    // The largest counts as no more than so far above the next one.
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

/// Whether a series has crept away from where it began, too slowly for any job to be off its level.
struct Creep {
  private static let firstJobs = 20
  private static let lastJobs = 10
  private static let level = 0.001
  /// By how many times the smallest change worth acting on it has to be off.
  private static let thresholds = 1.5

  /// The median of the last jobs less that of the first.
  let difference: Double
  let p: Double
  let isFound: Bool

  /// - Parameters:
  ///   - values: Scaled, in order, more being worse.
  ///   - threshold: The smallest change worth acting on, scaled.
  ///   - start: Where the level begins that was accepted.
  /// - Returns: `nil` with fewer than forty jobs since then.
  init?(_ values: [Double], threshold: Double, from start: Int) {
    guard values.count - start >= Self.firstJobs + 2 * Self.lastJobs else { return nil }
    let first = Array(values[start..<start + Self.firstJobs])
    let last = Array(values.suffix(Self.lastJobs))
    let difference = RealQuantile.type7(last, 0.5) - RealQuantile.type7(first, 0.5)
    let degrees = Double(first.count + last.count - 2)
    let variance = (Moments(first).squares + Moments(last).squares) / degrees
    let inverse = 1 / Double(first.count) + 1 / Double(last.count)
    // The variance of a median is larger than that of a mean by this, for normal noise.
    let error = max(Double.pi / 2 * variance * inverse, 1e-30).squareRoot()
    p = StudentsT.above(difference / error, degrees: degrees)
    self.difference = difference
    isFound = difference >= Self.thresholds * threshold && p <= Self.level
  }
}

import FrameStatistics

/// The difference of two groups of runs in one figure. The method depends on the number of runs,
/// their order and the history.
struct SideStatistics {
  /// The method, the same for all figures.
  enum Method: Hashable {
    /// A single variance for both sides.
    case pooled
    /// The ranks of the runs of both sides.
    case ranks
    /// The differences of pairs; each pair has one run of each side.
    case paired
    /// The differences of pairs in random order, valid after any number of looks.
    case bets
    /// A pooled and a Welch's t-test, used if the sides differ in number of runs; both must find a
    /// change.
    case unequal
    /// One variance, with and without a term for a drift over the known order of the runs; both tests must find a
    /// change.
    case ordered([Int])
    /// A variance estimated from earlier runs as well.
    case history
    /// Means of complete jobs, compared using the variance of earlier jobs.
    case jobs
    /// One side has a single run, with an assumed noise.
    case singleRun
  }

  /// The second side minus the first, as measured.
  let difference: Double
  /// The values that must reach a threshold for a rise to count, and for a fall to count.
  let leastRise, leastFall: Double
  /// If there is no difference, the probability of a difference at least as great, and of one at least as small.
  let pRise, pFall: Double
  /// The bounds of the difference, each with one-sided 95 % confidence.
  let low, high: Double
  /// The maximum possible rise, with the same confidence, if a run far from the others counts fully.
  let most: Double
  /// The standard deviation between runs.
  let noise: Double
  /// The evidence of a sequential comparison; `nil` for other comparisons.
  let evidence: PairedEvidence?

  /// - Parameters:
  ///   - before, after: The scaled values, one per run.
  ///   - within: The mean variance within runs of each side, by bootstrap; evaluated only if a side
  ///     has one run.
  init(
    _ method: Method, _ before: [Double], _ after: [Double], history: [Double], assumed: Double,
    within: () -> (before: Double, after: Double, mean: Double)
  ) {
    let inverse = 1 / Double(before.count) + 1 / Double(after.count)
    switch method {
    case .pooled:
      let test = TwoSampleT.pooled(before, after)
      self.init([test], noise: test.standardError / inverse.squareRoot())
    case .ranks:
      self.init(ranksOf: before, after, noise: 1 / inverse.squareRoot())
    case .paired:
      let test = TwoSampleT.paired(before, after)
      self.init([test], noise: test.standardError / inverse.squareRoot())
    case .bets:
      let evidence = PairedEvidence(zip(before, after).map { $1 - $0 })
      self.init(
        evidence,
        noise: TwoSampleT.paired(before, after).standardError / inverse.squareRoot())
    case .unequal:
      let test = TwoSampleT.pooled(before, after)
      self.init([test, .welch(before, after)], noise: test.standardError / inverse.squareRoot())
    case .ordered(let positions):
      // The second test alone extrapolates if order and side nearly coincide: its result can lie beyond all runs.
      let test = TwoSampleT.pooled(before, after)
      let ordered = TwoSampleT.ordered(before, after, positions: positions)
      self.init(
        ordered.map { [$0.measured, $0.withoutDrift] } ?? [test],
        noise: test.standardError / inverse.squareRoot())
    case .history:
      let (test, noise) = Self.moderated(before, after, history, within: within)
      self.init([test], noise: noise)
    case .jobs:
      let known = RobustVariance(history)
      let noise = known.variance.squareRoot()
      let test = TwoSampleT(
        difference: Moments(after).mean - Moments(before).mean,
        standardError: noise * 2.0.squareRoot(), degrees: known.degrees)
      self.init([test], noise: noise)
    case .singleRun:
      let variances = within()
      let known = variances.before + variances.after
      let all = known + assumed * assumed * inverse
      let degrees = known > 0 ? all * all / (known * known / 5) : 1e6
      let test = TwoSampleT(
        difference: Moments(after).mean - Moments(before).mean, standardError: all.squareRoot(),
        degrees: min(max(degrees, 5), 1e6))
      self.init([test], noise: (all / inverse).squareRoot())
    }
  }

  /// The result of several tests that must all find a change.
  private init(_ tests: [TwoSampleT], noise: Double) {
    let differences = tests.map(\.difference)
    difference = differences[0]
    (leastRise, leastFall) = (differences.min() ?? 0, differences.max() ?? 0)
    pRise = tests.map(\.pSecondGreater).max() ?? 1
    pFall = tests.map(\.pSecondLess).max() ?? 1
    low = tests.map { $0.interval(0.9).low }.min() ?? 0
    high = tests.map { $0.interval(0.9).high }.max() ?? 0
    most = high
    self.noise = noise
    evidence = nil
  }

  /// The result of bets: the inverse of their winnings is a probability that holds over all looks. It may be above 1,
  /// which matters if figures share their stakes.
  private init(_ evidence: PairedEvidence, noise: Double) {
    difference = evidence.center
    (leastRise, leastFall) = (difference, difference)
    pRise = Elementary.exp(-evidence.log(above: 0))
    pFall = Elementary.exp(-evidence.log(below: 0))
    let doubt = ComparisonConstants.doubt
    low = evidence.lowerBound(error: doubt) ?? -.infinity
    high = evidence.upperBound(error: doubt) ?? .infinity
    most = high
    self.noise = noise
    self.evidence = evidence
  }

  /// The result of ranks.
  /// - Parameter noise: The standard deviation of a run, in standard errors of a difference of means.
  private init(ranksOf before: [Double], _ after: [Double], noise: Double) {
    let shift = HodgesLehmann(before, after, confidence: 0.9)
    let means = TwoSampleT.pooled(before, after)
    difference = shift.shift
    (leastRise, leastFall) = (difference, difference)
    pRise = MannWhitney(before, after).pSecondGreater
    pFall = MannWhitney(after, before).pSecondGreater
    (low, high) = (shift.low, shift.high)
    // Ranks do not show how long a single stall in ten runs was.
    most = max(high, means.interval(0.9).high)
    self.noise = means.standardError * noise
    evidence = nil
  }

  private static func moderated(
    _ before: [Double], _ after: [Double], _ history: [Double],
    within: () -> (before: Double, after: Double, mean: Double)
  ) -> (TwoSampleT, Double) {
    let known = RobustVariance(history)
    let inverse = 1 / Double(before.count) + 1 / Double(after.count)
    if before.count == 1, after.count == 1 {
      // If a run varies more internally than earlier runs varied among each other, the larger variance is used.
      let variance = max(known.variance, within().mean)
      let test = TwoSampleT(
        difference: after[0] - before[0], standardError: (variance * inverse).squareRoot(),
        degrees: known.degrees)
      return (test, variance.squareRoot())
    }
    let own = TwoSampleT.pooled(before, after)
    let ratio = own.standardError * own.standardError / (inverse * max(known.variance, 1e-300))
    let isStrange =
      FisherF.above(ratio, degrees: own.degrees, below: known.degrees)
      < ComparisonConstants.strangeSpread
    let test =
      isStrange
      ? own
      : TwoSampleT.moderated(before, after, variance: known.variance, degrees: known.degrees)
    return (test, test.standardError / inverse.squareRoot())
  }
}

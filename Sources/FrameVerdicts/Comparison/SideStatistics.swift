import FrameStatistics

/// The difference of two groups of runs in one figure, by the method that their number, their order and
/// the history allow.
struct SideStatistics {
  /// The method, for all figures alike.
  enum Method: Hashable {
    /// One variance for both sides.
    case pooled
    /// The same, and a trimmed t beside it: either may find a change.
    case trimmed
    /// The differences of pairs, of which each has one run of either side.
    case paired
    /// One variance, and one for each side: both have to find it, because the sides differ in number of runs.
    case unequal
    /// One variance, and a term for a drift over the known order of the runs.
    case ordered([Int])
    /// Variance known from earlier runs too.
    case history
    /// Means of whole jobs against the variance of earlier jobs.
    case jobs
    /// One run on a side, and noise that is assumed.
    case singleRun
  }

  /// The estimate that the probability of a rise rests on, and that of a fall.
  let rise, fall: Double
  /// What the first side is taken to be around where each of them is shown; `nil` for its mean.
  let levelOfRise, levelOfFall: Double?
  /// The probability of a difference as great or greater when there is none, and as small or smaller.
  let pRise, pFall: Double
  /// The bounds of the difference, each of 95 % confidence to its side.
  let low, high: Double
  /// The standard deviation from run to run.
  let noise: Double

  /// - Parameters:
  ///   - before, after: The scaled values, one a run.
  ///   - within: The mean variance within runs of each side, by the bootstrap; asked for only
  ///     where one run has to do.
  init(
    _ method: Method, _ before: [Double], _ after: [Double], history: [Double], assumed: Double,
    within: () -> (before: Double, after: Double, mean: Double)
  ) {
    let inverse = 1 / Double(before.count) + 1 / Double(after.count)
    switch method {
    case .pooled:
      let test = TwoSampleT.pooled(before, after)
      self.init([test], noise: test.standardError / inverse.squareRoot())
    case .trimmed:
      let test = TwoSampleT.pooled(before, after)
      let trimmed = TwoSampleT.trimmed(
        before, after, share: ComparisonConstants.trimmedShare)
      self.init(either: test, trimmed, noise: test.standardError / inverse.squareRoot())
    case .paired:
      let test = TwoSampleT.paired(before, after)
      self.init([test], noise: test.standardError / inverse.squareRoot())
    case .unequal:
      let test = TwoSampleT.pooled(before, after)
      self.init([test, .welch(before, after)], noise: test.standardError / inverse.squareRoot())
    case .ordered(let places):
      let test = TwoSampleT.pooled(before, after)
      let ordered = TwoSampleT.ordered(before, after, places: places) ?? test
      self.init([ordered], noise: test.standardError / inverse.squareRoot())
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

  /// What all of several tests find.
  private init(_ tests: [TwoSampleT], noise: Double) {
    rise = tests[0].difference
    fall = tests[0].difference
    (levelOfRise, levelOfFall) = (tests[0].level, tests[0].level)
    pRise = tests.map(\.pSecondGreater).max() ?? 1
    pFall = tests.map(\.pSecondLess).max() ?? 1
    low = tests.map { $0.interval(0.9).low }.min() ?? 0
    high = tests.map { $0.interval(0.9).high }.max() ?? 0
    self.noise = noise
  }

  /// What either of two tests finds.
  private init(either one: TwoSampleT, _ other: TwoSampleT, noise: Double) {
    let rising = one.pSecondGreater <= other.pSecondGreater ? one : other
    let falling = one.pSecondLess <= other.pSecondLess ? one : other
    (rise, levelOfRise) = (rising.difference, rising.level)
    (fall, levelOfFall) = (falling.difference, falling.level)
    let factor = ComparisonConstants.eitherFactor
    pRise = min(1, factor * min(one.pSecondGreater, other.pSecondGreater))
    pFall = min(1, factor * min(one.pSecondLess, other.pSecondLess))
    let confidence = 1 - 0.1 / factor
    low = max(one.interval(confidence).low, other.interval(confidence).low)
    high = min(one.interval(confidence).high, other.interval(confidence).high)
    self.noise = noise
  }

  private static func moderated(
    _ before: [Double], _ after: [Double], _ history: [Double],
    within: () -> (before: Double, after: Double, mean: Double)
  ) -> (TwoSampleT, Double) {
    let known = RobustVariance(history)
    let inverse = 1 / Double(before.count) + 1 / Double(after.count)
    if before.count == 1, after.count == 1 {
      // A run that varies more within than earlier ones did among each other is not believed.
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

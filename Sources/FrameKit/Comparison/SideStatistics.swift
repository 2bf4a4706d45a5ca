/// The difference of two groups of runs in one figure, by the method that their number and
/// the history allow.
struct SideStatistics {
  /// The method, for all figures alike.
  enum Method: Hashable {
    /// One variance for both sides.
    case pooled
    /// A variance for each side, as they have different numbers of runs.
    case welch
    /// Variance known from earlier runs too.
    case history
    /// Means of whole jobs against the variance of earlier jobs.
    case jobs
    /// One run on a side, and noise that is assumed.
    case singleRun
  }

  let test: TwoSampleT
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
      test = .pooled(before, after)
      noise = test.standardError / inverse.squareRoot()
    case .welch:
      test = .welch(before, after)
      noise = TwoSampleT.pooled(before, after).standardError / inverse.squareRoot()
    case .history:
      (test, noise) = Self.moderated(before, after, history, within: within)
    case .jobs:
      let moments = Moments(history)
      let difference = Moments(after).mean - Moments(before).mean
      noise = moments.variance.squareRoot()
      test = TwoSampleT(
        difference: difference, standardError: noise * 2.0.squareRoot(),
        degrees: Double(history.count - 1))
    case .singleRun:
      let variances = within()
      let known = variances.before + variances.after
      let all = known + assumed * assumed * inverse
      let degrees = known > 0 ? all * all / (known * known / 5) : 1e6
      test = TwoSampleT(
        difference: Moments(after).mean - Moments(before).mean, standardError: all.squareRoot(),
        degrees: min(max(degrees, 5), 1e6))
      noise = (all / inverse).squareRoot()
    }
  }

  private static func moderated(
    _ before: [Double], _ after: [Double], _ history: [Double],
    within: () -> (before: Double, after: Double, mean: Double)
  ) -> (TwoSampleT, Double) {
    let known = Moments(history)
    let inverse = 1 / Double(before.count) + 1 / Double(after.count)
    if before.count == 1, after.count == 1 {
      // A run that varies more within than earlier ones did among each other is not believed.
      let variance = max(known.variance, within().mean)
      let test = TwoSampleT(
        difference: after[0] - before[0], standardError: (variance * inverse).squareRoot(),
        degrees: Double(known.count - 1))
      return (test, variance.squareRoot())
    }
    let test = TwoSampleT.moderated(
      before, after, variance: known.variance, degrees: Double(known.count - 1))
    return (test, test.standardError / inverse.squareRoot())
  }
}

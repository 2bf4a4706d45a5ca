import FrameStatistics

/// The variation between jobs of a series when nothing changed: its size, and the dependence
/// between jobs.
struct SeriesNoise {
  /// The standard deviation of jobs around their long levels.
  let spread: Double
  let dependence: JobDependence
  /// The number of jobs used for the estimate.
  let count: Int

  /// The maximum number of jobs used, counted before the newest ones.
  private static let most = 100
  /// A level of at least this many jobs counts as intended. A shorter level, for example from a temporary machine,
  /// counts as part of the noise.
  private static let longLevel = 20

  /// - Parameters:
  ///   - values: The scaled values, in order.
  ///   - bounds: The start of each level, and the end of the last one.
  init(_ values: [Double], levels bounds: [Int]) {
    var rest: [Double] = []
    var stretch: [Double] = []
    let close = { (stretch: inout [Double], rest: inout [Double]) in
      guard !stretch.isEmpty else { return }
      let middle = RealQuantile.type7(stretch, 0.5)
      rest += stretch.map { $0 - middle }
      stretch = []
    }
    for (start, end) in zip(bounds, bounds.dropFirst()) {
      let isLong = end - start >= Self.longLevel
      if isLong { close(&stretch, &rest) }
      stretch += values[start..<end]
      if isLong { close(&stretch, &rest) }
    }
    close(&stretch, &rest)
    let jobs = Array(rest.dropLast(NewestJobs.mostNew).suffix(Self.most))
    let moments = Moments(jobs)
    spread = max(moments.variance, 1e-30).squareRoot()
    dependence = JobDependence(jobs, moments)
    count = jobs.count
  }

  /// The standard deviation to use for a level with the given deviation: if jobs depend on each other, a single level
  /// underestimates the variation.
  func spread(ofLevel own: Double) -> Double { dependence.isNone ? own : max(own, spread) }

  /// The degrees of freedom of the variance of a level with a number of jobs.
  func degrees(_ jobs: Int) -> Double {
    dependence.isNone ? Double(jobs - 1) : dependence.degrees(max(jobs, count))
  }

  /// The comparison of the means of two levels.
  func compared(_ old: [Double], _ new: [Double]) -> TwoSampleT {
    let moments = [Moments(old), Moments(new)]
    let degrees = Double(max(1, old.count + new.count - 2))
    let within = ((moments[0].squares + moments[1].squares) / degrees).squareRoot()
    let own = spread(ofLevel: within)
    let inverse = 1 / Double(old.count) + 1 / Double(new.count)
    return TwoSampleT(
      difference: moments[1].mean - moments[0].mean,
      standardError: own * (dependence.ofLevel * inverse).squareRoot(),
      degrees: min(degrees, self.degrees(old.count + new.count)))
  }
}

/// The beats of a clock: a straight line through the times on beats, as a function of their beat numbers.
struct RhythmBeats {
  /// The time from one beat to the next, and the time of beat 0, in seconds.
  private(set) var period, phase: Double
  /// Half of the width of the 95 % confidence interval of the period, in seconds; `nil` if beats drift, fewer than
  /// three times are on beats, or all are on the same beat.
  private(set) var uncertainty: Double?
  /// For each time, whether it is on a beat.
  private(set) var isOn: [Bool] = []

  /// The maximum distance of a time on a beat from that beat, as a share of the period.
  static let tolerance = 1.0 / 8

  /// Fits beats to ascending times, in seconds, from an approximate period.
  init(_ times: [Double], period: Double) {
    self.period = period
    phase = Self.meanPhase(of: times, period)
    // The fit and the selection of times on a beat depend on each other.
    for _ in 0..<4 {
      let beats = times.map { (($0 - phase) / self.period).rounded(.toNearestOrEven) }
      isOn = zip(times, beats).map {
        abs($0 - phase - $1 * self.period) <= self.period * Self.tolerance
      }
      let points = zip(zip(beats, times), isOn).filter(\.1).map(\.0)
      guard let line = RegressionLine(points) else { break }
      (self.period, phase, uncertainty) = (line.slope, line.intercept, line.uncertainty)
    }
  }

  /// The mean of times within a recurring period, as the mean direction on a circle.
  private static func meanPhase(of times: [Double], _ period: Double) -> Double {
    let angles = times.map { 2 * Double.pi * $0 / period }
    let x = angles.reduce(0) { $0 + Elementary.cosine($1) }
    let y = angles.reduce(0) { $0 + Elementary.sine($1) }
    // The tangent of half of the angle.
    return Elementary.arctangent(y / ((x * x + y * y).squareRoot() + x)) / .pi * period
  }

  /// The number of times on a beat.
  var count: Int { isOn.count { $0 } }
}

/// A straight line with the least squared differences of y.
private struct RegressionLine {
  let slope, intercept: Double
  /// Half of the width of the 95 % confidence interval of the slope; `nil` if neighboring points are on the same side,
  /// so that they do not count as independent.
  let uncertainty: Double?

  /// - Returns: `nil` for fewer than three points, and if all have the same x.
  init?(_ points: [(x: Double, y: Double)]) {
    let n = Double(points.count)
    guard points.count >= 3 else { return nil }
    let mean = (
      x: points.reduce(0) { $0 + $1.x } / n,
      y: points.reduce(0) { $0 + $1.y } / n
    )
    let width = points.reduce(0) { $0 + ($1.x - mean.x) * ($1.x - mean.x) }
    guard width > 0 else { return nil }
    let slope = points.reduce(0) { $0 + ($1.x - mean.x) * ($1.y - mean.y) } / width
    let intercept = mean.y - slope * mean.x
    let differences = points.map { $0.y - intercept - slope * $0.x }
    let squares = differences.reduce(0) { $0 + $1 * $1 }
    (self.slope, self.intercept) = (slope, intercept)
    let half = StudentsT.quantile(0.975, degrees: n - 2) * (squares / (n - 2) / width).squareRoot()
    // The ratio is 2 for independent points: J. von Neumann, "Distribution of the ratio of the mean
    // square successive difference to the variance", Annals of Mathematical Statistics 12 (1941).
    let steps = zip(differences, differences.dropFirst()).reduce(0) {
      $0 + ($1.1 - $1.0) * ($1.1 - $1.0)
    }
    let isExact = squares <= n * Self.rounding * Self.rounding * mean.y * mean.y
    uncertainty = isExact || steps >= squares ? half : nil
  }

  /// The relative size of differences that are caused only by rounding.
  private static let rounding = 1e-9
}

/// The distances from each time to the next one, in periods: if beats drift, neighbors still keep their distance.
struct RhythmSteps {
  /// For each time, whether its distance from a neighbor is one to three periods.
  let isOn: [Bool]
  /// The share of such distances.
  let share: Double

  /// - Parameter times: At least two ascending times, in seconds.
  init(_ times: [Double], period: Double) {
    let isStep = zip(times, times.dropFirst()).map { first, second in
      let distance = (second - first) / period
      let whole = distance.rounded(.toNearestOrEven)
      return (1...3).contains(whole) && abs(distance - whole) <= RhythmBeats.tolerance
    }
    isOn = zip(isStep + [false], [false] + isStep).map { $0 || $1 }
    share = Double(isStep.count { $0 }) / Double(isStep.count)
  }
}

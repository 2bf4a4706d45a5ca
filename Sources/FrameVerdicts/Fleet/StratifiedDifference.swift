import FrameStatistics

/// The difference between two sides with values of several kinds, adjusted to the same mix of
/// kinds.
///
/// Each kind present on both sides is weighted by its number of values on both sides, so that a
/// side with more runs of a slow device does not look slower. The test uses one variance for all
/// values. If the sides differ in size, a second test uses one variance for each side, and both
/// must find a change.
struct StratifiedDifference {
  /// The means at the common mix.
  let before, after: Double
  /// The difference of the unadjusted means.
  let plain: Double
  /// The number of values on each side, counting only kinds that both sides have.
  let counts: (before: Int, after: Int)
  /// Half of the sum of the differences in the shares of kinds: 0 for the same mix, 1 if no kind is in common.
  let mixChange: Double
  /// The tests, all of which must find a change.
  private let tests: [TwoSampleT]

  /// The difference at the common mix.
  var difference: Double { after - before }

  /// - Parameter kinds: The moments of the values of both sides, for each kind.
  /// - Returns: `nil` if the values have no variance estimate.
  init?(_ kinds: [(before: Moments, after: Moments)]) {
    let common = kinds.filter { $0.before.count > 0 && $0.after.count > 0 }
    let numbers = common.map { Double($0.before.count + $0.after.count) }
    let all = numbers.reduce(0, +)
    guard all > 0 else { return nil }
    let weights = numbers.map { $0 / all }
    let sides = [common.map(\.before), common.map(\.after)]
    let isEven = common.allSatisfy { $0.before.count == $0.after.count }
    let means = sides.map { side in zip(weights, side).reduce(0) { $0 + $1.0 * $1.1.mean } }
    guard let tests = Self.tests(weights, sides, means[1] - means[0], isEven: isEven) else {
      return nil
    }
    self.tests = tests
    (before, after) = (means[0], means[1])
    plain = Self.mean(kinds.map(\.after)) - Self.mean(kinds.map(\.before))
    counts = (Self.count(sides[0]), Self.count(sides[1]))
    let totals = [kinds.map(\.before), kinds.map(\.after)].map { Double(max(1, Self.count($0))) }
    mixChange =
      kinds.reduce(0) { sum, kind in
        sum + abs(Double(kind.before.count) / totals[0] - Double(kind.after.count) / totals[1])
      } / 2
  }

  /// The probability of a difference at least as large if there is no difference.
  var pRise: Double { tests.map(\.pSecondGreater).max() ?? 1 }

  /// The probability of a difference at least as small if there is no difference.
  var pFall: Double { tests.map(\.pSecondLess).max() ?? 1 }

  /// The bounds of the difference, each with one-sided 95 % confidence.
  var bounds: (low: Double, high: Double) {
    let intervals = tests.map { $0.interval(0.9) }
    return (intervals.map(\.low).min() ?? 0, intervals.map(\.high).max() ?? 0)
  }

  /// The tests; `nil` if a side has no variance estimate.
  private static func tests(
    _ weights: [Double], _ sides: [[Moments]], _ difference: Double, isEven: Bool
  ) -> [TwoSampleT]? {
    let degrees = sides.map { $0.reduce(0) { $0 + Double($1.count - 1) } }
    guard degrees.allSatisfy({ $0 >= 1 }) else { return nil }
    let squares = sides.map { $0.reduce(0) { $0 + $1.squares } }
    // The factors from the variance of one value to that of each side's mean.
    let shares = sides.map { side in
      zip(weights, side).reduce(0) { $0 + $1.0 * $1.0 / Double($1.1.count) }
    }
    let all = degrees[0] + degrees[1]
    let variance = (squares[0] + squares[1]) / all
    let pooled = TwoSampleT(
      difference: difference, standardError: (variance * (shares[0] + shares[1])).squareRoot(),
      degrees: all)
    guard !isEven else { return [pooled] }
    let each = [0, 1].map { side in
      (variance: squares[side] / degrees[side] * shares[side], degrees: degrees[side])
    }
    return [pooled, TwoSampleT(difference: difference, means: each)]
  }

  private static func count(_ side: [Moments]) -> Int { side.reduce(0) { $0 + $1.count } }

  private static func mean(_ side: [Moments]) -> Double {
    side.reduce(0) { $0 + $1.mean * Double($1.count) } / Double(max(1, count(side)))
  }
}

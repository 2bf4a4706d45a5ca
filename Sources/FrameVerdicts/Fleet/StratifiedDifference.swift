import FrameStatistics

/// The difference between two sides with values of several kinds, adjusted to the same mix of
/// kinds.
///
/// Each kind present on both sides is weighted by its number of values on both sides, so that a
/// side with more runs of a slow device does not look slower. From five values a side on, trimmed
/// means are compared, so that a stray value costs little. The test uses one variance for all
/// values. If the sides differ in size, a second test uses one variance for each side, and both
/// must find a change.
struct StratifiedDifference {
  /// The means at the common mix, trimmed if there are enough values.
  let before, after: Double
  /// The difference of the plain means.
  let plain: Double
  /// The number of values on each side, of kinds that both sides have.
  let counts: (before: Int, after: Int)
  /// Half of the sum of the differences in the shares of kinds: 0 for the same mix, 1 for no kind
  /// in common.
  let mixChange: Double
  /// The tests, all of which must find a change.
  private let tests: [TwoSampleT]

  /// The difference at the common mix.
  var difference: Double { after - before }

  /// The variance of one value, as used in the tests, with its degrees of freedom.
  let variance: (variance: Double, degrees: Double)

  /// - Parameters:
  ///   - kinds: The values of both sides, for each kind.
  ///   - shared: The common part of the variances of all groups.
  /// - Returns: `nil` if the values have no variance estimate.
  init?(
    _ kinds: [(before: StratifiedSide, after: StratifiedSide)], shared: SharedVariance? = nil
  ) {
    let common = kinds.filter { $0.before.plain.count > 0 && $0.after.plain.count > 0 }
    let numbers = common.map { Double($0.before.plain.count + $0.after.plain.count) }
    let all = numbers.reduce(0, +)
    guard all > 0 else { return nil }
    let weights = numbers.map { $0 / all }
    let sizes = [common.map(\.before), common.map(\.after)].map { sides in
      sides.reduce(0) { $0 + $1.plain.count }
    }
    let isEven = common.allSatisfy { $0.before.plain.count == $0.after.plain.count }
    let isTrimmed = sizes.min() ?? 0 >= ComparisonConstants.fewestTrimmed
    let part = { (side: StratifiedSide) in isTrimmed ? side.trimmed : side.plain }
    let parts = common.map { (before: part($0.before), after: part($0.after)) }
    guard let tests = Self.tests(weights, parts, isEven: isEven, shared) else { return nil }
    self.tests = tests
    let degrees = parts.reduce(0.0) { $0 + Double($1.before.left + $1.after.left - 2) }
    let squares = parts.reduce(0) { $0 + $1.before.squares + $1.after.squares }
    variance = (squares / max(1, degrees), degrees)
    before = tests[0].level ?? 0
    after = before + tests[0].difference
    plain =
      Self.mean(kinds.map(\.after.plain)) - Self.mean(kinds.map(\.before.plain))
    counts = (sizes[0], sizes[1])
    let totals = [kinds.map(\.before), kinds.map(\.after)].map { sides in
      Double(max(1, sides.reduce(0) { $0 + $1.plain.count }))
    }
    mixChange =
      kinds.reduce(0) { sum, kind in
        sum
          + abs(
            Double(kind.before.plain.count) / totals[0] - Double(kind.after.plain.count) / totals[1]
          )
      } / 2
  }

  /// If the true difference is at most the threshold, the probability of one at least as large.
  func pAbove(_ threshold: Double) -> Double {
    tests.map { $0.pDifference(above: threshold) }.max() ?? 1
  }

  /// If the true difference is at least minus the threshold, the probability of one at least as
  /// small.
  func pBelow(_ threshold: Double) -> Double {
    tests.map { $0.pDifference(below: -threshold) }.max() ?? 1
  }

  /// The bounds of the difference, each with one-sided 95 % confidence.
  var bounds: (low: Double, high: Double) {
    let intervals = tests.map { $0.interval(0.9) }
    return (intervals.map(\.low).min() ?? 0, intervals.map(\.high).max() ?? 0)
  }

  private typealias Part = StratifiedSide.Part

  /// The tests for one kind of mean; `nil` if a side has no variance estimate.
  private static func tests(
    _ weights: [Double], _ kinds: [(before: Part, after: Part)], isEven: Bool,
    _ shared: SharedVariance?
  ) -> [TwoSampleT]? {
    let sides = [kinds.map(\.before), kinds.map(\.after)]
    let means = sides.map { side in zip(weights, side).reduce(0) { $0 + $1.0 * $1.1.mean } }
    let degrees = sides.map { $0.reduce(0) { $0 + Double($1.left - 1) } }
    guard degrees.allSatisfy({ $0 >= 1 }) else { return nil }
    let squares = sides.map { $0.reduce(0) { $0 + $1.squares } }
    // The factors from the variance of one value to that of each side's mean.
    let shares = sides.map { side in
      zip(weights, side).reduce(0) { $0 + $1.0 * $1.0 / Double($1.1.left) }
    }
    let known = (
      squares: shared.map { $0.variance * $0.degrees } ?? 0, degrees: shared?.degrees ?? 0
    )
    let all = degrees[0] + degrees[1] + known.degrees
    let variance = (squares[0] + squares[1] + known.squares) / all
    let pooled = TwoSampleT(
      difference: means[1] - means[0],
      standardError: (variance * (shares[0] + shares[1])).squareRoot(), degrees: all,
      level: means[0])
    guard !isEven else { return [pooled] }
    let each = [0, 1].map { side in
      let own = degrees[side] + known.degrees
      return (
        variance: (squares[side] + known.squares) / own * shares[side], degrees: own
      )
    }
    return [pooled, TwoSampleT(difference: means[1] - means[0], means: each)]
  }

  private static func mean(_ kinds: [Part]) -> Double {
    kinds.reduce(0) { $0 + $1.mean * Double($1.count) }
      / Double(max(1, kinds.reduce(0) { $0 + $1.count }))
  }
}

/// The values of one side of one kind.
struct StratifiedSide {
  /// A mean, with the data for its standard error.
  struct Part {
    let mean: Double
    /// The sum of squared deviations from the mean.
    let squares: Double
    /// The number of values, and the number of values left after trimming.
    let count, left: Int
  }

  let plain: Part
  /// The part without the smallest and the largest quarter of the values. Its squares are
  /// winsorized: removed values count as the nearest remaining one.
  let trimmed: Part

  /// - Parameter values: In ascending order, with the number of occurrences of each.
  init(_ values: [(value: Double, count: Int64)]) {
    let moments = Moments(values)
    plain = Part(
      mean: moments.mean, squares: moments.squares, count: moments.count, left: moments.count)
    let cut = Int(ComparisonConstants.trimmedShareOfFleets * Double(moments.count))
    guard cut > 0 else {
      trimmed = plain
      return
    }
    let (low, high) = (
      Self.value(ofRank: cut, values), Self.value(ofRank: moments.count - 1 - cut, values)
    )
    let winsorized = Moments(values.map { (value: min(max($0.value, low), high), count: $0.count) })
    let left = moments.count - 2 * cut
    let sum = winsorized.mean * Double(moments.count) - Double(cut) * (low + high)
    trimmed = Part(
      mean: sum / Double(left), squares: winsorized.squares, count: moments.count, left: left)
  }

  private static func value(ofRank rank: Int, _ values: [(value: Double, count: Int64)]) -> Double {
    var before: Int64 = 0
    for (value, count) in values {
      before += count
      if rank < before { return value }
    }
    return values.last?.value ?? 0
  }
}

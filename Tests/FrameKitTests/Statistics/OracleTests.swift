import Foundation
import Testing

@testable import FrameStatistics

/// Statistics against values that other programs compute: SciPy 1.17, and sums written out in Python.
@Suite struct OracleTests {
  private static func near(_ found: Double, _ wanted: Double, _ tolerance: Double = 1e-9) -> Bool {
    abs(found - wanted) <= tolerance * max(1, abs(wanted))
  }

  /// `binomtest(k, n).proportion_ci(method="wilson")`
  @Test(
    arguments: [
      (15, 50, 0.1910355350088095, 0.4375035046445341),
      (1, 3, 0.06149194472039626, 0.7923403991979523), (0, 10, 0, 0.27753279986288926),
      (10, 10, 0.7224672001371109, 1), (97, 100, 0.9154806357094724, 0.9897454759759611),
    ] as [(Int, Int, Double, Double)])
  func sharesHaveWilsonsInterval(_ seen: Int, _ cases: Int, _ low: Double, _ high: Double) throws {
    let interval = try #require(WilsonInterval.of(seen, among: cases))
    #expect(Self.near(interval.lowerBound, low) && Self.near(interval.upperBound, high))
  }

  private static let first = [9.1, 8.7, 9.4, 9.9, 8.2, 9.0]
  private static let second = [9.8, 10.4, 9.6, 10.9, 10.1]

  /// `ttest_ind` with and without one variance, `ttest_rel`: t, p of two sides, degrees, bounds of 95 %.
  @Test func meansAreComparedAsByTTests() {
    for (test, t, p, degrees, low, high) in [
      (
        TwoSampleT.pooled(Self.first, Self.second), 3.318021444633189, 0.008968539564843687, 9.0,
        0.3532253701170399, 1.8667746298829626
      ),
      (
        TwoSampleT.welch(Self.first, Self.second), 3.3605518729705346, 0.008450118165646298,
        8.948539251507363, 0.3621474293579253, 1.857852570642077
      ),
      (
        TwoSampleT.paired(Array(Self.first.prefix(5)), Self.second), 3.496029493900504,
        0.024985875909061515, 4, 0.2264119421629539, 1.9735880578370466
      ),
    ] {
      let interval = test.interval(0.95)
      #expect(Self.near(test.t, t) && Self.near(test.pTwoSided, p), "\(test)")
      #expect(Self.near(test.degrees, degrees), "\(test)")
      #expect(Self.near(interval.low, low) && Self.near(interval.high, high), "\(interval)")
    }
    let counted = Moments([(value: 2.0, count: 3), (value: 5, count: 1)])
    #expect(counted.mean == 2.75 && counted.squares == 6.75 && counted.variance == 2.25)
  }

  /// Groups too large for the exact distribution: `mannwhitneyu(method="asymptotic")`, and the ranks of its normal
  /// distribution for the shift.
  @Test func largeGroupsAreComparedByRanks() {
    let first = (0..<40).map { Double($0 * 37 % 101) / 10 }
    let second = (0..<42).map { Double($0 * 53 % 103) / 10 + 1.25 }
    let test = MannWhitney(first, second)
    #expect(!test.isExact && Self.near(test.pSecondGreater, 0.09942531012217432))
    let shift = HodgesLehmann(first, second)
    #expect(Self.near(shift.shift, 0.95) && Self.near(shift.coverage, 0.950241883595311))
    #expect(
      Self.near(shift.low, -0.4500000000000002) && Self.near(shift.high, 2.3499999999999996),
      "\(shift)")
  }

  /// Ten points of which three pairs have one x: 42 slopes, whose statistic has the variance 122.
  @Test func aSlopeHasItsBoundsWithTies() throws {
    let points: [(x: Double, y: Double)] = [
      (1, 2.0), (1, 3.1), (2, 2.5), (2, 4.2), (3, 5.9), (4, 5.1), (5, 7.7), (5, 6.4), (6, 9.3),
      (7, 8.8),
    ]
    let line = try #require(TheilSen(points))
    #expect(Self.near(line.slope, 1.1833333333333336))
    #expect(Self.near(line.low, 0.825) && Self.near(line.high, 1.6), "\(line)")
  }

  /// The winsorized squares by `mstats.winsorize`, their expectation by numeric integration.
  @Test func outliersDoNotMakeAVariance() {
    let robust = RobustVariance([1.0, 2.0, 2.5, 3.0, 3.2, 3.9, 4.1, 5.0, 9.0, 20.0])
    #expect(Self.near(robust.variance, 3.00548384535333), "\(robust.variance)")
  }

  /// The generator, and Lemire's numbers below a count, written out in Python.
  @Test func randomOrdersAreThoseOfTheSeed() {
    var random = SplitMix64(seed: 42)
    #expect((0..<12).map { _ in random.below(10) } == [7, 1, 2, 3, 0, 8, 2, 8, 3, 6, 2, 4])
    random = SplitMix64(seed: 42)
    #expect(random.shuffled(Array(0..<8)) == [4, 3, 2, 0, 7, 6, 1, 5])
    let lasts = Set(
      (0..<60).map { seed -> Int in
        var random = SplitMix64(seed: UInt64(seed))
        return random.shuffled([0, 1, 2, 3])[3]
      })
    #expect(lasts == [0, 1, 2, 3])
  }

  /// Counted values lie in bins that do not leave the smallest and the largest value.
  @Test func binsEndAtTheirValues() throws {
    let values: [Int64] = [-3_000_000, -1_000_000, 0, 2_000_000, 2_000_000, 9_000_000]
    var counts = ValueCounts()
    for value in values { counts.add(value) }
    let steps = counts.steps
    #expect(steps.map(\.count) == [1, 1, 1, 2, 1])
    for (step, value) in zip(steps, [-3.0, -1, 0, 2, 9]) {
      #expect(step.value >= value && step.value <= value + abs(value) / 256, "\(step)")
    }
    #expect(steps.last?.value == 9)
    for (middle, value) in zip(counts.middles, [-3.0, -1, 0, 2, 9]) {
      #expect(Self.near(middle.value, value, ValueCounts.relativeError), "\(middle)")
      #expect((-3...9).contains(middle.value))
    }
    #expect(counts.quantile(0) == -3 && counts.quantile(1) == 9)
  }
}

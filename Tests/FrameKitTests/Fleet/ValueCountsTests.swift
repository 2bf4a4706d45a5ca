import Testing

@testable import FrameStatistics
@testable import FrameVerdicts

@Suite struct ValueCountsTests {
  /// Values of all kinds that metrics have: times, times on a grid, differences around 0.
  private static func values(_ seed: UInt64) -> [Int64] {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 1...400, using: &random)
    return (0..<count).map { _ in
      switch seed % 4 {
      case 0: Int64.random(in: 1...60_000_000, using: &random)
      case 1: Int64.random(in: 1...4, using: &random) * 16_666_667
      case 2: Int64.random(in: -3_000_000...3_000_000, using: &random)
      default: Int64.random(in: 0...2, using: &random) * 1_000_000 - 1_000_000
      }
    }
  }

  @Test("quantiles are as near to those of the values as they say", arguments: 0..<200)
  func quantiles(_ seed: UInt64) throws {
    let values = Self.values(seed)
    let counts = ValueCounts(Sample(values))
    let points = [0, 0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 1]
    let exact = try #require(Quantile.type7(values, points)).map { Millionths.value($0) }
    // Between a value below 0 and one above, a quantile's error is up to that of the larger one.
    let largest = Millionths.value(Double(values.map(\.magnitude).max() ?? 0))
    let isOfOneSign = values.allSatisfy { $0 > 0 }
    for (point, exact) in zip(points, exact) {
      let found = try #require(counts.quantile(point))
      let reach = (isOfOneSign ? exact : largest) * ValueCounts.relativeError
      #expect(abs(found - exact) <= reach + 1e-12, "\(point) of seed \(seed)")
    }
    #expect(
      counts.quantile(0) == exact[0] || !isOfOneSign
        || abs(exact[0] - (counts.quantile(0) ?? 0)) < exact[0] / 512)
    #expect(
      counts.meanInMillionths == values.reduce(0.0) { $0 + Double($1) } / Double(values.count))
    #expect(counts.mean == counts.meanInMillionths.map { Millionths.value($0) })
    #expect(counts.middles.reduce(0) { $0 + $1.count } == Int64(values.count))
  }

  @Test("counts add up in any order and grouping to the same bits", arguments: 0..<50)
  func merging(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let parts = (0..<7).map { ValueCounts(Sample(Self.values(seed &* 7 &+ $0))) }
    let all = parts.reduce(into: ValueCounts()) { $0.merge($1) }
    let shuffled = parts.shuffled(using: &random)
    let cut = Int.random(in: 0...7, using: &random)
    var left = shuffled[..<cut].reduce(into: ValueCounts()) { $0.merge($1) }
    left.merge(shuffled[cut...].reduce(into: ValueCounts()) { $0.merge($1) })
    #expect(left == all)
  }

  @Test func countsOfOtherValuesAreRefused() {
    let one = ValueCounts(Sample([1, 2, 3]))
    let remade = { (count: Int64, sum: Int128, low: Int64, high: Int64) in
      ValueCounts(
        count: count, sum: sum, low: low, high: high, below: one.below, zeros: one.zeros,
        above: one.above)
    }
    #expect(remade(3, 6, 1, 3) == one)
    #expect(remade(4, 6, 1, 3) == nil)
    #expect(remade(3, 60, 1, 3) == nil)
    #expect(remade(3, 2, 1, 3) == nil)
    #expect(remade(3, 6, 3, 1) == nil)
    #expect(remade(3, 6, -1, 3) == nil)
  }
}

@Suite struct StratifiedDifferenceTests {
  private static func side(_ values: [Double]) -> Moments { Moments(values) }

  /// With one kind, it is the test that a comparison of fewer than five runs a side uses.
  @Test func withOneKindItIsTheTestOfAComparison() throws {
    let statistics = { (method: SideStatistics.Method, first: [Double], second: [Double]) in
      SideStatistics(method, first, second, history: [], assumed: 0) { (0, 0, 0) }
    }
    let cases: [(SideStatistics.Method, [Double], [Double])] = [
      (.unequal, [1.0, 2, 4, 3], [2.0, 5, 6]), (.pooled, [1.0, 2, 4, 3], [2.0, 5, 6, 5]),
    ]
    for (method, first, second) in cases {
      let found = try #require(StratifiedDifference([(Self.side(first), Self.side(second))]))
      let expected = statistics(method, first, second)
      #expect(abs(found.pRise - expected.pRise) < 1e-12, "\(method)")
      #expect(abs(found.pFall - expected.pFall) < 1e-12, "\(method)")
      #expect(abs(found.bounds.low - expected.low) < 1e-9, "\(method)")
      #expect(abs(found.bounds.high - expected.high) < 1e-9, "\(method)")
      #expect(found.mixChange == 0)
    }
  }

  /// Both kinds got slower by 1; the slow one became rare.
  @Test func aChangedMixIsNoChange() throws {
    let slow = (before: [20.0, 20.2, 19.8, 20.1, 19.9, 20], after: [21.0, 21.1])
    let fast = (before: [10.0, 10.2], after: [11.0, 11.1, 10.9, 11, 11.2, 10.8])
    let found = try #require(
      StratifiedDifference(
        [slow, fast].map { (Self.side($0.before), Self.side($0.after)) }))
    #expect(abs(found.difference - 0.975) < 0.1)
    #expect(found.plain < -3)
    #expect(found.mixChange == 0.5)
    #expect(found.pRise < 0.001)
  }

  @Test func withoutTwoRunsOfAKindThereIsNoVariance() {
    let none = Self.side([])
    #expect(StratifiedDifference([(Self.side([1]), Self.side([2]))]) == nil)
    #expect(
      StratifiedDifference([(Self.side([1, 2]), none), (none, Self.side([3, 4]))]) == nil)
    #expect(StratifiedDifference([]) == nil)
  }
}

@Suite struct WeightedMomentsTests {
  /// A line of a hundred bytes may state that it stands for a billion runs: they are not expanded.
  @Test func valuesThatAreThereSeveralTimesCountSo() {
    let plain = Moments([2, 2, 2, 5.0])
    let weighted = Moments([(value: 2.0, count: 3), (value: 5.0, count: 1)])
    #expect(weighted.count == 4 && weighted.mean == plain.mean)
    #expect(abs(weighted.squares - plain.squares) < 1e-12)
    #expect(Moments([(value: 1.0, count: 1 << 39), (value: 3.0, count: 1 << 39)]).mean == 2)
  }
}

@Suite struct FalseDiscoveryTests {
  /// The example of Benjamini and Hochberg (1995), section 3.2: four of fifteen at 5 %.
  @Test func theExampleOfThePaper() {
    let probabilities = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
      0.5719, 0.6528, 0.7590, 1,
    ]
    let adjusted = MultipleTests.benjaminiHochberg(probabilities)
    #expect(adjusted.filter { $0 <= 0.05 }.count == 4)
    #expect(abs(adjusted[3] - 0.0095 * 15 / 4) < 1e-12)
    #expect(MultipleTests.benjaminiHochberg(probabilities.reversed()) == adjusted.reversed())
  }
}

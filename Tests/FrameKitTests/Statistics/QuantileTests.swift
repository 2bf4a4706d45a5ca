import Testing

@testable import FrameStatistics

@Suite struct QuantileTests {
  /// Quantiles by sorting, exactly as defined.
  static func bySorting(_ values: [Int64], _ p: Double) -> Double {
    let sorted = values.sorted().map(Double.init)
    let h = Double(sorted.count - 1) * p
    let lower = sorted[Int(h)]
    let upper = sorted[min(Int(h) + 1, sorted.count - 1)]
    return lower + (h - Double(Int(h))) * (upper - lower)
  }

  /// The result of `quantile(x, p, type = 7)` in R 4.2 for c(2, 4, 4, 5, 7, 9, 11, 12, 17, 19).
  @Test(arguments: [(0.0, 2.0), (0.1, 3.8), (0.25, 4.25), (0.5, 8.0), (0.9, 17.2), (1.0, 19.0)])
  func agreesWithPublishedValuesOfType7(_ p: Double, _ expected: Double) throws {
    let found = try #require(Quantile.type7([19, 2, 17, 4, 12, 4, 11, 5, 9, 7], [p]))
    #expect(abs(found[0] - expected) < 1e-12)
  }

  @Test func agreesWithSortingOnValuesOfEveryKind() throws {
    var random = SplitMix64(seed: 5)
    let kinds: [(inout SplitMix64) -> Int64] = [
      { Int64.random(in: 0...3, using: &$0) },
      { Int64.random(in: -1_000_000...1_000_000, using: &$0) },
      { _ in 7 },
      {
        Int64.random(in: 0...999, using: &$0) == 0 ? 1 << 50 : Int64.random(in: 0...5, using: &$0)
      },
      { Int64.random(in: Int64.min + 1...Int64.max, using: &$0) / 4 },
    ]
    let probabilities = [0, 0.01, 0.5, 0.9, 0.95, 0.99, 0.999, 1]
    for kind in kinds {
      for count in [1, 2, 3, 100, 1024, 1025, 20_000] {
        let values = (0..<count).map { _ in kind(&random) }
        let found = try #require(Quantile.type7(values, probabilities))
        for (p, value) in zip(probabilities, found) {
          #expect(value == Self.bySorting(values, p), "n = \(count), p = \(p)")
        }
      }
    }
  }

  /// Of few values, which are partitioned, and of many, which are counted; of values in order, and of equal ones.
  @Test(arguments: [1, 2, 3, 4, 7, 60, 1000, 1024, 1025, 3000], [0, 1, 50, 50_000] as [Int64])
  func selectsEveryRank(_ count: Int, _ most: Int64) {
    var random = SplitMix64(seed: 6)
    let values = (0..<count).map { _ in Int64.random(in: -most...most, using: &random) }
    let sorted = values.sorted()
    for values in [values, sorted, sorted.reversed()] {
      #expect(RankSelection.select(Array(values.indices), of: values) == sorted)
      for rank in stride(from: 0, to: count, by: max(1, count / 20)) {
        #expect(RankSelection.select([rank], of: values) == [sorted[rank]])
        let last = count - 1
        #expect(RankSelection.select([rank, last], of: values) == [sorted[rank], sorted[last]])
        let next = min(rank + 1, last)
        #expect(
          RankSelection.select([rank, rank, next, last], of: values)
            == [rank, rank, next, last].map { sorted[$0] })
      }
    }
  }

  @Test func aSampleWithoutValuesHasNone() {
    #expect(Quantile.type7([], [0.5]) == nil)
    #expect(Summary(Sample([])) == nil)
  }
}

@Suite struct SummaryTests {
  @Test func describesASample() throws {
    let summary = try #require(Summary(Sample([4, 1, 3, 2])))
    #expect(summary.n == 4)
    #expect(summary.minimum == 1)
    #expect(summary.maximum == 4)
    #expect(summary.mean == 2.5)
    #expect(summary.p50 == 2.5)
  }

  @Test func sumsPast64Bits() throws {
    let values = [Int64](repeating: .max, count: 10_000)
    #expect(Sample(values).sum == Int128(Int64.max) * 10_000)
    #expect(try #require(Summary(Sample(values))).mean == Double(Int64.max))
  }

  @Test func theRandomGeneratorIsTheOneOfItsPaper() {
    // The first outputs for seed 1234567 of the reference implementation.
    var random = SplitMix64(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
  }
}

@Suite struct HodgesLehmannTests {
  /// With more pairs than are written out, the result is the same as with all of them.
  @Test func manyPairsGiveTheSame() {
    var random = SplitMix64(seed: 3)
    let first = (0..<1100).map { _ in Double.random(in: -1...1, using: &random) }
    let second = (0..<1000).map { _ in Double.random(in: -0.8...1.3, using: &random) }
    let differences = first.flatMap { one in second.map { $0 - one } }.sorted()
    let found = HodgesLehmann(first, second)
    let count = differences.count
    #expect(found.shift == (differences[(count - 1) / 2] + differences[count / 2]) / 2)
    #expect(differences.contains(found.low) && differences.contains(found.high))
    #expect(found.low < found.shift && found.shift < found.high && found.coverage >= 0.95)
  }
}

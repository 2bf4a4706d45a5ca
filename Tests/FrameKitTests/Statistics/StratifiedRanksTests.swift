import Testing

@testable import FrameStatistics

/// Ranks of two sides with values of several kinds.
@Suite struct StratifiedRanksTests {
  private typealias Kind = (before: [Double], after: [Double])

  private static let kinds: [Kind] = [
    ([10.1, 10.4, 10.9, 11.2], [10.8, 11.0, 11.9]),
    ([20.0, 21.5, 20.7], [21.1, 22.4, 20.7, 23.0]),
    ([5.0, 5.2], [5.1, 5.6]),
  ]

  /// Computed by the formula of van Elteren with NumPy and SciPy's ranks.
  @Test func kindsAddUp() throws {
    let ranks = try #require(StratifiedRanks(Self.kinds))
    #expect(GoldenVectorTests.near(ranks.pRise, 0.045115933784994934, 1e-9))
    #expect(GoldenVectorTests.near(ranks.pFall, 0.9723869890027126, 1e-9))
    #expect(GoldenVectorTests.near(ranks.shift, 0.6, 1e-9))
    #expect(GoldenVectorTests.near(ranks.low, 0, 1e-9))
    #expect(GoldenVectorTests.near(ranks.high, 1.1, 1e-9))
  }

  @Test func oneKindIsTheTestOfMannAndWhitney() throws {
    let (before, after) = Self.kinds[0]
    let ranks = try #require(StratifiedRanks([(before, after), ([1], []), ([], [2])]))
    #expect(ranks.pRise == MannWhitney(before, after).pSecondGreater)
    #expect(ranks.shift == HodgesLehmann(before, after).shift)
    #expect(StratifiedRanks([([1], []), ([], [2])]) == nil)
  }

  /// The exact probabilities of small groups and those of the normal distribution are the same for a reader.
  @Test func theBoundOfExactProbabilitiesIsNotSeen() throws {
    var random = SplitMix64(seed: 2)
    for (count, shift) in [(20, 0.3), (21, 0.3), (20, 0.0), (21, 0.0)] {
      let before = (0..<count).map { _ in random.nextUnit() }
      let after = (0..<count).map { _ in random.nextUnit() + shift }
      let ranks = try #require(StratifiedRanks([(before, after)]))
      let exact = MannWhitney(before, after)
      #expect(abs(ranks.pRise - exact.pSecondGreater) < 0.002)
      let bounds = HodgesLehmann(before, after, confidence: 0.9)
      #expect(abs(ranks.low - bounds.low) < 0.03 && abs(ranks.high - bounds.high) < 0.03)
    }
  }

  @Test func whatAllValuesOfAKindShareChangesNothing() throws {
    let ranks = try #require(StratifiedRanks(Self.kinds))
    let moved = try #require(
      StratifiedRanks(
        zip(Self.kinds, [128.0, -64, 0]).map { kind, move in
          (kind.before.map { $0 + move }, kind.after.map { $0 + move })
        }))
    #expect(abs(moved.shift - ranks.shift) < 1e-9 && abs(moved.pRise - ranks.pRise) < 1e-9)
    let swapped = try #require(StratifiedRanks(Self.kinds.map { ($0.after, $0.before) }))
    #expect(abs(swapped.shift + ranks.shift) < 1e-9 && abs(swapped.pRise - ranks.pFall) < 1e-9)
    #expect(abs(swapped.low + ranks.high) < 1e-9)
  }

  /// A value that grows without limit changes the ranks once, and never makes a rise less probable to be seen.
  @Test func aRunThatGrowsNeverHidesARise() throws {
    var last = 1.0
    for size in [23.0, 30, 300, 1e9] {
      var kinds = Self.kinds
      kinds[1].after[3] = size
      let ranks = try #require(StratifiedRanks(kinds))
      #expect(ranks.pRise <= last)
      last = ranks.pRise
    }
  }

  @Test("without a shift, a probability of 5 % or less is as frequent as that")
  func level() throws {
    var random = SplitMix64(seed: 7)
    let sizes = [(1, 1), (2, 3), (5, 4), (1, 6)]
    let found = try (0..<4000).count { _ in
      let kinds = sizes.map { before, after in
        (
          before: (0..<before).map { _ in random.nextUnit() },
          after: (0..<after).map { _ in random.nextUnit() }
        )
      }
      return try #require(StratifiedRanks(kinds)).pRise <= 0.05
    }
    #expect((100...230).contains(found), "\(found)")
  }
}

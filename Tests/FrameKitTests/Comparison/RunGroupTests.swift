import Testing

@testable import FrameStatistics
@testable import FrameVerdicts

/// Runs of one side at two speeds.
@Suite struct RunGroupTests {
  @Test(
    "a gap of 15 % is named and one of 14 % is not", arguments: [(1.151, true), (1.149, false)])
  func theGap(_ factor: Double, _ isNamed: Bool) {
    let values = [10, 10.1, 10.1 * factor, 10.2 * factor]
    #expect((RunGroup.two(values) != nil) == isNamed)
  }

  @Test(
    "groups that are wider than a third of the gap are one group",
    arguments: [(10.7, true), (10.8, false)])
  func theClearance(_ second: Double, _ isNamed: Bool) {
    // The bound is 10 · 1.33^(1/4) = 10.74.
    #expect((RunGroup.two([10, second, 13.3, 13.3]) != nil) == isNamed)
  }

  @Test func aSingleRunIsAStrayOne() {
    #expect(RunGroup.two([10, 10, 10, 20]) == nil)
    #expect(RunGroup.two([10, 20, 20]) == nil)
    #expect(
      RunGroup.two([10, 10, 20, 20]) == [
        RunGroup(count: 2, mean: 10), RunGroup(count: 2, mean: 20),
      ])
  }

  @Test("of sides with noise of 5 % fewer than one in 200 is called two speeds")
  func noise() {
    var random = SplitMix64(seed: 1)
    let called = (0..<2000).count { side in
      RunGroup.two(
        (0..<[4, 5, 10][side % 3]).map { _ in
          10 * (1 + 0.05 * (0..<12).reduce(-6) { sum, _ in sum + random.nextUnit() })
        }) != nil
    }
    #expect(called < 10)
  }

  @Test func aCapInSomeRunsIsNamedInTheComparison() throws {
    let before = ComparisonTests.side("a", [10, 10, 33.3, 33.3], seed: 1)
    let after = ComparisonTests.side("b", [10, 10, 10, 10], seed: 9)
    let words = try Comparison(before, after).warnings.map(\.text)
    #expect(
      words.contains {
        $0.hasPrefix("runs of 'before' have two speeds: 2 near 10.0 ms, 2 near 33.")
      })
    #expect(!words.contains { $0.contains("runs of 'after' have two speeds") })
  }
}

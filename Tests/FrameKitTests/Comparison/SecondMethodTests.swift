import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameStatistics
@testable import FrameVerdicts

/// The method of comparisons, compared with vectors from an independent implementation (numpy and
/// scipy).
@Suite("The method of comparisons")
struct SecondMethodTests {
  private static func isNear(_ one: Double, _ other: Double) -> Bool {
    abs(one - other) <= 1e-9 * max(1e-6, abs(other))
  }

  @Test("figures that move together count as fewer tests")
  func testsCounted() {
    let counted = { (byRanks: Bool) in
      [1, 2, 3, 6, 9].map { ComparisonConstants.testsCounted(of: $0, byRanks: byRanks) }
    }
    #expect(counted(false) == [1, 2, 2, 3, 4.5])
    #expect(counted(true) == [1, 2, 2, 2, 3])
  }

  private static func statistics(
    _ method: SideStatistics.Method, _ before: [Double], _ after: [Double]
  ) -> SideStatistics {
    SideStatistics(method, before, after, history: [], assumed: 0) { (0, 0, 0) }
  }

  @Test("equal and unequal numbers of runs")
  func sides() {
    let before = [14.91, 15.20, 15.02].map(Elementary.log)
    let after = [15.71, 15.44, 15.93].map(Elementary.log)
    let equal = Self.statistics(.pooled, before, after)
    #expect(Self.isNear(equal.pRise, 0.008257856064480778))
    #expect(Self.isNear(equal.low, 0.019572161907320976))
    #expect(Self.isNear(equal.high, 0.0649297833068459))
    #expect(Self.isNear(100 * (Elementary.exp(equal.high) - 1), 6.708409463712113))
    let unequal = Self.statistics(
      .unequal, before, after + [15.60, 15.88].map(Elementary.log))
    #expect(Self.isNear(unequal.pRise, 0.001220288396913207))
    #expect(Self.isNear(unequal.low, 0.026583427750269832))
    #expect(Self.isNear(unequal.high, 0.060327566617391755))
  }

  /// The probability from scipy 1.16: `mannwhitneyu(method="exact")`, without ties by a change of the last digits; the
  /// shift and its bounds from all 100 differences.
  @Test("a stray run in ten hides no change, and is not ruled out")
  func ranks() {
    let before = [10, 10.2, 9.9, 10.1, 10.3, 9.8, 10.01, 10.11, 9.91, 12.5].map(Elementary.log)
    let after = [10.6, 10.4, 10.7, 10.5, 10.8, 10.31, 10.61, 10.41, 10.9, 10.51].map(
      Elementary.log)
    let found = Self.statistics(.ranks, before, after)
    #expect(Self.isNear(found.pRise, 0.0007523436316005976))
    #expect(Self.isNear(found.difference, 0.04853058441626912))
    #expect(Self.isNear(found.low, 0.02993946459863439))
    #expect(Self.isNear(found.high, 0.06602110109779424))
    // The other way around, the stray run may be a change for the worse.
    let back = Self.statistics(.ranks, after, before)
    #expect(Self.isNear(back.difference, -found.difference))
    #expect(back.high < 0 && back.most > back.high)
  }

  /// Values from scipy 1.16: `ttest_rel`, `f.sf`.
  @Test("pairs are compared by their differences")
  func paired() {
    let found = Self.statistics(.paired, [10, 10.4, 9.7, 10.1], [10.5, 10.8, 10.3, 10.5])
    #expect(Self.isNear(found.difference, 0.475))
    #expect(Self.isNear(found.pRise, 0.001088756556793743))
    #expect(Self.isNear(found.low, 0.3623413026559084))
    #expect(Self.isNear(found.high, 0.5876586973440926))
    #expect(Self.isNear(FisherF.above(3.2, degrees: 4, below: 11.5), 0.0545698709887322))
  }

  @Test("one bad run of many says nothing of the noise")
  func robust() {
    let found = RobustVariance([1.0, 1.2, 0.9, 1.1, 1.05, 0.95, 1.3, 3.0])
    #expect(Self.isNear(found.variance, 0.03635941293758794))
    #expect(Self.isNear(found.degrees, 3.9))
  }

  @Test("a difference must be as large without a drift over a known order")
  func ordered() {
    let turns = Self.statistics(
      .ordered([0, 2, 4, 1, 3, 5]), [10, 10.3, 10.5], [10.6, 10.8, 11.1])
    #expect(Self.isNear(turns.difference, 0.5666666666666664))
    #expect(Self.isNear(turns.leastRise, 0.44166666666666643))
    #expect(Self.isNear(turns.pRise, 0.00029078876213769475))
    let blocks = Self.statistics(
      .ordered([0, 1, 2, 3, 4, 5]), [10, 10.1, 10.2], [10.6, 10.8, 10.7])
    #expect(Self.isNear(blocks.difference, 0.6))
    #expect(Self.isNear(blocks.leastRise, 0.375))
    #expect(Self.isNear(blocks.pRise, 0.031895948743888174))
  }

  @Test("a run that lies apart is named")
  func stray() {
    let before = [10, 10.2, 9.9].map(Elementary.log)
    let figures = { (values: [Double]) in
      let scaled = values.map(Elementary.log)
      return [scaled, scaled]
    }
    #expect(StrayRuns.find([before, before], figures([10.1, 20, 9.8])) == [[], [1]])
    #expect(StrayRuns.find([before, before], figures([10.1, 11.2, 9.8])) == [[], []])
  }

  /// Frame times in ms as a run has them.
  private static func times(_ count: Int, _ time: (Double) -> Double) -> [Int64] {
    let times = (0...count).map { time(Double($0)) }
    return zip(times.dropFirst(), times).map { Int64((($0 - $1) * 1e6).rounded()) }
  }

  @Test("the grid of frame times is inferred where there is one")
  func refresh() throws {
    let interval = 1000.0 / 60
    var refreshes = 0.0
    var positions: [Double] = [0]
    for index in 0..<600 {
      refreshes += index % 97 == 0 ? 2 : 1
      positions.append(refreshes)
    }
    let sixty = Self.times(600) { index in
      positions[Int(index)] * interval + 0.2 * sin(2.399963 * index)
    }
    let found = try #require(RunRefresh(inferring: sixty))
    #expect(abs(found.interval - 16_666_748) <= 2000 && found.kept == 1 && found.source == .proven)
    var steps: [Double] = [0]
    for index in 0..<600 { steps.append(steps[index] + (index % 11 == 0 ? 5.0 : 3.0)) }
    let slow = Self.times(600) { steps[Int($0)] * 1000 / 120 }
    let locked = try #require(RunRefresh(inferring: slow))
    #expect(locked.kept == 3 && abs(locked.interval - 8_333_426) <= 300)
    let uncapped = (0..<600).map { index -> Int64 in
      let share = 0.08 * sin(2.399963 * Double(index) + 0.3)
      return Int64((18.6e6 * (1 + share)).rounded())
    }
    #expect(RunRefresh(inferring: uncapped) == nil)
    #expect(RunRefresh(inferring: Array(sixty.prefix(200))) == nil)
  }
}

import Testing

@testable import FrameAnalysis
@testable import FrameStatistics
@testable import FrameVerdicts

/// What frame times miss relative to the rate of the frames around them.
@Suite struct LocallyKeptRateTests {
  private static let interval: Int64 = 16_666_667

  private static func refresh(_ times: [Int64]) throws -> RunRefresh {
    try #require(RunRefresh(interval, .stated, times: times))
  }

  /// Frame times of the given numbers of refreshes, slightly irregular.
  private static func times(_ refreshes: [Int], _ random: inout SplitMix64) -> [Int64] {
    refreshes.map { Int64($0) * interval + Int64(1e6 * (random.nextUnit() - 0.5)) }
  }

  private static func missed(_ times: [Int64]) throws -> [Int64] {
    var kept = try LocallyKeptRate(times, refresh(times))
    return times.map { _ in kept.beyond().refreshes }
  }

  /// The definition, applied frame by frame.
  private static func defined(_ refreshes: [Int]) -> [Int64] {
    refreshes.indices.map { position in
      let around = refreshes[max(0, position - 30)..<min(refreshes.count, position + 31)]
      let counts = Dictionary(around.map { (min(8, $0), 1) }, uniquingKeysWith: +)
      let kept = counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? 1
      return Int64(max(0, min(8, refreshes[position]) - kept))
    }
  }

  @Test(arguments: UInt64(1)...40)
  func itIsWhatItIsDefinedAs(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var refreshes: [Int] = []
    while refreshes.count < 400 {
      let kept = 1 + Int(random.nextUnit() * 3)
      for _ in 0..<(1 + Int(random.nextUnit() * 90)) {
        refreshes.append(random.nextUnit() < 0.1 ? kept + Int(random.nextUnit() * 9) : kept)
      }
    }
    #expect(try Self.missed(Self.times(refreshes, &random)) == Self.defined(refreshes))
  }

  /// A stretch at another rate misses nothing, and each drop in it or next to it counts as it was
  /// generated.
  @Test(arguments: UInt64(1)...20)
  func dropsCountWhateverRateIsKept(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var refreshes = (0..<12).flatMap { part in [Int](repeating: 1 + part % 2, count: 80) }
    #expect(try Self.missed(Self.times(refreshes, &random)).allSatisfy { $0 == 0 })
    var injected: Int64 = 0
    for position in stride(from: 10, to: refreshes.count, by: 23) where random.nextUnit() < 0.8 {
      refreshes[position] += 1
      injected += 1
    }
    let found = try Self.missed(Self.times(refreshes, &random)).reduce(Int64(0)) { $0 + $1 }
    // Where the rate changes, a longer frame may belong to the slower stretch.
    #expect(abs(found - injected) <= 11 && found > injected / 2)
  }
}

/// Limits of the rules for frame times that are bound to refreshes.
@Suite struct BoundFrameTimeTests {
  @Test func nineInTenOnTheGridAndHalfAtTheUsualRate() {
    #expect(GridCounter.areBound(onGrid: 90, onKept: 50, of: 100))
    #expect(!GridCounter.areBound(onGrid: 89, onKept: 50, of: 100))
    #expect(!GridCounter.areBound(onGrid: 90, onKept: 49, of: 100))
    #expect(!GridCounter.areBound(onGrid: 0, onKept: 0, of: 0))
  }

  /// A freeze is not a stretch at a lower rate, however long it is.
  @Test(arguments: [2, 8, 9, 40])
  func aFreezeIsNoChangeOfRate(_ refreshes: Int) throws {
    let times = (0..<600).map { Int64($0 == 300 ? refreshes : 1) * 16_666_667 }
    let refresh = try #require(RunRefresh(16_666_667, .stated, times: times))
    let run = RunSummary(
      file: "a", process: "game", surface: "s", definition: "d", times: times, refresh: refresh,
      start: nil, clock: nil, latencies: [], latencyName: nil)
    #expect(!run.changesRate)
    // A longer one never counts for less.
    var kept = LocallyKeptRate(times, refresh)
    let beyond = times.map { _ in kept.beyond() }
    #expect(beyond.reduce(Int64(0)) { $0 + $1.refreshes } == Int64(min(8, refreshes) - 1))
    #expect(beyond.reduce(Int64(0)) { $0 + $1.time } == Int64(refreshes - 1) * 16_666_667)
  }
}

/// The effect on a comparison of a change in the rate that stretches keep.
@Suite struct KeptRateComparisonTests {
  private static func run(_ name: String, _ refreshes: [Int], _ random: inout SplitMix64)
    -> RunSummary
  {
    let times = refreshes.map { count -> Int64 in
      Int64(count) * 16_666_667 + Int64(1e6 * (random.nextUnit() - 0.5))
    }
    return RunSummary(
      file: name, process: "game", surface: "s", definition: "present to present", times: times,
      refresh: RunRefresh(16_666_667, .stated, times: times), start: nil, clock: nil,
      latencies: [], latencyName: nil)
  }

  /// Three runs of a side: the first frames at half the rate, and single drops in the others.
  private static func side(
    _ name: String, atHalf half: Int, dropEvery: Int, _ random: inout SplitMix64
  ) -> [RunSummary] {
    (0..<3).map { number in
      let refreshes = (0..<(900 + 7 * number)).map { frame -> Int in
        frame < half + 3 * number ? 2 : frame % dropEvery == 0 ? 2 : 1
      }
      return run("\(name)\(number)", refreshes, &random)
    }
  }

  /// Frames that keep the full rate now can miss it: that is no regression.
  @Test func keepingTheRateMoreOftenIsNoRegression() throws {
    var random = SplitMix64(seed: 5)
    let before = Self.side("a", atHalf: 400, dropEvery: 2000, &random)
    let after = Self.side("b", atHalf: 0, dropEvery: 30, &random)
    let comparison = try Comparison(before, after)
    #expect(comparison.overall == .improved)
    let local = try #require(comparison.metrics.first { $0.name == "missedRefreshShare" })
    #expect(local.effect > 2 && local.contradictedBy == "missedRefreshShareOfRun")
    #expect(local.verdict == .inconclusive && local.p == 1)
    // The reverse is a regression, of the whole run.
    let reverse = try Comparison(after, before)
    #expect(reverse.overall == .regressed)
    #expect(!reverse.metrics.contains { $0.isGating && $0.verdict == .improved })
  }

  /// Drops next to a stretch at half the rate are found, although the stretch accounts for most of
  /// what the run takes beyond its rate.
  @Test func dropsBesideSlowStretchesAreFound() throws {
    var random = SplitMix64(seed: 6)
    let before = Self.side("a", atHalf: 300, dropEvery: 2000, &random)
    let after = Self.side("b", atHalf: 300, dropEvery: 50, &random)
    let comparison = try Comparison(before, after)
    #expect(comparison.overall == .regressed)
    let local = try #require(comparison.metrics.first { $0.name == "missedRefreshShare" })
    #expect(local.verdict == .regressed && local.before < 0.2)
    #expect(
      try Comparison(before, Self.side("c", atHalf: 300, dropEvery: 2000, &random)).overall
        != .regressed)
  }
}

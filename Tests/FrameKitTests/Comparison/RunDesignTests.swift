import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

/// How runs were made decides how they are compared, and no comparison goes beyond its runs.
@Suite struct RunDesignTests {
  private enum Order: CaseIterable { case blocks, turns, mixed, unknown }

  /// Runs of both sides, as long as given, made in an order.
  private static func sides(
    _ values: [[Double]], _ order: Order, seed: UInt64
  ) -> [[RunSummary]] {
    let count = values[0].count
    return values.enumerated().map { side, lengths in
      lengths.enumerated().map { position, length in
        let start: Int? =
          switch order {
          case .blocks: side * count + position
          case .turns: 2 * position + (position % 2 == 0 ? side : 1 - side)
          case .mixed:
            [3, 0, 4, 1, 5, 2, 9, 6, 8, 7][(2 * position + side) % 10] + position / 5 * 10
          case .unknown: nil
          }
        return ComparisonTests.run(
          "s\(side)r\(position)", length, seed: seed + UInt64(side * 100 + position), count: 300,
          start: start.map { Int64($0) * 60_000_000_000 })
      }
    }
  }

  private static func compare(_ sides: [[RunSummary]], paired: Bool = false) throws -> Comparison {
    var options = ComparisonOptions()
    options.isPaired = paired
    return try Comparison(sides[0], sides[1], options: options)
  }

  /// The sign and the size of a decided change lie within the differences between runs of the two sides, whatever the
  /// noise, the drift, the order, and the number of runs.
  @Test(arguments: 0..<60)
  func aDecidedChangeLiesWithinItsRuns(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let count = [2, 3, 5, 7][seed % 4]
    let (change, drift, noise) = (
      random.nextUnit() * 0.3 - 0.15, random.nextUnit() * 0.1 - 0.05, random.nextUnit() * 0.1
    )
    for order in Order.allCases {
      let values = (0..<2).map { side in
        (0..<count).map { position in
          10 * (1 + Double(side) * change) * (1 + drift * Double(side * count + position))
            * (1 + noise * (random.nextUnit() - 0.5))
        }
      }
      let sides = Self.sides(values, order, seed: UInt64(seed * 1000))
      let comparison = try Self.compare(sides)
      for metric in comparison.metrics
      where metric.verdict == .regressed || metric.verdict == .improved {
        guard let figure = RunMetric(rawValue: String(metric.name.prefix { $0 != "(" })) else {
          continue
        }
        let runs = [comparison.before, comparison.after].map {
          $0.map { figure.scaled($0.value(figure)) }
        }
        let differences = runs[1].flatMap { after in runs[0].map { figure.effect(after - $0) } }
        let (least, most) = (differences.min() ?? 0, differences.max() ?? 0)
        #expect(least - 1e-9...most + 1e-9 ~= metric.effect, "\(order) \(metric.name)")
        #expect((metric.effect > 0) == (metric.verdict == .regressed))
      }
    }
  }

  /// A device that only drifts has not changed, and one that changed on top of it is not decided unless runs took turns.
  @Test(arguments: [3, 5, 10])
  func aDriftIsNoChangeInBlocks(_ count: Int) throws {
    var (blocks, turns) = (0, 0)
    for seed in 0..<20 {
      var random = SplitMix64(seed: UInt64(seed + 7))
      let runs = { (order: Order, change: Double) in
        Self.sides(
          (0..<2).map { side in
            (0..<count).map { position in
              let number =
                order == .blocks
                ? side * count + position : 2 * position + (position % 2 == 0 ? side : 1 - side)
              return 10 * (1 + 0.01 * Double(number)) * (1 + change * Double(side))
                * (1 + 0.005 * (random.nextUnit() - 0.5))
            }
          }, order, seed: UInt64(seed * 1000 + 1))
      }
      let same = try Self.compare(runs(.blocks, 0))
      #expect(same.design == .blocks)
      if same.overall == .regressed { blocks += 1 }
      if try Self.compare(runs(.turns, 0.08)).overall == .regressed { turns += 1 }
    }
    #expect(blocks <= 1)
    #expect(turns >= 18)
  }

  /// Runs of which only the names suggest the order: a drift within the sides is seen, and explains as much as it can.
  @Test(arguments: [5, 10, 12])
  func aDriftOfRunsInUnknownOrderIsNoChange(_ count: Int) throws {
    for (drift, change) in [(0.01, 0.0), (-0.01, 0.0), (0.0, 0.08)] {
      var random = SplitMix64(seed: 3)
      let values = (0..<2).map { side in
        (0..<count).map { position in
          10 * (1 + drift * Double(side * count + position)) * (1 + change * Double(side))
            * (1 + 0.004 * (random.nextUnit() - 0.5))
        }
      }
      let comparison = try Self.compare(Self.sides(values, .unknown, seed: 9))
      let isNamed = comparison.warnings.contains { warning in
        if case .driftInUnknownOrder = warning { true } else { false }
      }
      #expect(isNamed == (drift != 0))
      #expect(
        comparison.overall == (change > 0 ? .regressed : comparison.overall)
          && (change > 0 || ![.regressed, .improved].contains(comparison.overall)))
    }
  }

  @Test func aStepBetweenBlocksOfManyRunsIsFound() throws {
    var random = SplitMix64(seed: 5)
    let values = [10.0, 11.5].map { level in
      (0..<10).map { _ in level * (1 + 0.02 * (random.nextUnit() - 0.5)) }
    }
    #expect(try Self.compare(Self.sides(values, .blocks, seed: 1)).overall == .regressed)
  }

  /// The names of files show pairs if they say more than a number.
  @Test(arguments: [
    (
      ["a/before-1-ultra.csv", "a/before-2-high.csv"], ["after-2-high.csv", "after-1-ultra.csv"],
      true
    ),
    (["old/menu.csv", "old/level.csv"], ["new/level.csv", "new/menu.csv"], true),
    (["ultra-before.csv", "high-before.csv"], ["ultra-after.csv", "high-after.csv"], true),
    (["run1.csv", "run2.csv"], ["run1.csv", "run2.csv"], false),
    (["a-x1.csv", "a-x2.csv"], ["b-x1.csv", "b-x2.csv"], false),
    (["menu.csv", "level.csv"], ["menu.csv", "boss.csv"], false),
    (["menu.csv", "level.csv"], ["menu.csv", "level.csv", "level2.csv"], false),
    (["menu.csv", "menu2.csv"], ["menu.csv", "menu2.csv"], false),
  ])
  func namesShowPairs(_ before: [String], _ after: [String], _ arePairs: Bool) {
    let runs = [before, after].map { names in
      names.map { ComparisonTests.run($0, 10, seed: 1, count: 240) }
    }
    let pairs = RunPairs.named(runs[0], runs[1])
    #expect((pairs != nil) == arePairs)
    if let pairs {
      let names = [pairs.before, pairs.after].map { side in
        side.map(\.file)
      }
      #expect(Set(names[0]) == Set(before) && Set(names[1]) == Set(after))
      let words = ["ultra", "high", "menu", "level"]
      #expect(
        zip(names[0], names[1]).allSatisfy { one, other in
          words.allSatisfy { one.contains($0) == other.contains($0) }
        })
    }
  }

  /// First runs that are slow on both sides: named with three runs a side, left out with four.
  @Test(arguments: [(3, false), (4, true)])
  func aWarmUpIsNamedAndLeftOut(_ count: Int, _ isLeftOut: Bool) throws {
    let side = [10.6] + (1..<count).map { 10 + 0.01 * Double($0) }
    for order in [Order.blocks, .turns, .unknown] {
      let comparison = try Self.compare(Self.sides([side, side], order, seed: 3))
      #expect(comparison.overall != .regressed && comparison.overall != .improved)
      #expect(comparison.before.count == (isLeftOut ? count - 1 : count))
      let first = comparison.warnings.compactMap { warning in
        if case .firstRuns(let first) = warning { first } else { nil }
      }
      #expect(first.first?.files == ["s0r0", "s1r0"] && first.first?.areLeftOut == isLeftOut)
    }
    // On both sides of 1 %, and of twice the other side's: a first run that got worse is no warm-up that both share.
    for (before, after, isShared) in [
      (10.13, 10.13, true), (10.06, 10.13, false), (10.6, 11.1, true), (10.6, 11.3, false),
    ] {
      let runs = [before, after].map { [$0] + (1..<count).map { 10 + 0.001 * Double($0) } }
      let found = try Self.compare(Self.sides(runs, .turns, seed: 3))
      let isNamed = found.warnings.contains { warning in
        if case .firstRuns = warning { true } else { false }
      }
      #expect(isNamed == isShared, "\(before) and \(after)")
    }
    // The first of pairs that are given need not be the first one made.
    let pairs = try Self.compare(Self.sides([side, side], .unknown, seed: 3), paired: true)
    #expect(pairs.before.count == count)
    // Only one side warms up: nothing is left out.
    let even = (0..<count).map { 10 + 0.01 * Double($0) }
    let one = try Self.compare(Self.sides([side, even], .turns, seed: 3))
    #expect(one.before.count == count)
  }

  @Test(.enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
  func presetsInTheSameOrderArePairs() throws {
    let folder = TestData.cases.appending(path: "desktop/sweep")
    let side = { (name: String) throws in
      try ["1-ultra", "2-high", "3-medium"].map { preset in
        try RunTimes.of(
          Study(of: TestData.read(folder.appending(path: "\(name)-\(preset).csv").path))
        )
        .summary
      }
    }
    let comparison = try Comparison(side("before"), side("after"))
    #expect(comparison.design == .pairs && comparison.overall == .noChange)
    let mean = try #require(comparison.metrics.first { $0.name == "mean(frameTime)" })
    #expect(1.9...2.1 ~= mean.effect)
  }

  /// On both sides of the number from which the tail of latencies decides.
  @Test(arguments: [(19, false), (20, true)])
  func aTailNeedsLatencies(_ count: Int, _ decides: Bool) throws {
    let sides = [10.0, 12.0].map { level in
      (0..<3).map { position in
        var random = SplitMix64(seed: UInt64(position) + UInt64(level * 100))
        return RunSummary(
          file: "\(level)r\(position)", process: "game", surface: "s", definition: "d", times: [],
          refresh: nil,
          latencies: (0..<count).map { _ in Int64(level * (1 + 0.1 * random.nextUnit()) * 1e6) },
          latencyName: "clickToPhoton")
      }
    }
    var options = ComparisonOptions()
    options.kind = .latency
    let comparison = try Comparison(sides[0], sides[1], options: options)
    let tail = try #require(comparison.metrics.first { $0.name == "p95(clickToPhoton)" })
    #expect(tail.isGating == decides && comparison.overall == .regressed)
    #expect(comparison.warnings.contains(.fewLatencies(count, needed: 20)) == !decides)
  }

  @Test(.enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
  func sidesOfDifferentDaysAreNamed() throws {
    let folder = TestData.cases.appending(path: "designs/other-day")
    let side = { (name: String) throws in
      try (0..<3).map { position in
        try RunTimes.of(
          Study(of: TestData.read(folder.appending(path: "\(name)-\(position).json").path))
        )
        .summary
      }
    }
    let comparison = try Comparison(side("before"), side("after"))
    let days = comparison.warnings.map(\.text).filter { $0.contains("different days") }
    #expect(days.count == 1)
    #expect(days.first?.contains("before 2026-11-01, after 2026-11-08") == true)
  }

  /// Of runs with random differences only, no more than the stated 2 % seem to drift or to begin with a warm-up; with a
  /// trend of one standard deviation a run, or first runs five off, most do.
  @Test func chanceLooksLikeADriftOrAWarmUpInTwoPercent() {
    var (drifts, warmUps, trends, cold) = (0, 0, 0, 0)
    for seed in 0..<1000 {
      var random = SplitMix64(seed: UInt64(seed + 50))
      let noise = (0..<2).map { _ in
        (0..<5).map { _ in
          0.03 * ((0..<12).reduce(0) { sum, _ in sum + random.nextUnit() } - 6)
        }
      }
      let designed = { (extra: (Int) -> Double) in
        let sides = Self.sides(
          noise.map { $0.enumerated().map { 10 * (1 + $0.element + extra($0.offset)) } }, .unknown,
          seed: UInt64(seed * 10))
        return DesignedRuns(sides[0], sides[1], ComparisonOptions())
      }
      let plain = designed { _ in 0 }
      drifts += plain.drift == nil ? 0 : 1
      warmUps += plain.firstRuns == nil ? 0 : 1
      if seed < 100 {
        trends += designed { 0.03 * Double($0) }.drift == nil ? 0 : 1
        cold += designed { $0 == 0 ? 0.15 : 0 }.firstRuns == nil ? 0 : 1
      }
    }
    #expect(5...33 ~= drifts && 1...33 ~= warmUps, "\(drifts) and \(warmUps) of 1000")
    #expect(trends >= 75 && cold >= 75, "\(trends) and \(cold) of 100")
  }
}

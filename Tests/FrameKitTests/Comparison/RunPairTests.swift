import Testing

@testable import FrameVerdicts

/// Runs made in pairs, and the noise known from earlier runs.
@Suite struct RunPairTests {
  private static func run(_ name: String, _ time: Double, seed: UInt64, at start: Int64?)
    -> RunSummary
  {
    ComparisonTests.run(name, time, seed: seed, interval: nil, start: start)
  }

  /// Pairs that differ by up to a tenth; the second side takes 4 % longer.
  private static func sides(
    _ count: Int, slower: Double = 1.04, startsAt position: (_ pair: Int, _ side: Int) -> Int64?
  ) -> [[RunSummary]] {
    let pairs = (0..<count).map { 10 * (1 + 0.02 * Double($0 * 7 % 5)) }
    return [0, 1].map { side in
      (0..<count).map { pair in
        let noise = 1 + 0.003 * Double((pair * 3 + side * 5) % 4)
        return run(
          "\(side == 0 ? "a" : "b")\(pair)", pairs[pair] * noise * (side == 0 ? 1 : slower),
          seed: UInt64(10 * pair + side), at: position(pair, side))
      }
    }
  }

  /// The order that `--plan` prints: each side first in every other pair.
  private static func byTurns(_ pair: Int, _ side: Int) -> Int64? {
    Int64(2 * pair + (pair % 2 == 0 ? side : 1 - side)) * 1_000_000_000_000
  }

  @Test func pairsShowWhatTheDeviceHides() throws {
    let sides = Self.sides(5) { _, _ in nil }
    #expect(try Comparison(sides[0], sides[1]).overall != .regressed)
    var options = ComparisonOptions()
    options.isPaired = true
    let paired = try Comparison(sides[0], sides[1], options: options)
    #expect(paired.overall == .regressed)
    #expect(paired.method.hasPrefix("paired t on per-run values, 5 pairs; Bonferroni"))
    #expect(!paired.warnings.contains { $0.text.contains("the order of the runs") })
    let alike = Self.sides(5, slower: 1) { _, _ in nil }
    #expect(try Comparison(alike[0], alike[1], options: options).overall == .noChange)
    // The order of the pairs does not matter.
    let turned = try Comparison(sides[0].reversed(), sides[1].reversed(), options: options)
    #expect(turned.metrics == paired.metrics)
  }

  @Test func theOrderOfTheRunsShowsPairs() throws {
    let known = Self.sides(5, startsAt: Self.byTurns)
    let found = try Comparison(known[0], known[1].reversed())
    #expect(found.overall == .regressed && found.method.hasPrefix("paired t"))
    let four = Self.sides(4, startsAt: Self.byTurns)
    #expect(try Comparison(four[0], four[1]).method.hasPrefix("t on per-run values, which must"))
    let sameFirst = Self.sides(5) { pair, side in Int64(2 * pair + side) * 1_000_000_000_000 }
    #expect(
      try Comparison(sameFirst[0], sameFirst[1]).method.hasPrefix("t on per-run values, which must")
    )
    var options = ComparisonOptions()
    options.isPaired = true
    let asked = try Comparison(sameFirst[0], sameFirst[1], options: options)
    #expect(asked.method.hasPrefix("paired t"))
    #expect(
      asked.warnings.contains { $0.text.hasPrefix("in every pair the same side came first") })
  }

  @Test func whatIsNotInPairsIsRefused() {
    var options = ComparisonOptions()
    options.isPaired = true
    let sides = Self.sides(5) { _, _ in nil }
    #expect(throws: ComparisonRefusal.self) {
      try Comparison(sides[0], sides[1].dropLast().map(\.self), options: options)
    }
    #expect(throws: ComparisonRefusal.self) {
      try Comparison([sides[0][0]], [sides[1][0]], options: options)
    }
    options.history = sides[0].map { [$0] }
    #expect(throws: ComparisonRefusal.self) { try Comparison(sides[0], sides[1], options: options) }
  }

  /// One bad run among the earlier ones hides no change, and unusual runs of today are not judged
  /// by quiet earlier ones.
  @Test func earlierRunsTellTheNoise() throws {
    let noise = { (position: Int) in 1 + 0.01 * Double(position * 7 % 5 - 2) }
    var options = ComparisonOptions()
    options.history = (0..<20).map { position in
      [Self.run("h\(position)", 10 * noise(position), seed: UInt64(500 + position), at: nil)]
    }
    let before = (0..<3).map { Self.run("a\($0)", 10 * noise($0), seed: UInt64($0), at: nil) }
    let after = (0..<3).map {
      Self.run("b\($0)", 10.6 * noise($0 + 1), seed: UInt64(50 + $0), at: nil)
    }
    #expect(try Comparison(before, after, options: options).overall == .regressed)
    options.history[0] = [Self.run("bad", 14, seed: 900, at: nil)]
    #expect(try Comparison(before, after, options: options).overall == .regressed)
    var stray = after
    for (position, time) in [10.0, 10.05, 14].enumerated() {
      stray[position] = Self.run("c\(position)", time, seed: UInt64(70 + position), at: nil)
    }
    #expect(try Comparison(before, stray, options: options).overall != .regressed)
  }
}

import Testing

@testable import FrameStatistics
@testable import FrameVerdicts

/// How often unchanged runs fail limits, compared with the stated chance.
@Suite struct GateNoiseTests {
  /// Normal numbers, as sums of twelve uniform ones.
  private struct Noise {
    var random: SplitMix64
    mutating func next() -> Double {
      (0..<12).reduce(-6.0) { sum, _ in sum + random.nextUnit() }
    }
    mutating func runs(_ count: Int) -> [Double] {
      (0..<count).map { _ in 20 * Elementary.exp(0.03 * next()) }
    }
  }

  private static func median(_ values: [Double]) -> Double {
    RealQuantile.type7(values.sorted(), 0.5)
  }

  @Test(arguments: [3, 5, 10], [1, 3, 5])
  func aSuggestedLimitFailsOneUnchangedRunInAHundred(_ known: Int, _ judged: Int) throws {
    var noise = Noise(random: SplitMix64(seed: UInt64(known * 10 + judged)))
    var failed = 0
    let count = 6000
    for _ in 0..<count {
      let past = try #require(GateNoise(noise.runs(known), unit: "ms"))
      let limit = try #require(past.limit(past: 0.01, isUpper: true, runs: judged))
      if Self.median(noise.runs(judged)) > limit { failed += 1 }
    }
    let share = Double(failed) / Double(count)
    #expect(share > 0.004 && share < 0.016, "\(share)")
  }

  @Test func theChanceIsThatOfTheLimit() throws {
    var noise = Noise(random: SplitMix64(seed: 5))
    var foreseen = 0.0
    var failed = 0
    for _ in 0..<6000 {
      let past = try #require(GateNoise(noise.runs(30), unit: "ms"))
      foreseen += try #require(past.chancePast(21, isUpper: true))
      if noise.runs(1)[0] > 21 { failed += 1 }
    }
    // About 310 of them; uncertainty about the noise makes the predicted chance slightly larger.
    #expect(foreseen > Double(failed) * 0.85 && foreseen < Double(failed) * 1.4, "\(foreseen)")
  }

  @Test(arguments: [2, 3, 5, 8])
  func aLimitAtTheLevelFailsOneGroupOfRunsInTwentyAtMost(_ count: Int) throws {
    var noise = Noise(random: SplitMix64(seed: UInt64(count)))
    var failed = 0
    for _ in 0..<6000 where (GateNoise(noise.runs(count), unit: "ms")?.bound(from: true) ?? 0) > 20
    {
      failed += 1
    }
    #expect(Double(failed) / 6000 < 0.06, "\(failed)")
  }

  @Test func lowerLimitsMirrorUpperOnes() throws {
    let values = [57.0, 58, 60, 61, 59.5]
    let rates = try #require(GateNoise(values, unit: "fps"))
    let times = try #require(GateNoise(values.map { 1000 / $0 }, unit: "ms"))
    let lower = try #require(rates.limit(past: 0.01, isUpper: false, runs: 1))
    let upper = try #require(times.limit(past: 0.01, isUpper: true, runs: 1))
    #expect(abs(lower * upper - 1000) < 1e-6)
    let below = try #require(rates.chancePast(56, isUpper: false))
    let above = try #require(times.chancePast(1000 / 56, isUpper: true))
    #expect(abs(below - above) < 1e-9)
  }

  @Test func runsThatAreAlikeTellNothingOfRareOnes() throws {
    let alike = try #require(GateNoise([16.667, 16.667, 16.6671], unit: "ms"))
    #expect(alike.chancePast(20, isUpper: true) == nil)
    #expect(alike.limit(past: 0.01, isUpper: true, runs: 1) == nil)
    #expect(alike.bound(from: true) > 16.6)
    #expect(GateNoise([3], unit: "ms") == nil)
    #expect(try #require(GateNoise([3, 4], unit: "ms")).chancePast(20, isUpper: true) == nil)
  }
}

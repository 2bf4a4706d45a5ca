import Testing

@testable import FrameAnalysis
@testable import FrameStatistics

/// How other tools count long frames, by their published rules and results.
@Suite struct JankDialectTests {
  private static func delay(_ times: [Double], _ rate: Double) -> Double {
    times.reduce(0) { $0 + JankCounts.delay(0..<$1, 1000 / rate, within: 0...(.infinity)) }
  }

  private static func value(_ dialect: MetricDialect, _ name: String, _ times: DialectTimes)
    -> Double?
  {
    dialect.figures.first { $0.name == name }?.value(times)
  }

  private static func times(_ milliseconds: [Double], refresh: Double? = 1000.0 / 60)
    -> DialectTimes
  {
    DialectTimes(Sample(milliseconds.map { Int64(($0 * 1e6).rounded()) }), refresh: refresh)
  }

  /// Sentry, develop docs, "Frames Delay": the results of its scenarios, which round a refresh to 16.67 ms.
  @Test func sentrysScenariosGiveItsResults() {
    let fine = [Double](repeating: 16.76, count: 10)
    #expect(abs(Self.delay([300, 300, 900] + fine, 60) - 1449.99) < 0.02)
    let mixed =
      Self.delay([200], 60) + Self.delay([500, 500] + [Double](repeating: 8.33, count: 10), 120)
    #expect(abs(mixed - 1166.67) < 0.02)
    #expect(abs(Self.delay([200], 60) - 183.33) < 0.01)
    #expect(abs(Self.delay([Double](repeating: 500, count: 5), 60) - 2416.65) < 0.02)
    #expect(abs(Self.delay([Double](repeating: 20, count: 10), 60) - 33.3) < 0.04)
    #expect(abs(Self.delay([800], 60) - 783.33) < 0.01)
    let refresh = 1000.0 / 60
    #expect(abs(JankCounts.delay(0..<300, refresh, within: 100...300) - 200) < 0.01)
    #expect(abs(JankCounts.delay(0..<300, refresh, within: 10...300) - 283.33) < 0.01)
    #expect(abs(JankCounts.delay(0..<310, refresh, within: 10...310) - 293.33) < 0.01)
    let two =
      JankCounts.delay(0..<290, refresh, within: 0...300)
      + JankCounts.delay(300..<500, refresh, within: 0...300)
    #expect(abs(two - 273.33) < 0.01)
  }

  /// Both sides of each of Sentry's limits.
  @Test func sentrysLimits() {
    let times = Self.times([16.94, 16.95, 700, 700.001])
    #expect(Self.value(.sentry, "slow frames", times) == 2)
    #expect(Self.value(.sentry, "frozen frames", times) == 1)
    #expect(Self.value(.sentry, "slow frames", Self.times([20], refresh: nil)) == nil)
  }

  /// Both sides of each of PerfDog's limits: the length, and twice the mean of the three before.
  @Test func perfDogsLimits() {
    let jank = { (times: [Double]) in Self.value(.perfDog, "Jank", Self.times(times)) }
    #expect(jank([20, 20, 20, 83.33]) == 0)
    #expect(jank([20, 20, 20, 83.34]) == 1)
    #expect(jank([50, 50, 50, 100]) == 0)
    #expect(jank([50, 50, 50, 100.1]) == 1)
    // Without three before, nothing is judged.
    #expect(jank([20, 20, 300]) == 0)
    let big = Self.times([20, 20, 20, 125, 20, 20, 20, 125.1])
    #expect(Self.value(.perfDog, "Jank", big) == 2 && Self.value(.perfDog, "BigJank", big) == 1)
    let share = Self.value(.perfDog, "Stutter", big) ?? 0
    #expect(abs(share - 100 * 250.1 / 370.1) < 1e-9)
  }

  @Test func openTelemetryCountsAFrameForEachThreshold() {
    let times = Self.times([16, 16.001, 700, 701])
    #expect(Self.value(.openTelemetry, "app.jank.frame_count 0.016", times) == 3)
    #expect(Self.value(.openTelemetry, "app.jank.frame_count 0.7", times) == 1)
  }

  /// 100 frames of 10 ms and one of 26: the window is ten times the root of the mean, 32 frames, whose mean the long frame
  /// is part of.
  @Test func capFrameXWeighsLongFramesByTheirTime() {
    let usual = [Double](repeating: 10, count: 100)
    let share = { (times: [Double]) in Self.value(.capFrameX, "Stuttering", Self.times(times)) }
    #expect(share(usual + [25]) == 0)
    // (31 · 10 + 27) / 32 = 10.53, and 2.5 times that is 26.3.
    #expect(share(usual + [27]).map { abs($0 - 100 * 27 / 1027) < 1e-9 } ?? false)
    // A time above three times the one before counts as that one.
    #expect(share(usual + [31]).map { abs($0 - 100 * 31 / 1031) < 1e-9 } ?? false)
    #expect(share([]) == nil || share([])?.isNaN == true)
  }
}

import Testing

@testable import FrameAnalysis
@testable import FrameStatistics

/// Frame time figures of other tools that can be worked out by hand.
@Suite("Dialects")
struct DialectTests {
  /// 198 frames of 10 ms, one of 40 and one of 100, the long ones first.
  static let times = DialectTimes(
    Sample([100_000_000, 40_000_000] + [Int64](repeating: 10_000_000, count: 198)))

  private static func value(_ dialect: MetricDialect, _ name: String) -> Double? {
    dialect.figures.first { $0.name == name }?.value(times)
  }

  private static func near(_ found: Double?, _ wanted: Double) -> Bool {
    found.map { abs($0 - wanted) < 1e-9 * wanted } ?? false
  }

  @Test("percentiles with and without interpolation")
  func percentiles() {
    // 0.99 · 199 = 197.01: 10 + 0.01 · 30 = 10.3 ms.
    #expect(Self.near(Self.value(.presentMon, "1st percentile FPS"), 1000 / 10.3))
    #expect(Self.near(Self.value(.capFrameXLinux, "1 % low"), 1000 / 10.3))
    #expect(Self.near(Self.value(.ocatFile, "99th percentile"), 10.3))
    // ⌊0.99 · 200⌋ = 198: the second longest.
    #expect(Self.near(Self.value(.ocatOverlay, "99th percentile"), 40))
    // ⌊200/100⌋ − 1 = 1, counted from the longest, and 2 for the plot.
    #expect(Self.near(Self.value(.mangoHud, "1 % low"), 25))
    #expect(Self.near(Self.value(.mangoPlot, "1 %"), 100))
    #expect(Self.near(Self.value(.frameTimeAnalysis, "1 % low"), 25))
    // (200 − 1) · 0.99 = 197.01, rounded 197: still 10 ms.
    #expect(Self.near(Self.value(.flutter, "99th percentile"), 10))
    // Type 8 of the rates: (200 + 1/3) · 0.01 + 1/3 = 2.33667 counted from 1, so a bit more than
    // a third of the way from the second rate, 25 fps, to the third, 100.
    let share = (200 + 1.0 / 3) * 0.01 + 1.0 / 3 - 2
    #expect(Self.near(Self.value(.capFrameX, "P1"), 25 + 75 * share))
  }

  @Test("means, and tails weighed by time")
  func others() {
    // 2120 ms for 200 frames.
    #expect(Self.near(Self.value(.capFrameX, "Average"), 200_000.0 / 2120))
    // The mean of rates: (198 · 100 + 25 + 10) / 200.
    #expect(Self.near(Self.value(.mangoPlot, "average"), 99.175))
    // 1 % of 2120 ms is 21.2, which the longest frame fills alone.
    #expect(Self.near(Self.value(.afterburner, "1 % low"), 10))
    #expect(Self.near(Self.value(.capFrameX, "1 % low integral"), 10))
  }

  @Test("every figure has a counterpart of ours and says why it differs")
  func counterparts() {
    let names = Set(Metrics.entries.map(\.name))
    for dialect in Dialects.all {
      #expect(!dialect.figures.isEmpty && !dialect.source.isEmpty)
      for figure in dialect.figures {
        #expect(names.contains(figure.counterpart))
        #expect(!figure.because.isEmpty && !figure.formula.isEmpty)
      }
    }
    #expect(Set(Dialects.all.map(\.name)).count == Dialects.all.count)
  }
}

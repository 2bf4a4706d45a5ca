import Testing

@testable import FrameStatistics

@Suite struct RhythmTests {
  /// Beats from 1.5 s on, each away from its time by up to a share of the period.
  private static func beats(
    _ period: Double, _ count: Int, jitter: Double = 0, _ random: inout SplitMix64
  ) -> [Double] {
    (0..<count).map { number in
      1.5 + period * (Double(number) + jitter * (2 * random.nextUnit() - 1))
    }
  }

  private static func even(_ count: Int, _ span: Double, _ random: inout SplitMix64) -> [Double] {
    (0..<count).map { _ in span * random.nextUnit() }
  }

  @Test(arguments: [0.5, 1, 4, 20, 60], [0, 0.05, 0.1])
  func aRhythmIsFoundWithItsPeriodAndPhase(_ period: Double, _ jitter: Double) throws {
    var random = SplitMix64(seed: 3)
    let times = Self.beats(period, 20, jitter: jitter, &random)
    let rhythms = Rhythm.find(in: times, span: 20 * period + 2)
    let rhythm = try #require(rhythms.first)
    let uncertainty = try #require(rhythm.uncertainty)
    #expect(rhythms.count == 1 && rhythm.onBeat >= 19 && rhythm.count == rhythm.onBeat)
    #expect(abs(rhythm.period - period) <= max(1e-9, 2 * uncertainty))
    #expect(uncertainty <= 0.01 * period && rhythm.probability < 1e-4)
    let beats = (1.5 - rhythm.phase) / rhythm.period
    #expect(rhythm.phase >= 0 && rhythm.phase < rhythm.period)
    #expect(abs(beats - beats.rounded()) < 0.05)
  }

  @Test func aRhythmIsFoundAmongAsManyOthers() throws {
    var random = SplitMix64(seed: 9)
    let times = Self.beats(4, 40, jitter: 0.03, &random) + Self.even(40, 160, &random)
    let rhythm = try #require(Rhythm.find(in: times.shuffled(using: &random), span: 162).first)
    #expect(abs(rhythm.period - 4) < 0.02 && rhythm.count == 80)
    #expect((38...65).contains(rhythm.onBeat))
  }

  @Test func twoRhythmsAreFound() {
    var random = SplitMix64(seed: 5)
    let times = Self.beats(3.1, 60, jitter: 0.02, &random) + Self.beats(7.3, 25, &random)
    let periods = Rhythm.find(in: times, span: 190).map(\.period).sorted()
    #expect(periods.count == 2 && abs(periods[0] - 3.1) < 0.02 && abs(periods[1] - 7.3) < 0.05)
  }

  @Test func beatsThatDriftHaveNoUncertainty() throws {
    var random = SplitMix64(seed: 6)
    var time = 0.0
    let times = (0..<60).map { _ in
      time += 5 * (0.93 + 0.14 * random.nextUnit())
      return time
    }
    let rhythm = try #require(Rhythm.find(in: times, span: time).first)
    #expect(abs(rhythm.period / 5 - 1) < 0.05 && rhythm.uncertainty == nil)
  }

  @Test(arguments: [60.0, 180, 600]) func randomTimesHaveNoRhythm(_ span: Double) {
    var random = SplitMix64(seed: 7)
    for _ in 0..<20 {
      let times = Self.even(6 + Int(random.nextUnit() * 40), span, &random)
      #expect(Rhythm.find(in: times, span: span) == [])
      let bursts = times.prefix(10).flatMap { start in
        [start] + Self.even(3, 1, &random).map { start + $0 }
      }
      #expect(Rhythm.find(in: bursts, span: span + 1) == [])
    }
  }

  @Test func fewEventsHaveNoRhythm() {
    #expect(Rhythm.find(in: [], span: 60) == [])
    #expect(Rhythm.find(in: [1, 2, 3, 4, 5], span: 60) == [])
    #expect(Rhythm.find(in: [1, 1, 1, 1, 1, 1, 1], span: 60) == [])
    #expect(Rhythm.find(in: [0, 0.1, 0.2, 0.3, 0.4, 0.5], span: 0.5) == [])
    #expect(Rhythm.find(in: [.nan, .infinity, 1, 2, 3, 4, 5], span: 60) == [])
  }

  @Test func eventsAfterTheFirst2000AreIgnored() throws {
    let times = (0..<2400).map { Double($0) / 2 }
    let rhythm = try #require(Rhythm.find(in: times, span: 1200).first)
    #expect(rhythm.count == 2000 && abs(rhythm.period - 0.5) < 1e-9)
  }
}

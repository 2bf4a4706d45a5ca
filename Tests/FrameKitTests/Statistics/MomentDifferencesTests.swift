import Testing

@testable import FrameStatistics

@Suite("what differs before and after stutters")
struct MomentDifferencesTests {
  typealias Series = MomentDifferences.Series

  static let millisecond: Int64 = 1_000_000
  /// Twelve stutters of 100 ms, the first after 15 s.
  static let events = (0..<12).map { number in
    let start = (15_000 + Int64(number) * 9_370 + Int64(number * number) * 31) * millisecond
    return start..<(start + 100 * millisecond)
  }

  /// The ends of frames of 10 ms, of which none but the stalled one ends in a stutter.
  static let times = (1...16_000).map { Int64($0) * 10 * millisecond }.filter { time in
    !events.contains { $0.lowerBound < time && time < $0.upperBound }
  }

  /// Noise from 0 to 1 plus a change that depends on the time, in seconds, to the next start and
  /// from the last end of a stutter.
  static func series(
    seed: UInt64 = 1, _ change: (_ before: Double, _ after: Double) -> Double
  ) -> Series {
    var random = SplitMix64(seed: seed)
    return Series(
      times: times,
      values: times.map { time in
        let next = events.first { $0.lowerBound >= time }
        let last = events.last { $0.upperBound <= time }
        let before = next.map { Double($0.lowerBound - time) * 1e-9 } ?? .infinity
        let after = last.map { Double(time - $0.upperBound) * 1e-9 } ?? .infinity
        return random.nextUnit() + change(before, after)
      })
  }

  @Test("a drop before the stutters is found before them, in all of them")
  func before() throws {
    let (findings, tests) = MomentDifferences.find(
      [Self.series { before, _ in before < 0.2 ? -5 : 0 }, Self.series(seed: 2) { _, _ in 0 }],
      events: Self.events)
    let found = try #require(findings[0])
    #expect(found.side == .before && !found.isHigher)
    #expect(found.count == 12 && found.distinct == 12)
    #expect(found.probability <= 0.001 && found.adjusted <= 0.004)
    #expect(abs(found.near - -4.5) < 0.1 && abs(found.usual - 0.5) < 0.1)
    #expect(findings[1] == nil && tests == 4)
  }

  @Test("a rise after the stutters is found after them, however long it lasts")
  func after() throws {
    for constant in [0.3, 1, 3, 10] {
      let series = Self.series { _, after in 5 * Elementary.exp(-after / constant) }
      let found = try #require(MomentDifferences.find([series], events: Self.events).findings[0])
      #expect(found.side == .after && found.isHigher && found.distinct == 12)
    }
  }

  @Test("a drop before the stutters that lasts is found before them")
  func lasting() throws {
    let series = Self.series { before, after in before < 0.2 || after < 2 ? -5 : 0 }
    #expect(
      MomentDifferences.find([series], events: Self.events).findings[0]?.side == .before)
  }

  @Test("rows that end in a stutter do not count")
  func stalledRows() {
    let series = Self.series { _, after in after == 0 ? 1000 : 0 }
    let (findings, tests) = MomentDifferences.find([series], events: Self.events)
    #expect(findings == [nil] && tests == 2)
  }

  @Test("the row that ends when a stutter starts is before it, the first later one after it")
  func windowEnds() {
    let second: Int64 = 1_000_000_000
    let series = WindowedSeries(
      Series(times: [1, 2, 3, 4, 5].map { $0 * second }, values: [1, 2, 30, 4, 5]),
      without: [2 * second..<3 * second])
    #expect(series.times == [1, 2, 4, 5].map { $0 * second })
    #expect(series.mean(second, endingAt: 2 * second) == 2)
    #expect(series.mean(second, endingAt: 4 * second) == 4)
    // No row: the last earlier value.
    #expect(series.mean(second, endingAt: 3 * second) == 2)
    // Twice the ranks 3 and 4 of 4, counted from one half.
    #expect(series.score(2 * second, endingAt: 5 * second) == 6)
  }

  @Test("equal values have equal ranks")
  func ties() {
    let series = WindowedSeries(
      Series(times: [1, 2, 3, 4], values: [0.1, 7, 0.1, -1]), without: [])
    #expect((1...4).map { series.score(1, endingAt: $0) } == [4, 7, 4, 1])
    #expect(!series.isConstant)
  }

  @Test("another origin of time changes nothing")
  func origin() {
    let series = Self.series { before, _ in before < 0.2 ? -0.3 : 0 }
    let moved = Series(times: series.times.map { $0 - 77 }, values: series.values)
    let events = Self.events.map { ($0.lowerBound - 77)..<($0.upperBound - 77) }
    let found = MomentDifferences.find([series], events: Self.events).findings
    #expect(found[0] != nil)
    #expect(MomentDifferences.find([moved], events: events).findings == found)
  }

  @Test("a rising function of the values gives the same probability")
  func units() throws {
    let series = Self.series { before, _ in before < 0.2 ? -0.3 : 0 }
    let other = Series(times: series.times, values: series.values.map { Elementary.exp(9 * $0) })
    let found = [series, other].compactMap {
      MomentDifferences.find([$0], events: Self.events).findings[0]
    }
    try #require(found.count == 2)
    #expect(found[0].probability == found[1].probability)
    #expect(found[0].distinct == found[1].distinct && found[0].isHigher == found[1].isHigher)
  }

  @Test("readings far from the stutters change nothing")
  func farAway() {
    var random = SplitMix64(seed: 4)
    let times = (0..<600).map { Int64($0) * 1_000_000_000 }
    let events = (0..<10).map { (Int64($0) * 20_300 + 200_000) * Self.millisecond }.map {
      $0..<($0 + 90 * Self.millisecond)
    }
    let values = times.map { time in
      random.nextUnit() + (events.contains { 0..<1_000_000_000 ~= $0.lowerBound - time } ? 3 : 0)
    }
    let near = times.indices.filter { 100..<450 ~= $0 }
    let found = MomentDifferences.find([Series(times: times, values: values)], events: events)
    let less = MomentDifferences.find(
      [Series(times: near.map { times[$0] }, values: near.map { values[$0] })], events: events)
    #expect(found.findings[0]?.side == .before && found.findings == less.findings)
  }

  @Test("without enough stutters or values, nothing is tested")
  func few() {
    let series = Self.series { before, _ in before < 0.2 ? -5 : 0 }
    let flat = Series(times: Self.times, values: Self.times.map { _ in 0.1 })
    let none = Series(times: [], values: [])
    #expect(MomentDifferences.find([series], events: Array(Self.events[..<3])).tests == 0)
    #expect(MomentDifferences.find([flat, none], events: Self.events).tests == 0)
    #expect(MomentDifferences.find([series], events: []).findings == [nil])
    #expect(MomentDifferences.find([], events: Self.events).findings.isEmpty)
  }

  @Test("of many stutters, 200 are compared")
  func many() throws {
    let times = (1...60_000).map { Int64($0) * 20 * Self.millisecond - 1 }
    let events = (1...280).map { Int64($0) * 4_100 * Self.millisecond }.map {
      $0..<($0 + 60 * Self.millisecond)
    }
    var random = SplitMix64(seed: 9)
    let values = times.map { time in
      random.nextUnit() + (time % events[0].lowerBound > 4_000 * Self.millisecond ? 9 : 0)
    }
    let found = MomentDifferences.find([Series(times: times, values: values)], events: events)
    #expect(try #require(found.findings[0]).count == 200)
  }
}

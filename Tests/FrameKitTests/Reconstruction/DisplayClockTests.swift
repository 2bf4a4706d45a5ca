import Testing

@testable import FrameAnalysis
@testable import FrameStatistics

@Suite struct DisplayClockTests {
  /// Content and display rates.
  private static let rates: [(display: Double, content: Double)] = [
    (60, 24), (60, 23.976), (60, 25), (60, 30), (60, 40), (60, 45), (60, 48), (60, 50), (60, 54),
    (75, 50), (75, 60), (90, 60), (90, 72), (120, 50), (120, 100), (144, 25), (144, 50), (144, 60),
    (144, 100), (144, 120), (165, 60), (165, 144), (240, 60), (240, 100),
  ]

  /// The refreshes at which content of a steady rate is displayed.
  private static func shown(_ rate: (display: Double, content: Double), _ seed: UInt64) -> [Int64] {
    var random = SplitMix64(seed: seed)
    let phase = random.nextUnit()
    return (0..<240).map { Int64((phase + Double($0) * rate.display / rate.content).rounded(.up)) }
  }

  /// How many refreshes frames are late, those outside any clock against the next refresh.
  private static func dropped(_ shown: [Int64]) -> Int64 {
    let clock = DisplayClock(
      shown.map { RefreshNumber($0) }, gap: { _ in .none }, allowsLate: false)
    return shown.indices.dropFirst().reduce(0) { sum, position in
      sum + shown[position] - (clock.due[position]?.number ?? shown[position - 1] + 1)
    }
  }

  @Test func steadyContentDropsNothing() {
    for (number, rate) in Self.rates.enumerated() {
      for seed in 1...10 as ClosedRange<UInt64> {
        let dropped = Self.dropped(Self.shown(rate, seed * 100 + UInt64(number)))
        #expect(dropped == 0, "\(rate), seed \(seed)")
      }
    }
  }

  /// A late frame counts once, whether later frames make up for it or stay behind.
  @Test(arguments: [true, false]) func aLateFrameCountsOnce(_ catchesUp: Bool) {
    for (number, rate) in Self.rates.enumerated() {
      for late in [2, 3, 4, 8, 16, 24] as [Int64] {
        var shown = Self.shown(rate, UInt64(number))
        for position in 100..<shown.count {
          let isLate = position == 100 || !catchesUp
          shown[position] = max(shown[position] + (isLate ? late : 0), shown[position - 1] + 1)
        }
        // A slip of the clock may fall on the late frame.
        let slips =
          (rate.display / rate.content * 60).truncatingRemainder(dividingBy: 1) == 0 ? 0 : 1
        #expect((late...late + Int64(slips)).contains(Self.dropped(shown)), "\(rate), \(late) late")
      }
    }
  }

  /// A repeat in ten frames is a clock's; a repeat in eleven is a late frame.
  @Test(arguments: [(2, 0), (5, 0), (10, 0), (11, 21), (30, 8)])
  func rareRepeatsAreLateFrames(_ frames: Int, _ dropped: Int64) {
    var position: Int64 = 0
    let shown = (1...240).map { frame in
      position += frame % frames == 0 ? 2 : 1
      return position
    }
    #expect(Self.dropped(shown) == dropped)
  }

  /// A frame that is late by one refresh is a slip of the clock if five frames keep the new phase, and is late if the clock's
  /// distance is a whole number, or frames return to the old phase.
  @Test func slips() {
    let film = Self.shown((60, 24), 1)
    #expect(Self.dropped(Self.delayed(film, 100..<240)) == 0)
    for length in 1...6 {
      let dropped = Self.dropped(Self.delayed(film, 100..<(100 + length)))
      #expect(dropped == (length < 6 ? 1 : 0), "\(length) frames behind")
    }
    #expect(Self.dropped(Self.delayed(Self.shown((60, 30), 1), 100..<240)) == 1)
  }

  /// Frames that are late by one refresh.
  private static func delayed(_ shown: [Int64], _ late: Range<Int>) -> [Int64] {
    var shown = shown
    for position in late { shown[position] += 1 }
    return shown
  }

  @Test func framesThatComeFasterLeaveTheClock() {
    // Half the rate, then every refresh, with one late frame there.
    var shown = Self.shown((60, 30), 1)
    for position in 101..<240 { shown[position] = shown[position - 1] + (position == 200 ? 2 : 1) }
    #expect(Self.dropped(shown) == 1)
  }

  @Test func theSimplestFractionIsFound() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<300 {
      let distance = 1 + random.nextUnit() * 4
      var range = ClockRange()
      let shown = (0..<30).map { Int64((Double($0) * distance).rounded(.up)) }
      for last in 1..<30 {
        for first in 0..<last { range.narrow(to: shown[last] - shown[first], over: last - first) }
      }
      func agrees(_ refreshes: Int, _ frames: Int) -> Bool {
        (1..<30).allSatisfy { last in
          (0..<last).allSatisfy { first in
            let difference = Int(shown[last] - shown[first]) * frames - (last - first) * refreshes
            return abs(difference) < frames
          }
        }
      }
      let found = range.simplest
      #expect(agrees(Int(found.refreshes), found.frames))
      let simpler = (1..<found.frames).contains { frames in
        (frames...(frames * 6)).contains { agrees($0, frames) }
      }
      #expect(!simpler, "\(distance): \(found)")
    }
  }
}

/// Frames at every second refresh, some of which are late by one.
@Suite struct KeptPhaseTests {
  /// - Parameter late: The number of late frames, which are spread over all of them.
  private static func phase(_ count: Int, late: Int) -> KeptPhase? {
    let shown = (0..<count).map { index in
      Int64(2 * index + (index * late / count < (index + 1) * late / count ? 1 : 0))
    }
    return KeptPhase(shown, 0...count - 1)
  }

  /// Of 200 frames at random, 100 keep the phase, with a standard deviation of 7.1.
  @Test(arguments: [(0, true), (50, true), (82, true), (83, false), (100, false)])
  func enoughFramesShowAPhase(_ late: Int, _ isFound: Bool) {
    #expect((Self.phase(200, late: late) != nil) == isFound)
  }

  @Test(arguments: [(29, false), (30, true)])
  func fewFramesShowNone(_ count: Int, _ isFound: Bool) {
    #expect((Self.phase(count, late: 2) != nil) == isFound)
  }

  /// Frames that are 2.04 refreshes apart on average keep the phase, and those that are further apart do not.
  @Test(arguments: [(4, true), (5, false)])
  func theMeanDistanceIsNearlyWhole(_ later: Int64, _ isFound: Bool) {
    // The last ten of 100 frames.
    let shown = (0..<100).map { Int64(2 * $0) + ($0 < 90 ? 0 : later) }
    #expect((KeptPhase(shown, 0...99) != nil) == isFound)
  }

  @Test func aFrameIsDueAtItsPhase() throws {
    let phase = try #require(Self.phase(60, late: 6))
    #expect(phase.distance == 2 && phase.due(8) == 8 && phase.due(9) == 8)
  }
}

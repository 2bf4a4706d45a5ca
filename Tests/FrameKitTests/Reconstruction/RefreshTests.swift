import Testing

@testable import FrameAnalysis
@testable import FrameStatistics
@testable import FrameTrace

@Suite("Refreshes")
struct RefreshTests {
  /// Display times with the given steps in intervals, slightly irregular.
  private static func times(
    _ steps: [Int64], interval: Int64, noise: Int64 = 20_000, from start: Int64 = 5_000_000
  ) -> [Timestamp] {
    var random = SplitMix64(seed: 3)
    var time = start
    return steps.map { step in
      time += step * interval
      return Timestamp(nanoseconds: time + Int64.random(in: -noise...noise, using: &random))
    }
  }

  private static func display(_ interval: Int64?) -> Display {
    var display = Display(id: "d")
    display.interval = interval.map { Nanoseconds($0) }
    return display
  }

  private static func near(_ found: Nanoseconds?, _ wanted: Int64) -> Bool {
    found.map { abs($0.count - wanted) * 500 < wanted } ?? false
  }

  @Test("the interval comes out of display times with many frames left out")
  func drops() {
    let steps = (0..<400).map { Int64([1, 1, 2, 1, 3, 1, 1, 5][$0 % 8]) }
    let refreshes = DisplayRefreshes(
      nil, DisplayChanges(times: Self.times(steps, interval: 16_666_667)))
    #expect(Self.near(refreshes.interval, 16_666_667))
    #expect(refreshes.source == .measured)
    #expect(!refreshes.isRecorded && refreshes.contradicted == nil)
  }

  @Test("a compositor that draws when it likes has the display that it states")
  func drawnOnDemand() {
    var random = SplitMix64(seed: 5)
    var time: Int64 = 1_000_000_000
    let times = (0..<300).map { frame in
      // Steps of one refresh and of one and a half, none of them half a refresh.
      time += [16_600_000, 27_600_000, 21_900_000, 27_000_000][frame % 4]
      return Timestamp(nanoseconds: time + .random(in: -300_000...300_000, using: &random))
    }
    let refreshes = DisplayRefreshes(Self.display(16_666_667), DisplayChanges(times: times))
    #expect(Self.near(refreshes.interval, 16_666_667) && refreshes.source == .stated)
  }

  /// A stated interval is used, and display times find no other. If the display times do not fit
  /// it, drops are unknown. The limit is a quarter of an interval.
  @Test(
    "drops are judged by a stated interval only where display times keep it",
    arguments: [
      (16_666_667, true), (17_150_000, true), (20_700_000, true), (21_000_000, false),
      (25_000_000, false), (33_333_333, true), (8_700_000, false),
    ])
  func untrueStatement(_ own: Int64, _ isJudged: Bool) throws {
    let lines =
      ["{\"schema\": \"frametool.trace/1\"}", "{\"type\": \"display\", \"interval\": 16666667}"]
      + Self.times([Int64](repeating: 1, count: 200), interval: own).map {
        "{\"type\": \"frame\", \"commit\": \($0.nanoseconds - 9_000_000), \"displayed\": \($0.nanoseconds)}"
      }
    let surface = TraceAnalysis(
      of: try TestData.read(text: lines.joined(separator: "\n") + "\n")
    ).surfaces[0]
    #expect((surface.drops.value != nil) == isJudged)
    #expect(surface.drops.whyMissing?.hasPrefix("drops cannot be judged") ?? true)
    #expect((surface.unjudgedDrops == nil) == isJudged)
  }

  @Test("a stated interval that display times keep is stated, though most frames take two")
  func statedAndKept() {
    let steps = (0..<300).map { Int64($0 % 10 == 0 ? 3 : 2) }
    let refreshes = DisplayRefreshes(
      Self.display(8_333_333), DisplayChanges(times: Self.times(steps, interval: 8_333_333)))
    #expect(Self.near(refreshes.interval, 8_333_333))
    #expect(refreshes.source == .stated)
  }

  @Test("a change of rate in the middle is followed")
  func rateChange() throws {
    let first = Self.times([Int64](repeating: 1, count: 300), interval: 8_333_333)
    let second = Self.times(
      [Int64](repeating: 1, count: 300), interval: 16_666_667, from: first[299].nanoseconds)
    let refreshes = DisplayRefreshes(nil, DisplayChanges(times: first + second))
    let grid = try #require(refreshes.grid)
    let indices = (first + second).map(grid.nearest)
    let steps = zip(indices.dropFirst(), indices).map { $0 - $1 }
    #expect(steps.allSatisfy { $0 == 1 })
  }

  @Test("nothing known is assumed, and said so")
  func assumed() {
    let refreshes = DisplayRefreshes(nil, DisplayChanges(times: [1_000_000]))
    #expect(refreshes.source == .assumed)
    #expect(refreshes.interval?.count == 16_666_667)
  }

  @Test("display times that keep no interval have none")
  func none() {
    var random = SplitMix64(seed: 11)
    var time: Int64 = 0
    let times = (0..<500).map { _ in
      time += Int64.random(in: 3_000_000...9_000_000, using: &random)
      return Timestamp(nanoseconds: time)
    }
    #expect(DisplayRefreshes(nil, DisplayChanges(times: times)).interval == nil)
  }

  @Test("numbers and times of a grid belong together, in gaps and beyond the ends")
  func grid() {
    let grid = RefreshGrid(numbers: [10, 11, 15, 16], times: [100, 110, 152, 160], interval: 10)
    for number in RefreshNumber(0)...30 {
      let time = grid.time(number)
      #expect(grid.last(time) == number)
      #expect(grid.first(time) == number)
      #expect(grid.last(time + 1) == number && grid.first(time + 1) == number + 1)
      #expect(grid.nearest(time + 3) == number)
      #expect(grid.position(time) == Double(number.number))
    }
    #expect(grid.time(13) == 131)
    #expect(grid.time(8) == 80)
    #expect(grid.time(18) == 180)
  }

  /// The interval at an instant is found by one search, and is the time between the refreshes
  /// around it.
  @Test func theIntervalAtATimeIsThatOfTheRefreshesAround() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<200 {
      var (numbers, times): ([RefreshNumber], [Timestamp]) = ([], [])
      var (number, time): (Int64, Int64) = (-5, 1000)
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        numbers.append(RefreshNumber(number))
        times.append(Timestamp(nanoseconds: time))
        // Refreshes without a time are in gaps.
        let step = Int64.random(in: 1...3, using: &random)
        number += step
        time += step * Int64.random(in: 9...13, using: &random)
      }
      let grid = RefreshGrid(
        numbers: numbers, times: times, interval: Nanoseconds(10), before: Nanoseconds(9),
        after: Nanoseconds(12)
      ).shifted(by: Nanoseconds(Int64.random(in: -7...7, using: &random)))
      for nanoseconds in 940...time + 60 {
        let instant = Timestamp(nanoseconds: nanoseconds)
        #expect(grid.interval(at: instant) == grid.interval(after: grid.last(instant)))
      }
    }
  }

  /// Numbers that no display has counted are none: those after them could not be represented.
  @Test(arguments: [
    (Int64.max - 20, false), (1 << 61, false), ((1 << 61) - 100, true), (.min, false),
  ])
  func refreshesWithoutPlausibleNumbersAreCounted(_ first: Int64, _ isNumbered: Bool) throws {
    var text = #"{"schema":"frametool.trace/1","unit":"ns"}"# + "\n"
    for number in 0..<10 as Range<Int64> {
      text +=
        #"{"type":"refresh","display":"d","number":\#(first + number),"time":\#(number * 16_666_667)}"#
        + "\n"
    }
    text += #"{"type":"frame","surface":"s","appStart":50000000000,"displayed":50100000000}"#
    let trace = try TestData.read(text: text, path: "t.jsonl")
    let recorded = try #require(RecordedRefreshes(trace.displays[0]))
    #expect(recorded.isNumbered == isNumbered)
    #expect(TraceAnalysis(of: trace).surfaces.count == 1)
  }

  /// Without an interval, each nanosecond is a refresh, so that nothing is rounded.
  @Test(arguments: [0, 7, -7] as [Int64])
  func aGridOfNanosecondsKeepsTimes(_ shift: Int64) {
    let grid = RefreshGrid.nanoseconds.shifted(by: Nanoseconds(shift))
    for nanoseconds in [-(1 << 60), -1, 0, 1, 1 << 60] as [Int64] {
      let (number, time) = (RefreshNumber(nanoseconds), Timestamp(nanoseconds: nanoseconds + shift))
      #expect(grid.time(number) == time && grid.interval(at: time) == Nanoseconds(1))
      #expect(grid.last(time) == number && grid.first(time) == number)
      #expect(grid.nearest(time) == number)
    }
  }

  /// Where most refreshes are known, the times of all are kept; a known refresh far away changes how the others are
  /// searched, and nothing else.
  @Test func aGridAnswersTheSameWhetherMostOfItsRefreshesAreKnownOrFew() {
    var random = SplitMix64(seed: 5)
    for round in 0..<200 {
      var (numbers, times): ([RefreshNumber], [Timestamp]) = ([], [])
      var (number, time): (Int64, Int64) = (Int64.random(in: -9...9, using: &random), 1000)
      for _ in 0...Int.random(in: 1...30, using: &random) {
        numbers.append(RefreshNumber(number))
        times.append(Timestamp(nanoseconds: time))
        // In some rounds none is missing, in others every other one.
        let step = round % 3 == 0 ? 1 : Int64.random(in: 1...3, using: &random)
        number += step
        time += step * Int64.random(in: 1...13, using: &random)
      }
      func grid(_ numbers: [RefreshNumber], _ times: [Timestamp]) -> RefreshGrid {
        RefreshGrid(
          numbers: numbers, times: times, interval: Nanoseconds(10), before: Nanoseconds(9),
          after: Nanoseconds(12)
        ).shifted(by: Nanoseconds(3))
      }
      let near = grid(numbers, times)
      let far = grid(
        numbers + [numbers[numbers.count - 1] + 1000], times + [Timestamp(nanoseconds: 1_000_000)])
      for known in zip(numbers, times) {
        #expect(near.time(known.0) == known.1 + Nanoseconds(3))
      }
      for number in numbers[0] - 5...numbers[numbers.count - 1] {
        #expect(near.time(number) == far.time(number))
      }
      for nanoseconds in 970...times[times.count - 1].nanoseconds + 2 {
        let instant = Timestamp(nanoseconds: nanoseconds)
        let last = near.last(instant)
        #expect(last == far.last(instant))
        #expect(near.time(last) <= instant && instant < near.time(last + 1))
        #expect(near.interval(at: instant) == far.interval(at: instant))
      }
    }
  }

  /// Few lengths are sorted, and many are counted into bins: both give the median.
  @Test(arguments: [1, 2, 3, 10, 1023, 1024, 1025, 5000])
  func theMedianOfLengthsIsTheMiddleOfTheSortedOnes(_ count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let lengths = (0..<count).map { _ in
      Nanoseconds(Int64.random(in: -3_000_000...40_000_000, using: &random))
    }
    let sorted = lengths.sorted()
    let middle = Nanoseconds((sorted[(count - 1) / 2].count + sorted[count / 2].count) / 2)
    #expect(lengths.median == middle)
    for index in Set([0, count / 10, count / 2, count - 1]) {
      #expect(lengths.ranked(index) == sorted[index])
    }
    let none: [Nanoseconds] = []
    #expect(none.median == nil)
  }
}

/// The common divisor of several rates is no rate of a display.
@Suite struct UnseenIntervalTests {
  /// - Parameter multiples: The distances between display times, in turns.
  private static func interval(_ divisor: Nanoseconds, _ multiples: [Int64]) -> MeasuredInterval? {
    var times = [Timestamp(nanoseconds: 0)]
    for index in 0..<120 {
      times.append(times[index] + divisor * multiples[index % multiples.count])
    }
    let distances = DisplayDistances(times)
    return MeasuredInterval.unit(distances).flatMap {
      MeasuredInterval(distances, unit: $0, syncInterval: nil)
    }
  }

  @Test(arguments: [(3_700_000, false), (4_099_999, false), (4_100_000, true), (5_000_000, true)])
  func aShortDivisorIsNoInterval(_ length: Int64, _ isFound: Bool) {
    let divisor = Nanoseconds(length)
    #expect((Self.interval(divisor, [2, 3, 2, 2, 3, 5]) != nil) == isFound)
    // If frames follow each other at it, a display has it.
    #expect(Self.interval(divisor, [2, 3, 1, 2, 3, 1])?.interval == divisor)
  }
}

/// Rates that another usual one explains, too, where displays have that one more often.
@Suite struct UsualMultipleTests {
  @Test(
    arguments: [
      (40.0, 3), (48, 3), (50, 2), (72, 2), (60, nil), (75, nil), (90, nil), (120, nil), (144, nil),
      (71.3, 2), (71.2, nil),
    ] as [(Double, Int64?)])
  func aRareRateMayBeAMultiple(_ hertz: Double, _ multiple: Int64?) {
    #expect(DisplayRates.usualMultiple(of: Nanoseconds(rounding: 1e9 / hertz)) == multiple)
  }
}

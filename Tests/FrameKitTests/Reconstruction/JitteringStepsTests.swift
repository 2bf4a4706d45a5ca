import Testing

@testable import FrameAnalysis
@testable import FrameTrace

/// Display times that jitter around refreshes, and those that show another rate.
@Suite struct JitteringStepsTests {
  private static func distances(_ steps: [Double], of interval: Int64) -> DisplayDistances {
    var time = 1_000_000_000.0
    let times = steps.map { step in
      time += step * Double(interval)
      return Timestamp(nanoseconds: Int64(time))
    }
    return DisplayDistances([Timestamp(nanoseconds: 1_000_000_000)] + times)
  }

  /// Steps that are too long and too short by a part of an interval, in turns, and each fifth one even.
  private static func turns(_ part: Double, bias: Double = 0) -> [Double] {
    (0..<200).map { 1 + bias + [part, -part, part, -part, 0][$0 % 5] }
  }

  @Test(arguments: [25_000_000, 16_666_667, 4_166_667] as [Int64])
  func theMedianDecides(_ interval: Int64) {
    let isJitter = { (steps: [Double]) in
      Self.distances(steps, of: interval).jitter(around: Nanoseconds(interval))
    }
    #expect(isJitter(Self.turns(0.12)) && !isJitter(Self.turns(0.13)))
    // As often late as early.
    #expect(isJitter(Self.turns(0.01, bias: 0.05)) && !isJitter(Self.turns(0.01, bias: 0.075)))
    // Some steps may be anything.
    let some = Self.turns(0.05).enumerated().map { $0 % 5 == 4 ? 1.45 : $1 }
    #expect(isJitter(some))
    #expect(isJitter(Array(Self.turns(0.05).prefix(10))))
    #expect(!isJitter(Array(Self.turns(0.05).prefix(9))))
    #expect(!isJitter([]))
  }

  /// A panel of 120 Hz whose program mostly draws at each second refresh is no jittering one of 60 Hz.
  @Test func anotherRateIsNotJitter() throws {
    var random = (0..<400).map { $0 % 20 < 11 ? 1.0 : $0 % 2 == 0 ? 0.5 : 1.5 }
    random.insert(2, at: 100)
    let times = Self.distances(random, of: 16_666_667).times
    #expect(Self.drops(times) == nil)
  }

  /// More frames than the stated rate has refreshes.
  @Test func aBurstHasAnotherRate() {
    let interval = Nanoseconds(10_000_000)
    let even = [Double](repeating: 1, count: 100)
    let burst = even + [Double](repeating: 0.5, count: 12) + even
    let few = even + [0.5, 0.5] + even
    let numbers = { (steps: [Double]) in
      RefreshNumbers(jittering: Self.distances(steps, of: interval.count).times, interval)
    }
    #expect(numbers(burst) == nil)
    #expect(numbers(few) != nil)
  }

  private static func drops(_ times: [Timestamp]) -> Int? {
    var builder = TraceBuilder(
      Provenance(file: "t", importer: "t", format: "test", reason: "a test"))
    builder.trace.displays = [Display(id: "d", interval: Nanoseconds(16_666_667))]
    _ = builder.surface("s") { Surface(id: "s", display: 0, bufferOwner: .app) }
    for time in times {
      var row = Table<FrameColumn>.Row()
      row[.commit] = time.nanoseconds - 5_000_000
      row[.displayed] = time.nanoseconds
      builder.trace.surfaces[0].frames.append(row)
    }
    return TraceAnalysis(of: builder.finish()).surfaces[0].drops.value?.refreshes
  }
}

import Testing

@testable import FrameAnalysis
@testable import FrameTrace

/// The lead of 200 frames, some of which are shown a refresh late.
@Suite struct UsualPathTests {
  private static let interval = Nanoseconds(16_666_667)
  private static let distance = Nanoseconds(8_750_000)

  /// Whether `count` frames, whose work ended `later` than that of the others, are due at the refresh before their own.
  private static func isLate(_ count: Int, _ later: Nanoseconds) -> Bool {
    let usual = Array(repeating: distance, count: 200 - count)
    let late = Array(repeating: distance + interval - later, count: count)
    return UsualPath.lead(usual + late, interval) <= distance - later
  }

  /// Work that ended later by less than a 1,024th of an interval does not explain a refresh more, however many frames
  /// have it. Work that ended later by that much may have missed a deadline.
  @Test(arguments: [2, 4, 5, 8, 10, 20, 50, 80, 99])
  func roundedTimesDecideNothing(_ count: Int) {
    let edge: Nanoseconds = Self.interval / Int64(1_024)
    for later in [Nanoseconds(1), Nanoseconds(1_000), edge - Nanoseconds(1)] {
      #expect(Self.isLate(count, later))
    }
    #expect(Self.isLate(count, edge) == (count <= 4))
  }
}

import FrameStatistics
import Testing

@testable import FrameReport

/// The readings that a page keeps of a sensor.
@Suite struct ExploredCounterTests {
  private static func readings(_ count: Int) -> [(time: Int64, value: Double)] {
    var random = SplitMix64(seed: UInt64(count))
    return (0..<count).map { (Int64($0) * 10, Double.random(in: -5...5, using: &random)) }
  }

  /// Both sides of the most that are kept; no peak is lost, and the order stays.
  @Test(arguments: [0, 1, 3_999, 4_000, 4_001, 4_777, 100_000])
  func noPeakIsLost(_ count: Int) {
    let all = Self.readings(count)
    let kept = ExploredCounter.thinned(all)
    #expect(kept.count <= 4_000 && (count > 4_000 || kept.count == count))
    #expect(kept.map(\.value).max() == all.map(\.value).max())
    #expect(kept.map(\.value).min() == all.map(\.value).min())
    #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.time < $1.time })
  }
}

import FrameStatistics
import Testing

@testable import FrameReport

/// The frames that a page leads to.
@Suite struct ExploredFramesTests {
  /// The highest values are those that come first when all are sorted, also where many are equal
  /// or missing, and on both sides of the number that is wanted.
  @Test(arguments: [1, 2, 9, 10, 11, 500, 3000], [1, 3, 1_000_000_000])
  func theHighestComeFirst(_ count: Int, _ largest: Int64) {
    var random = SplitMix64(seed: UInt64(count))
    let values = (0..<count).map { _ in
      Int.random(in: 0..<4, using: &random) == 0
        ? nil : Int64.random(in: -largest...largest, using: &random)
    }
    let known = values.indices.filter { values[$0] != nil }
    let sorted = known.sorted { (values[$1] ?? 0, $0) < (values[$0] ?? 0, $1) }
    for most in [0, 1, 9, 10, 11, known.count - 1, known.count, count + 1] where most >= 0 {
      #expect(ExploredFrames.highest(most, of: values) == Array(sorted.prefix(most)))
    }
  }
}

import FrameStatistics
import Testing

@testable import FrameImporters

/// How long a recorder was held up within a range.
@Suite struct RecorderGapTests {
  /// The same by counting each instant, for gaps in any order that overlap or touch.
  @Test(arguments: 0..<300) func theTimeIsThatOfTheInstants(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let gaps = (0..<Int.random(in: 0...8, using: &random)).map { _ in
      let start = Int64.random(in: 0..<90, using: &random)
      return (start: start, end: start + Int64.random(in: 1...30, using: &random))
    }
    let found = RecorderGaps(gaps)
    for _ in 0..<40 {
      let start = Int64.random(in: -5..<130, using: &random)
      let range = start..<start + Int64.random(in: 0...60, using: &random)
      let instants = range.count { instant in
        gaps.contains { $0.start <= instant && instant < $0.end }
      }
      #expect(found.time(within: range) == Int64(instants), "\(gaps) \(range)")
    }
  }
}

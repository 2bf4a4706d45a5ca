import FrameStatistics
import Testing

@testable import FrameAnalysis
@testable import FrameTrace

/// Lists of values of which some are missing, and of rows near others.
@Suite struct CompactOptionalsTests {
  /// Whatever is written, and in whatever order, is read back, and what is not stays missing.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func whatIsWrittenIsReadBack(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 1...50, using: &random)
    var values = [Int?](repeating: nil, count: count)
    var compact = CompactOptionals<Int>(missing: count)
    var nearby = NearbyRows(missing: count)
    for _ in 0..<Int.random(in: 0...100, using: &random) {
      let position = Int.random(in: 0..<count, using: &random)
      let bits = Int.random(in: 0...40, using: &random)
      values[position] =
        Int.random(in: 0..<4, using: &random) == 0
        ? nil : Int.random(in: 0...1 << bits, using: &random)
      compact[position] = values[position]
      nearby[position] = values[position]
    }
    #expect(compact.indices.map { compact[$0] } == values)
    #expect(nearby.indices.map { nearby[$0] } == values)
    #expect(compact.hasAny == values.contains { $0 != nil })
    #expect(compact.knownCount == values.count { $0 != nil })
    #expect(Array(compact.known) == values.compactMap { $0 })
    let appended = CompactOptionals(values)
    #expect(appended.indices.map { appended[$0] } == values)
  }

  /// However many rows there are, one that is close takes no more than a byte.
  @Test func aNearbyRowTakesAByte() {
    var nearby = NearbyRows(missing: 100_000)
    for row in nearby.indices.dropLast(3) { nearby[row] = row + 1 + row % 3 }
    #expect(nearby.distances.stored.width == .one)
    nearby[0] = 99_999
    #expect(nearby.distances.stored.width == .four)
  }
}

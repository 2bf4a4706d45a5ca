import Testing

@testable import FrameStatistics

/// Positions in rising integers are those that a look at each of them finds.
@Suite struct RisingIntegersTests {
  /// Even, uneven, clustered and equal values, with the values around each of them.
  @Test(arguments: 0..<60)
  func positionsAreThoseOfALinearSearch(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var values: [Int64] = []
    var value = Int64.random(in: -1_000_000...1_000_000, using: &random)
    for _ in 0..<Int.random(in: 1...200, using: &random) {
      values.append(value)
      let step: ClosedRange<Int64> =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: 0...0
        case 1: 1...1
        case 2: 0...1_000_000_000_000
        default: 16...18
        }
      value += Int64.random(in: step, using: &random)
    }
    let rising = RisingIntegers(values)
    for asked in values.flatMap({ [$0 - 1, $0, $0 + 1] }) + [.min, .max, values[0] - 1_000_000] {
      let expected = values.lastIndex { $0 <= asked } ?? -1
      #expect(rising.position(of: asked) == expected)
    }
  }

  @Test func thereIsNoPositionInNothing() {
    #expect(RisingIntegers([]).position(of: 0) == -1)
    #expect(RisingIntegers([]).position(of: .max) == -1)
  }

  /// The distance of the first to the last value may not fit in 64 signed bits.
  @Test func theGreatestDistancesAreFound() {
    let values: [Int64] = [.min, .min + 1, -5, 0, 7, .max - 1, .max]
    let rising = RisingIntegers(values)
    for (position, value) in values.enumerated() { #expect(rising.position(of: value) == position) }
    #expect(rising.position(of: -6) == 1)
    #expect(rising.position(of: 1 << 40) == 4)
  }

  /// Values that do not rise, which no caller may pass, take no more memory and no place outside.
  @Test func valuesThatDoNotRiseTakeNoMoreMemory() {
    for values: [Int64] in [[5, 1], [0, 10, -3, 4], [.max, .min], [3, .min, 2, .max, 3]] {
      let rising = RisingIntegers(values)
      for asked in values + [0, .min, .max] {
        #expect((-1..<values.count).contains(rising.position(of: asked)))
      }
    }
  }
}

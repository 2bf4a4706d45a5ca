import Testing

@testable import FrameStatistics
@testable import FrameTrace

/// Searching eight bytes at a time finds what a comparison at every index finds.
@Suite struct ByteSearchTests {
  /// Bytes of few kinds, so that parts of what is searched occur often, among them neighbors of these
  /// bytes, which a borrow could turn into each other.
  private static func bytes(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
    let letters: [UInt8] = [0, 1, 0x60, 0x61, 0x62, 0x63, 0x80, 0xff]
    return (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 }
  }

  private static func first(_ text: [UInt8], in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    guard text.count <= range.count else { return nil }
    return (range.lowerBound...range.upperBound - text.count).first {
      bytes[$0..<$0 + text.count].elementsEqual(text)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func everySearchAgreesWithComparingEverywhere(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let names = ["a", "b", "ab", "ba", "abb", "aab", "abababab", "ababababa", "caaaaaaaaaaaaaaab"]
    for _ in 0..<200 {
      let count = Int.random(in: 0..<60, using: &random)
      let bytes = Self.bytes(count, &random)
      let padded = bytes + Self.bytes(8, &random)
      let start = Int.random(in: 0...count, using: &random)
      let range = start..<Int.random(in: start...count, using: &random)
      for letter in Set(bytes) {
        #expect(
          padded.span.first(letter, inWordsOf: range) == bytes[range].firstIndex(of: letter),
          "\(letter) in \(bytes[range])")
        #expect(
          padded.span.first(letter, or: 0x61, inWordsOf: range)
            == bytes[range].firstIndex { $0 == letter || $0 == 0x61 },
          "\(letter) or 97 in \(bytes[range])")
      }
      let part = Self.bytes(Int.random(in: 1..<4, using: &random), &random)
      #expect(
        bytes.span.first(of: part, in: range) == Self.first(part, in: bytes, range),
        "\(part) in \(bytes[range])")
      for name in names {
        let text = Array(name.utf8)
        #expect(
          padded.span.first(ByteName(text), in: range) == Self.first(text, in: bytes, range),
          "\(name) in \(bytes[range])")
      }
    }
  }

  /// No byte after the range is read: there may be none.
  @Test(arguments: 0..<40)
  func aTextIsFoundAtTheVeryEnd(_ before: Int) {
    let bytes = [UInt8](repeating: 0x62, count: before) + Array("ab".utf8)
    #expect(bytes.span.first(of: Array("ab".utf8), in: bytes.indices) == before)
    #expect(bytes.span.first(of: Array("abc".utf8), in: bytes.indices) == nil)
    #expect(bytes.span.first(of: [], in: bytes.indices) == 0)
  }
}

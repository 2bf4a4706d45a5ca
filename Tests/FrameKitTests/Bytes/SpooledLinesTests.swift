import FrameStatistics
import Testing

@testable import FrameTrace

/// Lines in a temporary file are what they were, and are compared by their whole text.
@Suite struct SpooledLinesTests {
  @Test(arguments: 0..<8) func theyAreReadAndSortedAsTexts(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let spool = try SpooledLines(for: "test")
    var texts: [String] = []
    var positions: [SpooledLines.Position] = []
    // Many share more than their first bytes, and together they are more than is kept for writing.
    for _ in 0..<400 {
      let start = String(repeating: "a", count: Int.random(in: 0...600, using: &random))
      let rest = (0..<Int.random(in: 0...8000, using: &random)).map { _ in
        "abé".randomElement(using: &random) ?? "a"
      }
      texts.append(start + String(rest) + "\n")
      positions.append(spool.append(texts[texts.count - 1]))
    }
    for (text, position) in zip(texts, positions) { #expect(try spool.line(position) == text) }
    let sorted = try positions.sorted { try spool.isBefore($0, $1) }.map { try spool.line($0) }
    #expect(sorted == texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(try !spool.isBefore(positions[0], positions[0]))
  }
}

import CByteScan

/// Where the separators, line ends and quotes of a stretch of bytes are.
///
/// The one file of the CSV path that reads through a pointer: `LineWindow` guarantees
/// readable bytes after the stretch, and 64 of them are compared at a time.
struct SeparatorScan {
  /// The positions of all separators and line feeds, in order; `separatorCount` are valid.
  private(set) var separators: [UInt32] = []
  private(set) var separatorCount = 0
  /// For each line the number of separators up to and with its line feed.
  private(set) var lineEnds: [UInt32] = []
  private(set) var lineCount = 0
  /// Whether there is any double quote; then the separators inside of quotes are in the
  /// list too.
  private(set) var hasQuotes = false

  /// How many separators every line has, its line feed included; `nil` when lines differ.
  private(set) var uniformWidth: Int?

  /// Finds everything in `bytes[range]`, in time linear in its length.
  /// - Precondition: `LineWindow.padding` bytes can be read after the range.
  mutating func scan(_ bytes: [UInt8], _ range: Range<Int>, separator: UInt8) {
    precondition(range.upperBound + LineWindow.padding <= bytes.count)
    makeRoom(Self.count(bytes, range, separator: separator))
    (separatorCount, lineCount, hasQuotes) = Self.scan(
      bytes, range, separator: separator, separators: &separators, lineEnds: &lineEnds)
    findWidth()
  }

  private mutating func findWidth() {
    uniformWidth = nil
    guard lineCount > 0 else { return }
    let width = lineEnds[0]
    var expected = width
    for line in 0..<lineCount {
      if lineEnds[line] != expected { return }
      expected &+= width
    }
    uniformWidth = Int(width)
  }

  private static func scan(
    _ bytes: [UInt8], _ range: Range<Int>, separator: UInt8,
    separators: inout [UInt32], lineEnds: inout [UInt32]
  ) -> (separators: Int, lines: Int, quotes: Bool) {
    var found = 0
    var lines = 0
    var quotes: UInt64 = 0
    var separators = separators.mutableSpan
    var lineEnds = lineEnds.mutableSpan
    eachBlock(of: bytes, range, separator) { start, feeds, all, quoted in
      quotes |= quoted
      for bit in BitPositions(feeds) {
        let upTo = all & (UInt64.max &>> UInt64(63 &- bit))
        lineEnds[lines] = UInt32(truncatingIfNeeded: found &+ upTo.nonzeroBitCount)
        lines &+= 1
      }
      for bit in BitPositions(all) {
        separators[found] = UInt32(truncatingIfNeeded: start &+ bit)
        found &+= 1
      }
    }
    return (found, lines, quotes != 0)
  }

  /// Calls `body` for each 64 bytes of a range with the index of the first one, and with a bit for each line feed, for each
  /// line feed or separator, and for each quote.
  @inline(__always)
  private static func eachBlock(
    of bytes: [UInt8], _ range: Range<Int>, _ separator: UInt8,
    _ body: (_ start: Int, _ feeds: UInt64, _ all: UInt64, _ quotes: UInt64) -> Void
  ) {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for start in stride(from: range.lowerBound, to: range.upperBound, by: 64) {
        let block = unsafe base + start
        let inside = UInt64.max >> UInt64(max(0, start + 64 - range.upperBound))
        let feeds = inside & (unsafe byte_scan_match(block, UInt8(ascii: "\n")))
        let all = feeds | inside & (unsafe byte_scan_match(block, separator))
        let quotes = inside & (unsafe byte_scan_match(block, UInt8(ascii: "\"")))
        body(start, feeds, all, quotes)
      }
    }
  }

  /// Removes the separators within double quotes. An unclosed quote ends with its line, so that one
  /// broken row affects only one row.
  mutating func dropQuotedSeparators(_ bytes: [UInt8]) {
    var kept = 0
    var next = 0
    var position = 0
    for line in 0..<lineCount {
      var quoted = false
      while next < Int(lineEnds[line]) {
        let separator = Int(separators[next])
        next += 1
        while position < separator {
          if bytes[position] == UInt8(ascii: "\"") { quoted.toggle() }
          position += 1
        }
        if !quoted || next == Int(lineEnds[line]) {
          separators[kept] = UInt32(separator)
          kept += 1
        }
      }
      lineEnds[line] = UInt32(kept)
    }
    separatorCount = kept
    findWidth()
  }

  /// Counts the separators and line feeds. Without the count, each of the blocks in memory would need room for as many as it
  /// has bytes: eight times its own size.
  private static func count(
    _ bytes: [UInt8], _ range: Range<Int>, separator: UInt8
  ) -> (separators: Int, lines: Int) {
    var found = 0
    var lines = 0
    eachBlock(of: bytes, range, separator) { _, feeds, all, _ in
      lines &+= feeds.nonzeroBitCount
      found &+= all.nonzeroBitCount
    }
    return (found, lines)
  }

  private mutating func makeRoom(_ count: (separators: Int, lines: Int)) {
    if separators.count < count.separators {
      separators = [UInt32](repeating: 0, count: count.separators + count.separators / 8)
    }
    if lineEnds.count < count.lines {
      lineEnds = [UInt32](repeating: 0, count: count.lines + count.lines / 8)
    }
  }
}

/// The positions of the bits that are set in a word, lowest first.
private struct BitPositions: Sequence, IteratorProtocol {
  private var rest: UInt64

  init(_ word: UInt64) { rest = word }

  mutating func next() -> Int? {
    guard rest != 0 else { return nil }
    defer { rest &= rest &- 1 }
    return rest.trailingZeroBitCount
  }
}

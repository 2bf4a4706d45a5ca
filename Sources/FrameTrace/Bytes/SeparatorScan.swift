/// Where the separators, line ends and quotes of a stretch of bytes are.
///
/// 64 bytes are compared at a time; `LineWindow` guarantees as many readable bytes after the stretch.
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
    var found = Found()
    var next = range.lowerBound
    while next < range.upperBound {
      makeRoom(for: range.count, having: found)
      next = Self.scan(
        bytes, next..<range.upperBound, separator: separator, separators: &separators,
        lineEnds: &lineEnds, &found)
    }
    (separatorCount, lineCount, hasQuotes) = (found.separators, found.lines, found.hasQuotes)
    findWidth()
  }

  /// What was found up to a position.
  private struct Found {
    var separators = 0
    var lines = 0
    var hasQuotes = false
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

  /// Finds everything in the range, up to where the next 64 bytes may hold more than there is room for.
  /// - Returns: Where it stopped.
  private static func scan(
    _ bytes: [UInt8], _ range: Range<Int>, separator: UInt8, separators: inout [UInt32],
    lineEnds: inout [UInt32], _ found: inout Found
  ) -> Int {
    var (separatorCount, lineCount) = (found.separators, found.lines)
    var quotes: UInt64 = 0
    var separators = separators.mutableSpan
    var lineEnds = lineEnds.mutableSpan
    let bytes = bytes.span
    var start = range.lowerBound
    while start < range.upperBound, separatorCount &+ 64 <= separators.count,
      lineCount &+ 64 <= lineEnds.count
    {
      let inside = UInt64.max >> UInt64(max(0, start + 64 - range.upperBound))
      let feeds = inside & bytes.matches(UInt8(ascii: "\n"), at: start)
      let all = feeds | inside & bytes.matches(separator, at: start)
      quotes |= inside & bytes.matches(UInt8(ascii: "\""), at: start)
      for bit in BitPositions(feeds) {
        let upTo = all & (UInt64.max &>> UInt64(63 &- bit))
        lineEnds[lineCount] = UInt32(truncatingIfNeeded: separatorCount &+ upTo.nonzeroBitCount)
        lineCount &+= 1
      }
      for bit in BitPositions(all) {
        separators[separatorCount] = UInt32(truncatingIfNeeded: start &+ bit)
        separatorCount &+= 1
      }
      start &+= 64
    }
    (found.separators, found.lines) = (separatorCount, lineCount)
    found.hasQuotes = found.hasQuotes || quotes != 0
    return start
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

  /// Makes room for what is in the next 64 bytes at least, and for as much again as was found so far. Room for as many
  /// separators as there are bytes would take eight times the memory of each block.
  private mutating func makeRoom(for bytes: Int, having found: Found) {
    func room(_ count: Int) -> Int { max(bytes / 64, 2 * count) + 64 }
    separators.fill(to: room(found.separators), with: 0)
    lineEnds.fill(to: room(found.lines), with: 0)
  }
}

extension [UInt32] {
  /// Appends a value until there are that many.
  fileprivate mutating func fill(to count: Int, with value: UInt32) {
    if self.count < count { append(contentsOf: repeatElement(value, count: count - self.count)) }
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

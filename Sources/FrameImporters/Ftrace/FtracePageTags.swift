import FrameTrace

/// What shows that a text is a page of the trace viewer, and where its data are.
struct FtracePageTags {
  /// The start of each block of data.
  private(set) var blocks: [Int] = []
  /// The start of the data in pages of 2012 to 2015.
  private(set) var legacy: Int?
  /// Whether a line ends as in those pages.
  private(set) var hasLineEnd = false

  /// How a script's text writes the end of a line.
  static let lineEnd = "\\n\\"

  private static let block = Array("<script class=\"trace-data\" type=\"application/text\">".utf8)
  private static let legacy = Array("linuxPerfData = \"\\".utf8)
  private static let brokenLine = Array((lineEnd + "\n").utf8)
  private static let scriptEnd = Array("</script>".utf8)

  /// Finds the tags in one pass, by the one of two bytes that each of them has.
  /// - Precondition: Eight bytes can be read from any index in the range.
  init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    let (angle, backslash) = (UInt8(ascii: "<"), UInt8(ascii: "\\"))
    func holds(_ tag: [UInt8], _ position: Int) -> Bool {
      position >= range.lowerBound && position + tag.count <= range.upperBound
        && bytes.holds(tag, at: position)
    }
    var rest = range
    while let position = bytes.first(angle, or: backslash, inWordsOf: rest) {
      rest = position + 1..<range.upperBound
      if bytes[position] == angle {
        if holds(Self.block, position) {
          blocks.append(position + Self.block.count)
          rest = position + Self.block.count..<range.upperBound
        }
        continue
      }
      // The backslash is the last byte of the one and the first of the other.
      let start = position + 1 - Self.legacy.count
      if legacy == nil, holds(Self.legacy, start) { legacy = position + 1 }
      hasLineEnd = hasLineEnd || holds(Self.brokenLine, position)
    }
  }

  /// Where a script ends; `nil` where it does not end in the range.
  static func end(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    bytes.first(of: scriptEnd, in: range)
  }
}

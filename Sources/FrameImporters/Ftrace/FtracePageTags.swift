import FrameTrace

/// The tags that show that a text is a page of the trace viewer, and the positions of the page's data.
struct FtracePageTags {
  /// The start of each block of data.
  private(set) var blocks: [Int] = []
  /// The start of the data in pages of 2012 to 2015.
  private(set) var legacy: Int?
  /// Whether a line ends as in those pages.
  private(set) var hasLineEnd = false

  /// The line ending in a script's string.
  static let lineEnd = "\\n\\"

  private static let block = Array("<script class=\"trace-data\" type=\"application/text\">".utf8)
  private static let legacy = Array("linuxPerfData = \"\\".utf8)
  private static let brokenLine = Array((lineEnd + "\n").utf8)
  private static let scriptEnd = Array("</script>".utf8)

  /// Finds the tags in one pass, by searching for two bytes; each tag contains one of these bytes.
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
      // The backslash is the last byte of the first tag and the first byte of the second tag.
      let start = position + 1 - Self.legacy.count
      if legacy == nil, holds(Self.legacy, start) { legacy = position + 1 }
      hasLineEnd = hasLineEnd || holds(Self.brokenLine, position)
    }
  }

  /// Where a script ends; `nil` if the script does not end in the range.
  static func end(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    bytes.first(of: scriptEnd, in: range)
  }
}

/// Complete lines of an input, as many at a time as fit into a reused buffer.
///
/// The buffer has readable bytes after its lines, so a reader may load a block or a word that
/// begins inside them. Lines end with a line feed; one is added to a last line without it.
@usableFromInline
package struct LineWindow {
  /// The bytes of the window; only those in `lines` are content.
  @usableFromInline package private(set) var bytes: [UInt8]
  /// The range of the complete lines in `bytes`, including their last line feed.
  package private(set) var lines = 0..<0
  /// Whether the input's last line is in the window and came without a line feed.
  package private(set) var endsWithoutLineFeed = false

  /// How many readable bytes lie after the lines at least: as many as are searched at a time.
  static let padding = 64
  /// The longest line that is read by default; no trace has longer ones.
  static let longestLine = 1 << 24

  private let input: InputFile
  /// The content after `lines`: the start of an incomplete line.
  private var partial = 0..<0
  private var atEnd = false
  private let longest: Int
  /// The maximum number of bytes that are read at a time. The buffer of a long line has room for more, which would multiply
  /// the memory of readers that keep several buffers.
  private let size: Int

  package init(_ input: InputFile, size: Int = 1 << 20, longestLine: Int = LineWindow.longestLine) {
    self.input = input
    longest = longestLine
    self.size = size
    bytes = [UInt8](repeating: 0, count: size + Self.padding)
  }

  /// Moves on to the next lines.
  /// - Returns: `false` when there are none left.
  package mutating func next() throws(ParseError) -> Bool {
    lines = 0..<0
    keepPartialLine()
    while !atEnd {
      let room = partial.upperBound..<(bytes.count - Self.padding)
      if room.isEmpty { try grow() } else { try read(room) }
      if !lines.isEmpty { return true }
    }
    return false
  }

  /// Exchanges the buffer for another one, and copies the incomplete line to it. The caller keeps the complete lines.
  mutating func exchangeBytes(with other: inout [UInt8]) {
    // After a long line, less memory is enough.
    let needed = max(size, 2 * partial.count) + Self.padding
    if !(needed...4 * needed ~= other.count) { other = [UInt8](repeating: 0, count: needed) }
    swap(&bytes, &other)
    bytes.copy(partial, of: other)
    partial = 0..<partial.count
    lines = 0..<0
  }

  private mutating func keepPartialLine() {
    let length = partial.count
    if partial.lowerBound > 0 {
      bytes.move(partial, to: 0)
    }
    partial = 0..<length
  }

  private mutating func grow() throws(ParseError) {
    guard partial.count < longest else {
      throw ParseError(
        path: input.path,
        problem: "expected lines of at most \(longest >> 10) KiB, found a longer one",
        help: "this is not a text trace; 'frametool list formats' lists what can be read")
    }
    bytes.append(contentsOf: repeatElement(0, count: bytes.count))
  }

  private mutating func read(_ room: Range<Int>) throws(ParseError) {
    let count = try input.read(into: &bytes, at: room.prefix(size))
    let end = room.lowerBound + count
    if count == 0 {
      finish()
    } else if let feed = bytes[room.lowerBound..<end].lastIndex(of: UInt8(ascii: "\n")) {
      lines = 0..<(feed + 1)
      partial = (feed + 1)..<end
    } else {
      partial = 0..<end
    }
  }

  private mutating func finish() {
    atEnd = true
    guard !partial.isEmpty else { return }
    bytes[partial.upperBound] = UInt8(ascii: "\n")
    lines = 0..<(partial.upperBound + 1)
    partial = lines.upperBound..<lines.upperBound
    endsWithoutLineFeed = true
  }
}

extension [UInt8] {
  /// Moves bytes to a lower index.
  package mutating func move(_ range: Range<Int>, to position: Int) {
    var span = mutableSpan
    for index in 0..<range.count { span[position &+ index] = span[range.lowerBound &+ index] }
  }
}

extension [UInt8] {
  /// Copies bytes of another array to the start.
  mutating func copy(_ range: Range<Int>, of other: [UInt8]) {
    var span = mutableSpan
    let source = other.span
    for index in 0..<range.count { span[index] = source[range.lowerBound &+ index] }
  }
}

extension Span<UInt8> {
  /// The index of the next line feed.
  /// - Precondition: There is one, and eight bytes can be read from any index up to it.
  package func firstLineFeed(from start: Int) -> Int {
    var position = start
    while true {
      let found = word(at: position).matches(0x0a)
      if found != 0 { return position &+ found.trailingZeroBitCount &>> 3 }
      position &+= 8
    }
  }
}

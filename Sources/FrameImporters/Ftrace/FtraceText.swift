import FrameTrace

/// The kernel log from `systrace` and `atrace` output: two kinds of HTML, text, or compressed text.
struct FtraceText {
  /// The bytes, padded so that eight can be read at any position in a line.
  let bytes: [UInt8]
  /// The ranges of the log in the bytes; the log may be in several pieces.
  private let pieces: [Range<Int>]
  /// The kind of file that the log came in.
  let container: String

  private static let padding = [UInt8](repeating: 0, count: 8)

  /// The largest input that is read, in bytes; a page of one minute takes tens of megabytes.
  private static let mostBytes = 1 << 29

  private static let atrace = "TRACE:"
  /// The container of atrace output before it is known whether it is compressed.
  static let unread = "atrace, compressed or not"

  init(_ input: InputFile) throws(ParseError) {
    var bytes = try input.readAll(atMost: Self.mostBytes, of: "a trace")
    let content = bytes.indices
    bytes += Self.padding
    guard let log = Self.log(in: bytes, content) else {
      throw ParseError(
        path: input.path, problem: "expected intact compressed atrace output, found corrupt data",
        help: "pull it with 'adb exec-out', which does not convert line endings")
    }
    self.init(bytes, log)
  }

  /// The log at the start of an input; `nil` if there is none.
  static func start(of head: FileHead) -> FtraceText? {
    if head.bytes.starts(with: Array(atrace.utf8)) {
      return FtraceText([], Log(pieces: [], container: unread))
    }
    let bytes = head.bytes + padding
    return log(in: bytes, head.bytes.indices).map { FtraceText(bytes, $0) }
  }

  /// - Parameter bytes: The file and padding.
  private init(_ bytes: consuming [UInt8], _ log: Log) {
    (container, pieces) = (log.container, log.pieces)
    if let plain = log.plain { bytes = plain + Self.padding }
    self.bytes = bytes
  }

  /// The location of a log.
  private struct Log {
    /// The bytes with the log, if they are not the file's bytes.
    var plain: [UInt8]?
    let pieces: [Range<Int>]
    let container: String

    /// A log that consists of a complete text.
    init(plain: [UInt8], container: String) {
      self.plain = plain
      (pieces, self.container) = ([plain.indices], container)
    }

    init(pieces: [Range<Int>], container: String) {
      (self.pieces, self.container) = (pieces, container)
    }
  }

  /// The lines of the log.
  var lines: FtraceTextLines { FtraceTextLines(bytes, pieces) }

  /// - Parameter content: The file, in bytes with padding after it.
  /// - Returns: `nil` for broken compressed data.
  private static func log(in bytes: [UInt8], _ content: Range<Int>) -> Log? {
    if bytes.starts(with: atrace.utf8) { return atrace(Array(bytes[content])) }
    let tags = FtracePageTags(bytes.span, content)
    let piece = { (start: Int) in
      start..<(FtracePageTags.end(bytes.span, start..<content.upperBound) ?? content.upperBound)
    }
    if !tags.blocks.isEmpty {
      var pieces: [Range<Int>] = []
      // A block within an unterminated block is part of that block.
      for start in tags.blocks where start >= pieces.last?.upperBound ?? 0 {
        pieces.append(piece(start))
      }
      return Log(pieces: pieces, container: "systrace, HTML")
    }
    if let start = tags.legacy {
      return Log(
        plain: unescaped(bytes, piece(start)), container: "systrace, HTML of 2012 to 2015")
    }
    // A partial page can lack its start.
    let container = "ftrace, text"
    return tags.hasLineEnd
      ? Log(plain: unescaped(bytes, content), container: container)
      : Log(pieces: [content], container: container)
  }

  /// The log in atrace output: text after the first line, or zlib data in which adb changed line
  /// ends.
  private static func atrace(_ bytes: [UInt8]) -> Log? {
    var start = atrace.utf8.count
    while start < bytes.count, bytes[start] == 0x0d || bytes[start] == 0x0a { start += 1 }
    guard start < bytes.count, bytes[start] == 0x78 else {
      return Log(pieces: [start..<bytes.count], container: "atrace, text")
    }
    let data = Array(bytes[start...])
    let found =
      Inflated.all(data, 0..<data.count)
      ?? {
        let plain = withoutReturns(data)
        return Inflated.all(plain, 0..<plain.count)
      }()
    return found.map { Log(plain: $0, container: "atrace, compressed") }
  }

  private static func withoutReturns(_ bytes: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte == 0x0a, plain.last == 0x0d { plain.removeLast() }
      plain.append(byte)
    }
    return plain
  }

  /// The unescaped lines of a script's string, which writes a line ending as `\n\`, in bytes with padding after it.
  private static func unescaped(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(range.count)
    for line in FtraceTextLines(bytes, [range]) {
      guard bytes[line].suffix(3).elementsEqual(FtracePageTags.lineEnd.utf8) else {
        plain += bytes[line] + [0x0a]
        continue
      }
      var isEscaped = false
      for byte in bytes[line].dropLast(3) {
        let isQuoted = byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\")
        if isEscaped, !isQuoted { plain.append(UInt8(ascii: "\\")) }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        if !isEscaped { plain.append(byte) }
      }
      if isEscaped { plain.append(UInt8(ascii: "\\")) }
      plain.append(0x0a)
    }
    return plain
  }
}

/// The lines of a text in pieces, as ranges without line endings. Empty lines are left out. Eight bytes can be read
/// from any index of a piece.
struct FtraceTextLines: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var pieces: ArraySlice<Range<Int>>
  private var rest = 0..<0

  init(_ bytes: [UInt8], _ pieces: [Range<Int>]) {
    self.bytes = bytes
    self.pieces = pieces[...]
  }

  mutating func next() -> Range<Int>? {
    while true {
      while !rest.isEmpty {
        let start = rest.lowerBound
        let end = bytes.span.first(0x0a, or: 0x0d, inWordsOf: rest) ?? rest.upperBound
        rest = Swift.min(end + 1, rest.upperBound)..<rest.upperBound
        if end > start { return start..<end }
      }
      guard let piece = pieces.popFirst() else { return nil }
      rest = piece
    }
  }
}

import FrameTrace

/// The kernel log from `systrace` and `atrace` output: two kinds of HTML, text, or compressed text.
struct FtraceText {
  /// The bytes, padded so that eight can be read at any position in a line.
  let bytes: [UInt8]
  /// Where the log is in the bytes; it may be in pieces.
  private let pieces: [Range<Int>]
  /// The kind of file that the log came in.
  let container: String

  private static let padding = [UInt8](repeating: 0, count: 8)

  /// The largest input that is read, in bytes; a page of one minute takes tens of megabytes.
  private static let mostBytes = 1 << 29

  /// The tag that begins a block of data in a page.
  private static let block = "<script class=\"trace-data\" type=\"application/text\">"
  private static let legacy = "linuxPerfData = \"\\"
  private static let atrace = "TRACE:"
  /// The container of atrace output before it is known whether it is compressed.
  static let unread = "atrace, compressed or not"

  init(_ input: InputFile) throws(ParseError) {
    let bytes = try input.readAll(atMost: Self.mostBytes, of: "a trace")
    guard let log = Self.log(in: bytes) else {
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
    return log(in: head.bytes).map { FtraceText(head.bytes, $0) }
  }

  private init(_ bytes: consuming [UInt8], _ log: Log) {
    (container, pieces) = (log.container, log.pieces)
    if let plain = log.plain { bytes = plain }
    bytes.append(contentsOf: Self.padding)
    self.bytes = bytes
  }

  /// Where a log is.
  private struct Log {
    /// The bytes with the log, where they are not those of the file.
    var plain: [UInt8]?
    let pieces: [Range<Int>]
    let container: String

    /// A log that is all of a text.
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

  /// - Returns: `nil` for broken compressed data.
  private static func log(in bytes: [UInt8]) -> Log? {
    if bytes.starts(with: Array(atrace.utf8)) { return atrace(bytes) }
    let blocks = places(of: block, in: bytes, from: 0)
    if !blocks.isEmpty {
      let ranges = blocks.map { start in
        start..<(places(of: scriptEnd, in: bytes, from: start, atMost: 1).first
          .map { $0 - scriptEnd.utf8.count } ?? bytes.count)
      }
      return Log(pieces: ranges, container: "systrace, HTML")
    }
    if let start = places(of: legacy, in: bytes, from: 0, atMost: 1).first {
      let end =
        places(of: scriptEnd, in: bytes, from: start, atMost: 1).first
        .map { $0 - scriptEnd.utf8.count } ?? bytes.count
      return Log(
        plain: unescaped(bytes, start..<end), container: "systrace, HTML of 2012 to 2015")
    }
    // A partial page can lack its start.
    let hasScript = !places(of: lineEnd + "\n", in: bytes, from: 0, atMost: 1).isEmpty
    let container = "ftrace, text"
    return hasScript
      ? Log(plain: unescaped(bytes, bytes.indices), container: container)
      : Log(pieces: [bytes.indices], container: container)
  }

  /// How a script's text writes the end of a line.
  private static let lineEnd = "\\n\\"

  private static let scriptEnd = "</script>"

  /// The end of each occurrence of a text.
  private static func places(
    of text: String, in bytes: [UInt8], from start: Int, atMost most: Int = .max
  ) -> [Int] {
    let wanted = Array(text.utf8)
    var found: [Int] = []
    var place = start
    while found.count < most,
      let next = bytes.span.first(of: wanted, in: place..<bytes.count)
    {
      place = next + wanted.count
      found.append(place)
    }
    return found
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

  /// The unescaped lines of a script's text, which writes a line end as `\n\`.
  private static func unescaped(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(range.count)
    for line in FtraceTextLines(bytes + padding, [range]) {
      guard bytes[line].suffix(3).elementsEqual(lineEnd.utf8) else {
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

/// The lines of a text in pieces, as ranges without their ends. Empty lines are left out. Eight bytes
/// can be read from any index of a piece.
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

import FrameTrace

/// The kernel log from `systrace` and `atrace` output: two kinds of HTML, text, or compressed text.
struct FtraceText {
  /// The bytes, padded so that eight can be read at any position in a line.
  let bytes: [UInt8]
  let lines: [Range<Int>]
  /// The kind of file that the log came in.
  let container: String

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
    guard let text = Self.text(bytes) else {
      throw ParseError(
        path: input.path, problem: "expected intact compressed atrace output, found corrupt data",
        help: "pull it with 'adb exec-out', which does not convert line endings")
    }
    self = text
  }

  /// The log at the start of an input; `nil` if there is none.
  static func start(of head: FileHead) -> FtraceText? {
    if head.bytes.starts(with: Array(atrace.utf8)) {
      return FtraceText([], [], container: unread)
    }
    return text(head.bytes)
  }

  /// - Parameter ranges: The ranges of the log in the bytes; it may be in pieces.
  private init(_ bytes: [UInt8], _ ranges: [Range<Int>], container: String) {
    self.container = container
    self.bytes = bytes + [UInt8](repeating: 0, count: 8)
    lines = ranges.flatMap { Self.lines(bytes, $0) }
  }

  /// - Returns: `nil` for broken compressed data.
  private static func text(_ bytes: [UInt8]) -> FtraceText? {
    if bytes.starts(with: Array(atrace.utf8)) { return atrace(bytes) }
    let blocks = places(of: block, in: bytes, from: 0)
    if !blocks.isEmpty {
      let ranges = blocks.map { start in
        start..<(places(of: scriptEnd, in: bytes, from: start, atMost: 1).first
          .map { $0 - scriptEnd.utf8.count } ?? bytes.count)
      }
      return FtraceText(bytes, ranges, container: "systrace, HTML")
    }
    if let start = places(of: legacy, in: bytes, from: 0, atMost: 1).first {
      let end =
        places(of: scriptEnd, in: bytes, from: start, atMost: 1).first
        .map { $0 - scriptEnd.utf8.count } ?? bytes.count
      let plain = unescaped(bytes, start..<end)
      return FtraceText(
        plain, [plain.indices], container: "systrace, HTML of 2012 to 2015")
    }
    // A partial page can lack its start.
    let hasScript = !places(of: lineEnd + "\n", in: bytes, from: 0, atMost: 1).isEmpty
    let plain = hasScript ? unescaped(bytes, bytes.indices) : bytes
    return FtraceText(plain, [plain.indices], container: "ftrace, text")
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
  private static func atrace(_ bytes: [UInt8]) -> FtraceText? {
    var start = atrace.utf8.count
    while start < bytes.count, bytes[start] == 0x0d || bytes[start] == 0x0a { start += 1 }
    guard start < bytes.count, bytes[start] == 0x78 else {
      return FtraceText(bytes, [start..<bytes.count], container: "atrace, text")
    }
    let data = Array(bytes[start...])
    let found =
      Inflated.all(data, 0..<data.count)
      ?? {
        let plain = withoutReturns(data)
        return Inflated.all(plain, 0..<plain.count)
      }()
    return found.map { FtraceText($0, [$0.indices], container: "atrace, compressed") }
  }

  private static func lines(_ bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    let span = bytes.span
    var lines: [Range<Int>] = []
    var start = range.lowerBound
    for place in range where span[place] == 0x0a || span[place] == 0x0d {
      if place > start { lines.append(start..<place) }
      start = place + 1
    }
    if range.upperBound > start { lines.append(start..<range.upperBound) }
    return lines
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
    for line in lines(bytes, range) {
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

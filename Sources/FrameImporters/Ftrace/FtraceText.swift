import FrameTrace

/// The kernel's log out of what `systrace` and `atrace` make of it: HTML of two kinds, text, text that
/// is compressed.
struct FtraceText {
  /// Eight bytes can be read from any place in a line.
  let bytes: [UInt8]
  let lines: [Range<Int>]
  /// What it came in.
  let container: String

  /// The largest input that is read: a page of a minute is tens of megabytes.
  private static let mostBytes = 1 << 29

  /// What begins a block of data in a page.
  private static let block = "<script class=\"trace-data\" type=\"application/text\">"
  private static let legacy = "linuxPerfData = \"\\"
  private static let atrace = "TRACE:"
  /// What the output of atrace is called before it is known whether it is compressed.
  static let unread = "atrace, compressed or not"

  init(_ input: InputFile) throws(ParseError) {
    let bytes = try input.readAll(atMost: Self.mostBytes, of: "a trace")
    guard let text = Self.text(bytes) else {
      throw ParseError(
        path: input.path, problem: "a compressed trace of atrace that is broken",
        help: "pull it with 'adb exec-out', which leaves line ends as they are")
    }
    self = text
  }

  /// The start of an input; `nil` where it has no such log.
  static func start(of head: FileHead) -> FtraceText? {
    if head.bytes.starts(with: Array(atrace.utf8)) {
      return FtraceText([], [], container: unread)
    }
    return text(head.bytes)
  }

  /// - Parameter ranges: Where in the bytes the log is, which may be in pieces.
  private init(_ bytes: [UInt8], _ ranges: [Range<Int>], container: String) {
    self.container = container
    self.bytes = bytes + [UInt8](repeating: 0, count: 8)
    lines = ranges.flatMap { Self.lines(bytes, $0) }
  }

  /// - Returns: `nil` for compressed data that is broken.
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
    // What is left of a page may be without its start.
    let hasScript = !places(of: lineEnd + "\n", in: bytes, from: 0, atMost: 1).isEmpty
    let plain = hasScript ? unescaped(bytes, bytes.indices) : bytes
    return FtraceText(plain, [plain.indices], container: "ftrace, text")
  }

  /// How a script's text writes the end of a line.
  private static let lineEnd = "\\n\\"

  private static let scriptEnd = "</script>"

  /// Where a text ends, each time that it comes.
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

  /// Behind its first line there is text, or what zlib made of it, with line ends that adb changed.
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

  /// The lines of a script's text, each without what ends it there: a line end is written as `\n\`.
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

/// The kernel's log out of what `systrace` and `atrace` make of it: HTML of two kinds, text, text that
/// is compressed.
struct FtraceText {
  let lines: [Substring]
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
      return FtraceText(lines: [], container: unread)
    }
    return text(head.bytes)
  }

  private init(lines: [Substring], container: String) {
    (self.lines, self.container) = (lines, container)
  }

  /// - Returns: `nil` for compressed data that is broken.
  private static func text(_ bytes: [UInt8]) -> FtraceText? {
    if bytes.starts(with: Array(atrace.utf8)) { return atrace(bytes) }
    let text = String(decoding: bytes, as: UTF8.self)
    if text.contains(block) {
      let blocks = text.split(separator: block).dropFirst().map {
        $0.split(separator: "</script>")[0]
      }
      return FtraceText(
        lines: blocks.flatMap(lines), container: "systrace, HTML")
    }
    if let start = text.ranges(of: legacy).first {
      let data = text[start.upperBound...].split(separator: "</script>", maxSplits: 1)[0]
      return FtraceText(
        lines: lines(data).map(unescaped),
        container: "systrace, HTML of 2012 to 2015")
    }
    return FtraceText(
      lines: lines(text[...]).map(unescaped), container: "ftrace, text")
  }

  /// Behind its first line there is text, or what zlib made of it, with line ends that adb changed.
  private static func atrace(_ bytes: [UInt8]) -> FtraceText? {
    var start = atrace.utf8.count
    while start < bytes.count, bytes[start] == 0x0d || bytes[start] == 0x0a { start += 1 }
    let data = Array(bytes[start...])
    guard data.first == 0x78 else {
      let text = String(decoding: data, as: UTF8.self)
      return FtraceText(lines: lines(text[...]), container: "atrace, text")
    }
    let found =
      Inflated.all(data, 0..<data.count)
      ?? {
        let plain = withoutReturns(data)
        return Inflated.all(plain, 0..<plain.count)
      }()
    return found.map {
      FtraceText(
        lines: lines(String(decoding: $0, as: UTF8.self)[...]),
        container: "atrace, compressed")
    }
  }

  private static func lines(_ text: Substring) -> [Substring] {
    text.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { Substring($0) }
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

  /// A line of a script's text, without what ends it there.
  private static func unescaped(_ line: Substring) -> Substring {
    line.hasSuffix("\\n\\")
      ? line.dropLast(3).replacing("\\'", with: "'").replacing("\\\\", with: "\\")[...] : line
  }
}

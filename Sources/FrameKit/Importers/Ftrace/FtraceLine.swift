/// A line of the kernel's log as text.
///
/// Linux, `Documentation/trace/ftrace.rst`:
///
///     surfaceflinger-480   (  480) [001] d..2 28304.424846: tracing_mark_write: B|480|commit
///
/// Names of threads have blanks and dashes of their own; the number of the process, the flags and blanks
/// between are there or not, as versions differ.
struct FtraceLine {
  let task: Substring
  let thread: Int64
  let process: Int64?
  /// In nanoseconds.
  let time: Int64
  let event: Substring
  let details: Substring

  /// - Returns: `nil` for a line that is none.
  init?(_ line: Substring) {
    // The processor is the first number in brackets.
    var open = line.range(ofASCII: " [")
    while let place = open, Self.processor(line[place.upperBound...]) == nil {
      open = line[place.upperBound...].range(ofASCII: " [")
    }
    guard let open, let processor = Self.processor(line[open.upperBound...]),
      let owner = Self.owner(line[..<open.lowerBound])
    else { return nil }
    (task, thread, process) = owner
    let rest = line[processor.endIndex...]
    guard let colon = rest.range(ofASCII: ": "), let time = Self.time(rest[..<colon.lowerBound])
    else { return nil }
    self.time = time
    let said = rest[colon.upperBound...].withoutBlanks
    guard let end = said.range(ofASCII: ":") else { return nil }
    event = said[..<end.lowerBound]
    guard !event.isEmpty, event.range(ofASCII: " ") == nil else { return nil }
    details = said[end.upperBound...].withoutBlanks
  }

  /// The digits before a closing bracket.
  private static func processor(_ text: Substring) -> Substring? {
    let digits = text.utf8.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard (1...4).contains(digits.count), digits.endIndex < text.endIndex,
      text.utf8[digits.endIndex] == UInt8(ascii: "]")
    else { return nil }
    return text[..<digits.endIndex]
  }

  /// `surfaceflinger-480   (  480)`: the number is after the last dash.
  private static func owner(
    _ text: Substring
  ) -> (task: Substring, thread: Int64, process: Int64?)? {
    var rest = text
    var process: Int64?
    rest.removeBlanksAtEnd()
    if rest.utf8.last == UInt8(ascii: ")"),
      let open = rest.utf8.lastIndex(of: UInt8(ascii: "("))
    {
      process = Int64(rest[rest.utf8.index(after: open)...].dropLast().withoutBlanks)
      rest = rest[..<open]
      rest.removeBlanksAtEnd()
    }
    guard let dash = rest.utf8.lastIndex(of: UInt8(ascii: "-")),
      let thread = Int64(rest[rest.utf8.index(after: dash)...]), thread >= 0
    else { return nil }
    return (rest[..<dash].withoutBlanks, thread, process)
  }

  /// The seconds at the end of what may begin with flags: `....  316.196720`, `...2316.196720`.
  private static func time(_ text: Substring) -> Int64? {
    let bytes = text.utf8
    guard let point = bytes.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let fraction = text[bytes.index(after: point)...]
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let start =
      bytes[..<point].lastIndex { !(digits ~= $0) }.map { bytes.index(after: $0) }
      ?? text.startIndex
    guard (1...9).contains(fraction.utf8.count), let part = Int64(fraction), part >= 0,
      let seconds = Int64(text[start..<point]), seconds < 1 << 31
    else { return nil }
    let scale = (fraction.utf8.count..<9).reduce(Int64(1)) { scale, _ in scale * 10 }
    return seconds * 1_000_000_000 + part * scale
  }
}

extension Substring {
  /// Where a text begins that is within seven bits: by bytes, as logs have millions of lines.
  func range(ofASCII text: String) -> Range<Index>? {
    guard let initial = text.utf8.first else { return nil }
    var rest = utf8
    while let first = rest.firstIndex(of: initial) {
      rest = rest[first...]
      if rest.starts(with: text.utf8) {
        return first..<rest.index(first, offsetBy: text.utf8.count)
      }
      rest = rest.dropFirst()
    }
    return nil
  }

  var withoutBlanks: Substring { Substring(utf8.drop { $0 == UInt8(ascii: " ") }) }

  mutating func removeBlanksAtEnd() {
    while utf8.last == UInt8(ascii: " ") { self = Substring(utf8.dropLast()) }
  }
}

import FrameTrace

/// A line of the kernel log as text, with its parts as ranges in the bytes.
///
/// Linux, `Documentation/trace/ftrace.rst`:
///
///     surfaceflinger-480   (  480) [001] d..2 28304.424846: tracing_mark_write: B|480|commit
///
/// Thread names can contain blanks and dashes. The process number, the flags and the blanks between
/// them are optional, depending on the version.
struct FtraceLine {
  let task: Range<Int>
  let thread: Int64
  let process: Int64?
  /// The processor on which the event happened.
  let processor: Int64?
  /// In nanoseconds.
  let time: Int64
  let event: Range<Int>
  let details: Range<Int>

  /// - Precondition: Eight bytes can be read at any position in the line.
  /// - Returns: `nil` for a line that is not an event.
  init?(_ bytes: Span<UInt8>, _ line: Range<Int>) {
    // The processor is the first number in brackets.
    var open = line.lowerBound
    var processorEnd: Int?
    while processorEnd == nil {
      guard let position = bytes.first(FtraceName.bracket, in: open..<line.upperBound) else {
        return nil
      }
      open = position + 2
      processorEnd = Self.processor(bytes, open..<line.upperBound)
    }
    processor = processorEnd.flatMap { bytes.whole(open..<$0) }
    guard let rest = processorEnd,
      let owner = Self.owner(bytes, line.lowerBound..<open - 2)
    else { return nil }
    (task, thread, process) = owner
    guard let colon = bytes.first(FtraceName.colon, in: rest..<line.upperBound),
      let time = Self.time(bytes, rest..<colon)
    else { return nil }
    self.time = time
    let said = bytes.withoutBlanks(colon + 2..<line.upperBound)
    guard let end = bytes.first(UInt8(ascii: ":"), inWordsOf: said), end > said.lowerBound,
      bytes.first(0x20, inWordsOf: said.lowerBound..<end) == nil
    else { return nil }
    event = said.lowerBound..<end
    details = bytes.withoutBlanks(end + 1..<said.upperBound)
  }

  /// Whether the line's event has the given name.
  @inline(__always)
  func isEvent(_ name: ByteName, _ bytes: Span<UInt8>) -> Bool { bytes.holds(name, in: event) }

  /// The index of the closing bracket after one to four digits.
  private static func processor(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var position = range.lowerBound
    while position < range.upperBound, bytes[position] &- 0x30 < 10 { position += 1 }
    guard 1...4 ~= position - range.lowerBound, position < range.upperBound,
      bytes[position] == UInt8(ascii: "]")
    else { return nil }
    return position
  }

  /// The owner in `surfaceflinger-480   (  480)`; the thread number follows the last dash.
  private static func owner(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) -> (task: Range<Int>, thread: Int64, process: Int64?)? {
    var end = bytes.withoutBlanksAtEnd(range).upperBound
    var process: Int64?
    if end > range.lowerBound, bytes[end - 1] == UInt8(ascii: ")"),
      let open = bytes.last(UInt8(ascii: "("), in: range.lowerBound..<end)
    {
      process = bytes.whole(bytes.withoutBlanks(open + 1..<end - 1))
      end = bytes.withoutBlanksAtEnd(range.lowerBound..<open).upperBound
    }
    guard let dash = bytes.last(UInt8(ascii: "-"), in: range.lowerBound..<end),
      let thread = bytes.whole(dash + 1..<end), thread >= 0
    else { return nil }
    return (bytes.withoutBlanks(range.lowerBound..<dash), thread, process)
  }

  /// The time at the end of a text that may begin with flags: `....  316.196720`, `...2316.196720`.
  private static func time(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    guard let point = bytes.last(UInt8(ascii: "."), in: range) else { return nil }
    let digits = range.upperBound - point - 1
    var start = point
    while start > range.lowerBound, bytes[start - 1] &- 0x30 < 10 { start -= 1 }
    guard 1...9 ~= digits, let part = bytes.whole(point + 1..<range.upperBound), part >= 0,
      bytes[point + 1] != UInt8(ascii: "+"), let seconds = bytes.whole(start..<point),
      seconds < 1 << 31
    else { return nil }
    return seconds * 1_000_000_000 + part * DecimalNumber.powers[9 - digits]
  }
}

import FrameTrace

/// A message between a program and a Wayland compositor, as libwayland prints it for a program
/// that runs with `WAYLAND_DEBUG=client`:
///
///     [2615439.875]  -> wl_surface@17.frame(new id wl_callback@23)
///     [2615456.102] wl_callback@23.done(48213)
///     [12:00:01.000001] {Default Queue} wl_callback#23.done(48213)
///
/// From libwayland 1.23 on, objects are written with `#`, before that with `@`. Other output of a
/// program can precede a message on the same line.
///
/// The parts are ranges of the line, because a log has millions of messages and few of their texts
/// are needed.
package struct WaylandMessage: Sendable {
  /// Whether the program sent it; otherwise the compositor did.
  package let isRequest: Bool
  package let object: UInt32
  /// The line, followed by at least eight bytes.
  let bytes: [UInt8]
  let interfaceRange, nameRange: Range<Int>
  private let parts: WaylandArguments

  /// - Returns: `nil` when there is no message in the line.
  package init?(in line: some Collection<UInt8>) {
    let bytes = Array(line) + [UInt8](repeating: 0, count: 8)
    guard let head = Self.head(in: bytes.span, line.count) else { return nil }
    self.init(
      bytes, head, before: line.count,
      isRequest: bytes[..<head.interface.lowerBound].suffix(4).elementsEqual(" -> ".utf8))
  }

  /// Reads the message that begins at an index and is the rest of the line.
  /// - Precondition: Eight bytes can be read from the end of the line.
  init?(_ bytes: [UInt8], at start: Int, before end: Int, isRequest: Bool) {
    let span = bytes.span
    var mark = start
    while mark < end, Self.isName(span[mark]) { mark += 1 }
    guard mark < end, let head = Self.head(span, start..<mark, end) else { return nil }
    self.init(bytes, head, before: end, isRequest: isRequest)
  }

  private init?(_ bytes: [UInt8], _ head: Head, before end: Int, isRequest: Bool) {
    let span = bytes.span
    var close = end - 1
    while close >= head.arguments, span[close] != UInt8(ascii: ")") { close -= 1 }
    guard close >= head.arguments else { return nil }
    parts = WaylandArguments(span, head.arguments..<close)
    (self.bytes, self.isRequest, object) = (bytes, isRequest, head.object)
    (interfaceRange, nameRange) = (head.interface, head.name)
  }

  private struct Head {
    let interface: Range<Int>
    let object: UInt32
    let name: Range<Int>
    let arguments: Int
  }

  /// The first occurrence of `interface@number.name(`.
  private static func head(in bytes: Span<UInt8>, _ end: Int) -> Head? {
    for mark in 0..<end where bytes[mark] == UInt8(ascii: "@") || bytes[mark] == UInt8(ascii: "#") {
      var start = mark
      while start > 0, isName(bytes[start - 1]) { start -= 1 }
      if let head = head(bytes, start..<mark, end) { return head }
    }
    return nil
  }

  /// The `interface@number.name(` with the interface at a range.
  private static func head(_ bytes: Span<UInt8>, _ interface: Range<Int>, _ end: Int) -> Head? {
    let mark = interface.upperBound
    guard !interface.isEmpty,
      bytes[mark] == UInt8(ascii: "@") || bytes[mark] == UInt8(ascii: "#")
    else { return nil }
    var place = mark + 1
    while place < end, bytes[place] &- 0x30 < 10 { place += 1 }
    guard place > mark + 1, place < end, bytes[place] == UInt8(ascii: "."),
      let object = number(bytes, mark + 1..<place)
    else { return nil }
    let name = place + 1
    place = name
    while place < end, isName(bytes[place]) { place += 1 }
    guard place > name, place < end, bytes[place] == UInt8(ascii: "(") else { return nil }
    return Head(interface: interface, object: object, name: name..<place, arguments: place + 1)
  }

  private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32? {
    var start = range.lowerBound
    // Leading zeros do not count toward the limit of digits.
    while start + 1 < range.upperBound, bytes[start] == UInt8(ascii: "0") { start += 1 }
    return bytes.whole(start..<range.upperBound).flatMap { UInt32(exactly: $0) }
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte | 0x20 &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
  }

  package var interface: String { text(interfaceRange) }
  package var name: String { text(nameRange) }

  /// Whether objects are written with `#`.
  var hasNumberSign: Bool { bytes[interfaceRange.upperBound] == UInt8(ascii: "#") }

  /// The arguments as they are printed.
  package var arguments: [String] {
    WaylandArguments.ranges(bytes.span, parts.range).map(text)
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}

extension WaylandMessage {
  /// The number of arguments.
  var argumentCount: Int { parts.count }

  /// An argument as it is printed; `nil` where there is none.
  func text(at place: Int) -> String? { parts[place].map(text) }

  /// An argument that is a whole number; `nil` for anything else.
  func integer(at place: Int) -> Int64? {
    guard let range = parts[place] else { return nil }
    // Longer numbers may still fit.
    return bytes.span.whole(range) ?? Int64(text(range))
  }

  /// An argument with a fraction; `nil` if it is not a number.
  func real(at place: Int) -> Double? { text(at: place).flatMap { Double($0) } }

  /// A time in ms, which some print as a signed number.
  func milliseconds(at place: Int) -> UInt32? {
    guard let number = integer(at: place) else { return nil }
    return UInt32(exactly: number) ?? Int32(exactly: number).map { UInt32(bitPattern: $0) }
  }

  /// The number of the object that an argument names: `wl_surface@3`, `new id wl_callback#23`.
  func object(at place: Int) -> UInt32? {
    parts[place].flatMap { object(in: $0)?.number }
  }

  /// The object that a message makes, where its arguments end with one: `new id wl_callback@23`.
  package var newObject: UInt32? { parts.made.flatMap { object(in: $0)?.number } }

  /// The interface of the object that a message makes: `new id wl_callback@23`; for `bind` that of
  /// the text before it.
  var newInterface: Range<Int>? {
    guard let made = parts.made, let mark = object(in: made)?.mark else { return nil }
    let stated = made.lowerBound + WaylandArguments.new.count..<mark
    if stated.isEmpty || bytes[stated.lowerBound] != UInt8(ascii: "[") { return stated }
    return WaylandArguments.ranges(bytes.span, parts.range)
      .first { !$0.isEmpty && bytes[$0.lowerBound] == UInt8(ascii: "\"") }
      .map { $0.lowerBound + 1..<max($0.lowerBound + 1, $0.upperBound - 1) }
  }

  /// The number after the last `@` or `#` of an argument, and where that is.
  private func object(in range: Range<Int>) -> (number: UInt32, mark: Int)? {
    let span = bytes.span
    var mark = range.upperBound - 1
    while mark >= range.lowerBound, span[mark] != 0x40, span[mark] != 0x23 { mark -= 1 }
    guard mark >= range.lowerBound, mark + 1 < range.upperBound,
      let number = Self.number(span, mark + 1..<range.upperBound)
    else { return nil }
    return (number, mark)
  }
}

/// The arguments of a message: the parts between commas outside of quoted texts.
struct WaylandArguments {
  /// What comes before an object that a message makes.
  static let new = Array("new id ".utf8)

  /// Where all of them are.
  let range: Range<Int>
  private(set) var count = 0
  /// The last one that makes an object.
  private(set) var made: Range<Int>?
  /// The first ones; no fact needs more.
  private var first = InlineArray<8, Range<Int>>(repeating: 0..<0)

  init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    self.range = range
    Self.split(bytes, range) { part in
      if count < first.count { first[count] = part }
      count += 1
      if Self.isNew(bytes, part) { made = part }
    }
  }

  /// - Returns: `nil` for none, and beyond the eighth.
  subscript(place: Int) -> Range<Int>? { place < min(count, first.count) ? first[place] : nil }

  /// All arguments.
  static func ranges(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    split(bytes, range) { ranges.append($0) }
    return ranges
  }

  private static func split(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ take: (Range<Int>) -> Void
  ) {
    guard !range.isEmpty else { return }
    var start = range.lowerBound
    var isText = false
    for place in range {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") { isText.toggle() }
      guard byte == UInt8(ascii: ","), !isText else { continue }
      take(trimmed(bytes, start..<place))
      start = place + 1
    }
    take(trimmed(bytes, start..<range.upperBound))
  }

  private static func trimmed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start < range.upperBound, bytes[start] == 0x20 { start += 1 }
    return start..<range.upperBound
  }

  private static func isNew(_ bytes: Span<UInt8>, _ part: Range<Int>) -> Bool {
    guard part.count >= new.count else { return false }
    for index in new.indices where bytes[part.lowerBound + index] != new[index] { return false }
    return true
  }
}

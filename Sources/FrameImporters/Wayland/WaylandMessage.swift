import FrameTrace

/// A message between a program and a Wayland compositor, as libwayland prints it for a program
/// that runs with `WAYLAND_DEBUG=client`:
///
///     [2615439.875]  -> wl_surface@17.frame(new id wl_callback@23)
///     [2615456.102] wl_callback@23.done(48213)
///     [12:00:01.000001] {Default Queue} wl_callback#23.done(48213)
///
/// libwayland 1.23 and later write objects with `#`, earlier versions with `@`. Other output of a program can precede a
/// message on the same line.
///
/// The parts are ranges of the line, because a log has millions of messages and few of their strings are needed.
package struct WaylandMessage: Sendable {
  /// Whether the program sent it; otherwise the compositor did.
  package let isRequest: Bool
  /// The bytes with the line, and at least eight bytes after the line.
  let bytes: [UInt8]
  private let positions: Positions
  private let parts: WaylandArguments

  /// The positions of a message's parts in its line.
  struct Positions {
    fileprivate let interface, name, arguments: WaylandPart
    fileprivate let object: UInt32
  }

  /// - Returns: `nil` when there is no message in the line.
  package init?(in line: some Collection<UInt8>) {
    let bytes = Array(line) + [UInt8](repeating: 0, count: 8)
    guard let positions = Self.positions(in: bytes.span, line.count) else { return nil }
    self.init(
      bytes, positions,
      isRequest: bytes[..<positions.interface.range.lowerBound].suffix(4).elementsEqual(" -> ".utf8)
    )
  }

  /// - Precondition: Eight bytes can be read from any index of the line.
  init(_ bytes: [UInt8], _ positions: Positions, isRequest: Bool) {
    parts = WaylandArguments(bytes.span, positions.arguments)
    (self.bytes, self.positions, self.isRequest) = (bytes, positions, isRequest)
  }

  package var object: UInt32 { positions.object }
  var interfaceRange: Range<Int> { positions.interface.range }
  var nameRange: Range<Int> { positions.name.range }

  /// The parts of the message that extends from an index to the end of the line; `nil` if there is none.
  static func positions(_ bytes: Span<UInt8>, at start: Int, before end: Int) -> Positions? {
    var mark = start
    while mark < end, isName(bytes[mark]) { mark &+= 1 }
    guard mark < end, let close = bytes.last(UInt8(ascii: ")"), in: mark..<end) else { return nil }
    return positions(bytes, interface: start..<mark, before: close)
  }

  /// The parts of the first `interface@number.name(` before the last closing bracket.
  private static func positions(in bytes: Span<UInt8>, _ end: Int) -> Positions? {
    guard let close = bytes.last(UInt8(ascii: ")"), in: 0..<end) else { return nil }
    for mark in 0..<close where isMark(bytes[mark]) {
      var start = mark
      while start > 0, isName(bytes[start - 1]) { start -= 1 }
      if let positions = positions(bytes, interface: start..<mark, before: close) {
        return positions
      }
    }
    return nil
  }

  /// The parts of the `interface@number.name(` whose interface is at a range.
  /// - Parameter close: The position of the closing bracket.
  private static func positions(
    _ bytes: Span<UInt8>, interface: Range<Int>, before close: Int
  ) -> Positions? {
    let mark = interface.upperBound
    guard !interface.isEmpty, isMark(bytes[mark]) else { return nil }
    var position = mark + 1
    while position < close, bytes[position] &- 0x30 < 10 { position &+= 1 }
    guard position > mark + 1, position < close, bytes[position] == UInt8(ascii: "."),
      let object = number(bytes, mark + 1..<position)
    else { return nil }
    let name = position + 1
    position = name
    while position < close, isName(bytes[position]) { position &+= 1 }
    guard position > name, position < close, bytes[position] == UInt8(ascii: "(") else {
      return nil
    }
    return Positions(
      interface: WaylandPart(interface), name: WaylandPart(name..<position),
      arguments: WaylandPart(position + 1..<close), object: object)
  }

  private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32? {
    var start = range.lowerBound
    // Leading zeros do not count toward the limit of digits.
    while start + 1 < range.upperBound, bytes[start] == UInt8(ascii: "0") { start += 1 }
    return bytes.whole(start..<range.upperBound).flatMap { UInt32(exactly: $0) }
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "@") || byte == UInt8(ascii: "#")
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte | 0x20 &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
  }

  package var interface: String { text(interfaceRange) }
  package var name: String { text(nameRange) }

  /// Whether objects are written with `#`.
  var hasNumberSign: Bool { bytes[interfaceRange.upperBound] == UInt8(ascii: "#") }

  /// The arguments as printed.
  package var arguments: [String] {
    WaylandArguments.ranges(bytes.span, positions.arguments.range).map(text)
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}

extension WaylandMessage {
  /// The number of arguments.
  var argumentCount: Int { parts.count }

  /// An argument as printed; `nil` if there is none.
  func text(at position: Int) -> String? { parts[position].map(text) }

  /// An argument that is a whole number; `nil` for anything else.
  func integer(at position: Int) -> Int64? {
    guard let range = parts[position] else { return nil }
    // Longer numbers may still fit.
    return bytes.span.whole(range) ?? Int64(text(range))
  }

  /// An argument with a fraction; `nil` if it is not a number.
  func real(at position: Int) -> Double? { text(at: position).flatMap { Double($0) } }

  /// A time in ms, which is sometimes printed as a signed number.
  func milliseconds(at position: Int) -> UInt32? {
    guard let number = integer(at: position) else { return nil }
    return UInt32(exactly: number) ?? Int32(exactly: number).map { UInt32(bitPattern: $0) }
  }

  /// The number of the object that an argument names: `wl_surface@3`, `new id wl_callback#23`.
  func object(at position: Int) -> UInt32? {
    parts[position].flatMap { object(in: $0)?.number }
  }

  /// The object that a message creates, if its arguments end with one: `new id wl_callback@23`.
  package var newObject: UInt32? { parts.made.flatMap { object(in: $0)?.number } }

  /// The interface of the object that a message creates: `new id wl_callback@23`; for `bind`, the interface in the
  /// string before it.
  var newInterface: Range<Int>? {
    guard let made = parts.made, let mark = object(in: made)?.mark else { return nil }
    let stated = made.lowerBound + WaylandArguments.new.length..<mark
    if stated.isEmpty || bytes[stated.lowerBound] != UInt8(ascii: "[") { return stated }
    return WaylandArguments.ranges(bytes.span, positions.arguments.range)
      .first { !$0.isEmpty && bytes[$0.lowerBound] == UInt8(ascii: "\"") }
      .map { $0.lowerBound + 1..<max($0.lowerBound + 1, $0.upperBound - 1) }
  }

  /// The number after the last `@` or `#` of an argument, and the position of that mark.
  private func object(in range: Range<Int>) -> (number: UInt32, mark: Int)? {
    let span = bytes.span
    var mark = range.upperBound - 1
    while mark >= range.lowerBound, !Self.isMark(span[mark]) { mark -= 1 }
    guard mark >= range.lowerBound, mark + 1 < range.upperBound,
      let number = Self.number(span, mark + 1..<range.upperBound)
    else { return nil }
    return (number, mark)
  }
}

/// A range within a line, in half the memory of a `Range<Int>`, because messages are passed by value. The buffer into
/// which a line is read has at most 32 MB.
struct WaylandPart {
  private let start, end: Int32

  init(_ range: Range<Int>) {
    (start, end) = (Int32(range.lowerBound), Int32(range.upperBound))
  }

  var range: Range<Int> { Int(start)..<Int(end) }
}

/// The arguments of a message: the parts between commas outside quoted strings.
struct WaylandArguments {
  /// The text before an object that a message creates.
  static let new: ByteName = "new id "

  private(set) var count = 0
  /// The last argument that creates an object.
  private(set) var made: Range<Int>?
  /// The first arguments; no fact needs more.
  private var first = InlineArray<8, WaylandPart>(repeating: WaylandPart(0..<0))

  init(_ bytes: Span<UInt8>, _ all: WaylandPart) {
    Self.split(bytes, all.range) { part in
      if count < first.count { first[count] = WaylandPart(part) }
      count += 1
      // Most arguments are numbers.
      if !part.isEmpty, bytes[part.lowerBound] == UInt8(ascii: "n"),
        bytes.begins(Self.new, in: part)
      {
        made = part
      }
    }
  }

  /// - Returns: `nil` if there is no such argument, and for arguments beyond the eighth.
  subscript(position: Int) -> Range<Int>? {
    position < min(count, first.count) ? first[position].range : nil
  }

  /// All arguments.
  static func ranges(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    split(bytes, range) { ranges.append($0) }
    return ranges
  }

  @inline(__always)
  private static func split(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ body: (Range<Int>) -> Void
  ) {
    guard !range.isEmpty else { return }
    var start = range.lowerBound
    var position = start
    let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
    while let mark = bytes.first(comma, or: quote, inWordsOf: position..<range.upperBound) {
      position = mark &+ 1
      if bytes[mark] == comma {
        body(bytes.withoutBlanks(start..<mark))
        start = position
      } else {
        // Commas in a quoted string do not separate arguments.
        guard let close = bytes.first(quote, inWordsOf: position..<range.upperBound) else { break }
        position = close &+ 1
      }
    }
    body(bytes.withoutBlanks(start..<range.upperBound))
  }
}

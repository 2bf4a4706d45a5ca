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
  /// The bytes with the line, at least eight of which follow it.
  let bytes: [UInt8]
  private let places: Places
  private let parts: WaylandArguments

  /// Where the parts of a message are in its line.
  struct Places {
    fileprivate let interface, name, arguments: WaylandPart
    fileprivate let object: UInt32
  }

  /// - Returns: `nil` when there is no message in the line.
  package init?(in line: some Collection<UInt8>) {
    let bytes = Array(line) + [UInt8](repeating: 0, count: 8)
    guard let places = Self.places(in: bytes.span, line.count) else { return nil }
    self.init(
      bytes, places,
      isRequest: bytes[..<places.interface.range.lowerBound].suffix(4).elementsEqual(" -> ".utf8))
  }

  /// - Precondition: Eight bytes can be read from any index of the line.
  init(_ bytes: [UInt8], _ places: Places, isRequest: Bool) {
    parts = WaylandArguments(bytes.span, places.arguments)
    (self.bytes, self.places, self.isRequest) = (bytes, places, isRequest)
  }

  package var object: UInt32 { places.object }
  var interfaceRange: Range<Int> { places.interface.range }
  var nameRange: Range<Int> { places.name.range }

  /// The parts of the message that begins at an index and is the rest of the line; `nil` when there
  /// is none.
  static func places(_ bytes: Span<UInt8>, at start: Int, before end: Int) -> Places? {
    var mark = start
    while mark < end, isName(bytes[mark]) { mark &+= 1 }
    guard mark < end, let close = bytes.last(UInt8(ascii: ")"), in: mark..<end) else { return nil }
    return places(bytes, interface: start..<mark, before: close)
  }

  /// The parts of the first `interface@number.name(` before the last closing bracket.
  private static func places(in bytes: Span<UInt8>, _ end: Int) -> Places? {
    guard let close = bytes.last(UInt8(ascii: ")"), in: 0..<end) else { return nil }
    for mark in 0..<close where isMark(bytes[mark]) {
      var start = mark
      while start > 0, isName(bytes[start - 1]) { start -= 1 }
      if let places = places(bytes, interface: start..<mark, before: close) { return places }
    }
    return nil
  }

  /// The parts of the `interface@number.name(` with the interface at a range.
  /// - Parameter close: Where its closing bracket is.
  private static func places(
    _ bytes: Span<UInt8>, interface: Range<Int>, before close: Int
  ) -> Places? {
    let mark = interface.upperBound
    guard !interface.isEmpty, isMark(bytes[mark]) else { return nil }
    var place = mark + 1
    while place < close, bytes[place] &- 0x30 < 10 { place &+= 1 }
    guard place > mark + 1, place < close, bytes[place] == UInt8(ascii: "."),
      let object = number(bytes, mark + 1..<place)
    else { return nil }
    let name = place + 1
    place = name
    while place < close, isName(bytes[place]) { place &+= 1 }
    guard place > name, place < close, bytes[place] == UInt8(ascii: "(") else { return nil }
    return Places(
      interface: WaylandPart(interface), name: WaylandPart(name..<place),
      arguments: WaylandPart(place + 1..<close), object: object)
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

  /// The arguments as they are printed.
  package var arguments: [String] {
    WaylandArguments.ranges(bytes.span, places.arguments.range).map(text)
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
    let stated = made.lowerBound + WaylandArguments.new.length..<mark
    if stated.isEmpty || bytes[stated.lowerBound] != UInt8(ascii: "[") { return stated }
    return WaylandArguments.ranges(bytes.span, places.arguments.range)
      .first { !$0.isEmpty && bytes[$0.lowerBound] == UInt8(ascii: "\"") }
      .map { $0.lowerBound + 1..<max($0.lowerBound + 1, $0.upperBound - 1) }
  }

  /// The number after the last `@` or `#` of an argument, and where that is.
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

/// A range within a line, in half the memory of a `Range<Int>`, because messages are passed by value.
/// The buffer that a line is read in has at most 32 MB.
struct WaylandPart {
  private let start, end: Int32

  init(_ range: Range<Int>) {
    (start, end) = (Int32(range.lowerBound), Int32(range.upperBound))
  }

  var range: Range<Int> { Int(start)..<Int(end) }
}

/// The arguments of a message: the parts between commas outside of quoted texts.
struct WaylandArguments {
  /// What comes before an object that a message makes.
  static let new: ByteName = "new id "

  private(set) var count = 0
  /// The last one that makes an object.
  private(set) var made: Range<Int>?
  /// The first ones; no fact needs more.
  private var first = InlineArray<8, WaylandPart>(repeating: WaylandPart(0..<0))

  init(_ bytes: Span<UInt8>, _ all: WaylandPart) {
    Self.split(bytes, all.range) { part in
      if count < first.count { first[count] = WaylandPart(part) }
      count += 1
      // Most are numbers.
      if !part.isEmpty, bytes[part.lowerBound] == UInt8(ascii: "n"),
        bytes.begins(Self.new, in: part)
      {
        made = part
      }
    }
  }

  /// - Returns: `nil` for none, and beyond the eighth.
  subscript(place: Int) -> Range<Int>? {
    place < min(count, first.count) ? first[place].range : nil
  }

  /// All arguments.
  static func ranges(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    split(bytes, range) { ranges.append($0) }
    return ranges
  }

  @inline(__always)
  private static func split(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ take: (Range<Int>) -> Void
  ) {
    guard !range.isEmpty else { return }
    var start = range.lowerBound
    var place = start
    let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
    while let mark = bytes.first(comma, or: quote, inWordsOf: place..<range.upperBound) {
      place = mark &+ 1
      if bytes[mark] == comma {
        take(bytes.withoutBlanks(start..<mark))
        start = place
      } else {
        // Commas in a text separate nothing.
        guard let close = bytes.first(quote, inWordsOf: place..<range.upperBound) else { break }
        place = close &+ 1
      }
    }
    take(bytes.withoutBlanks(start..<range.upperBound))
  }
}

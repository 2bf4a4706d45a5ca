/// A message between a program and a Wayland compositor, as libwayland prints it for a program
/// that runs with `WAYLAND_DEBUG=client`:
///
///     [2615439.875]  -> wl_surface@17.frame(new id wl_callback@23)
///     [2615456.102] wl_callback@23.done(48213)
///     [12:00:01.000001] {Default Queue} wl_callback#23.done(48213)
///
/// From libwayland 1.23 on, objects are written with `#`, before that with `@`. Other output of a
/// program can precede a message on the same line.
package struct WaylandMessage: Hashable, Sendable {
  /// Whether the program sent it; otherwise the compositor did.
  package let isRequest: Bool
  package let interface: String
  package let object: UInt32
  package let name: String
  /// The arguments as they are printed.
  package let arguments: [String]

  /// - Returns: `nil` when there is no message in the line.
  package init?(in line: some Collection<UInt8>) {
    let bytes = Array(line)
    guard let head = Self.head(in: bytes) else { return nil }
    self.init(
      bytes, head,
      isRequest: bytes[..<head.interface.lowerBound].suffix(4).elementsEqual(" -> ".utf8))
  }

  /// Reads the message that begins at an index and is the rest of the line.
  init?(_ bytes: [UInt8], at start: Int, isRequest: Bool) {
    guard let mark = bytes[start...].firstIndex(where: { !Self.isName($0) }),
      let head = Self.head(bytes, mark), head.interface.lowerBound == start
    else { return nil }
    self.init(bytes, head, isRequest: isRequest)
  }

  private init?(_ bytes: [UInt8], _ head: Head, isRequest: Bool) {
    guard let close = bytes.lastIndex(of: UInt8(ascii: ")")), close >= head.arguments else {
      return nil
    }
    interface = String(decoding: bytes[head.interface], as: UTF8.self)
    object = head.object
    name = String(decoding: bytes[head.name], as: UTF8.self)
    self.isRequest = isRequest
    arguments = Self.split(bytes[head.arguments..<close])
  }

  private struct Head {
    let interface: Range<Int>
    let object: UInt32
    let name: Range<Int>
    let arguments: Int
  }

  /// The first occurrence of `interface@number.name(`.
  private static func head(in bytes: [UInt8]) -> Head? {
    for mark in bytes.indices { if let head = head(bytes, mark) { return head } }
    return nil
  }

  /// The `interface@number.name(` around the mark between the interface and the number.
  private static func head(_ bytes: [UInt8], _ mark: Int) -> Head? {
    guard bytes[mark] == UInt8(ascii: "@") || bytes[mark] == UInt8(ascii: "#") else { return nil }
    var start = mark
    while start > 0, isName(bytes[start - 1]) { start -= 1 }
    var place = mark + 1
    var object: UInt32? = 0
    while place < bytes.count, isDigit(bytes[place]) {
      object = object.flatMap { next($0, bytes[place]) }
      place += 1
    }
    guard start < mark, place > mark + 1, let object, place < bytes.count,
      bytes[place] == UInt8(ascii: ".")
    else { return nil }
    let name = place + 1
    place = name
    while place < bytes.count, isName(bytes[place]) { place += 1 }
    guard place > name, place < bytes.count, bytes[place] == UInt8(ascii: "(") else { return nil }
    return Head(interface: start..<mark, object: object, name: name..<place, arguments: place + 1)
  }

  /// A number with one more digit appended; `nil` if it overflows.
  private static func next(_ number: UInt32, _ digit: UInt8) -> UInt32? {
    let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
    let (sum, isTooLargeStill) = tens.addingReportingOverflow(UInt32(digit - 0x30))
    return isTooLarge || isTooLargeStill ? nil : sum
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "_")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Splits at commas outside of quoted texts.
  private static func split(_ bytes: ArraySlice<UInt8>) -> [String] {
    var parts: [String] = []
    var start = bytes.startIndex
    var isText = false
    for place in bytes.indices {
      if bytes[place] == UInt8(ascii: "\"") { isText.toggle() }
      guard bytes[place] == UInt8(ascii: ","), !isText else { continue }
      parts.append(text(bytes[start..<place]))
      start = place + 1
    }
    if start < bytes.endIndex || !parts.isEmpty { parts.append(text(bytes[start...])) }
    return parts
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.drop { $0 == 0x20 }, as: UTF8.self)
  }

  /// The object that a message makes, where its arguments end with one: `new id wl_callback@23`.
  package var newObject: UInt32? {
    arguments.last { $0.hasPrefix("new id ") }.flatMap { Self.object(in: $0) }
  }

  /// The number of the object that an argument names: `wl_surface@3`, `new id wl_callback#23`.
  static func object(in argument: String) -> UInt32? {
    guard let mark = argument.utf8.lastIndex(where: { $0 == 0x40 || $0 == 0x23 }) else {
      return nil
    }
    return UInt32(argument[argument.utf8.index(after: mark)...])
  }

  /// The interface of the object that a message makes: `new id wl_callback@23`; for `bind` that of
  /// the text before it.
  var newInterface: String? {
    guard let argument = arguments.last(where: { $0.hasPrefix("new id ") }),
      let mark = argument.utf8.lastIndex(where: { $0 == 0x40 || $0 == 0x23 })
    else { return nil }
    let stated = argument.utf8[..<mark].dropFirst("new id ".utf8.count)
    if stated.first != UInt8(ascii: "[") { return String(Substring(stated)) }
    return arguments.first { $0.hasPrefix("\"") }.map { String($0.dropFirst().dropLast()) }
  }
}

/// A message between a program and a Wayland compositor, as libwayland prints it for a program
/// that runs with `WAYLAND_DEBUG=client`:
///
///     [2615439.875]  -> wl_surface@17.frame(new id wl_callback@23)
///     [2615456.102] wl_callback@23.done(48213)
///     [12:00:01.000001] {Default Queue} wl_callback#23.done(48213)
///
/// From libwayland 1.23 on objects are written with `#`, before that with `@`. A program's own
/// words may stand before a message on the same line.
package struct WaylandMessage: Hashable, Sendable {
  /// Whether the program sent it; the compositor did otherwise.
  package let isRequest: Bool
  package let interface: String
  package let object: UInt32
  package let name: String
  /// The arguments as they are printed.
  package let arguments: [String]

  /// - Returns: `nil` when there is no message in the line.
  package init?(in line: some Collection<UInt8>) {
    let bytes = Array(line)
    guard let found = Self.head(in: bytes), let close = bytes.lastIndex(of: UInt8(ascii: ")")),
      close >= found.arguments
    else { return nil }
    interface = String(decoding: bytes[found.interface], as: UTF8.self)
    object = found.object
    name = String(decoding: bytes[found.name], as: UTF8.self)
    isRequest = bytes[..<found.interface.lowerBound].suffix(4).elementsEqual(" -> ".utf8)
    arguments = Self.split(bytes[found.arguments..<close])
  }

  private struct Head {
    let interface: Range<Int>
    let object: UInt32
    let name: Range<Int>
    let arguments: Int
  }

  /// The first place that reads `interface@number.name(`.
  private static func head(in bytes: [UInt8]) -> Head? {
    for mark in bytes.indices
    where bytes[mark] == UInt8(ascii: "@") || bytes[mark] == UInt8(ascii: "#") {
      var start = mark
      while start > 0, isName(bytes[start - 1]) { start -= 1 }
      var place = mark + 1
      while place < bytes.count, isDigit(bytes[place]) { place += 1 }
      guard start < mark,
        let object = UInt32(String(decoding: bytes[mark + 1..<place], as: UTF8.self)),
        place < bytes.count, bytes[place] == UInt8(ascii: ".")
      else { continue }
      let name = place + 1
      place = name
      while place < bytes.count, isName(bytes[place]) { place += 1 }
      guard place > name, place < bytes.count, bytes[place] == UInt8(ascii: "(") else { continue }
      return Head(
        interface: start..<mark, object: object, name: name..<place, arguments: place + 1)
    }
    return nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "_")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Splits at commas that stand outside of texts.
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
    guard let argument = arguments.last(where: { $0.hasPrefix("new id ") }),
      let mark = argument.lastIndex(where: { $0 == "@" || $0 == "#" })
    else { return nil }
    return UInt32(argument[argument.index(after: mark)...])
  }
}

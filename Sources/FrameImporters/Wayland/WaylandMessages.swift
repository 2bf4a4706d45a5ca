import FrameTrace

/// Reads the messages of a log, most of which repeat; each distinct text is parsed once.
struct WaylandMessages {
  /// A message and its parsed content.
  struct Known {
    let message: WaylandMessage
    /// `nil` if it states nothing about frames, buffers and inputs.
    let fact: WaylandFact?
    /// The object that it makes.
    let newObject: UInt32?
    /// Whether objects are written with `#`.
    let hasNumberSign: Bool
  }

  private var texts = ByteTable()
  /// The messages by the number of their text; `nil` for a text that is not a message.
  private var known: [Known?] = []

  /// The most texts that are remembered; then all are forgotten because some do not recur.
  private static let most = 1 << 14

  /// The message in a range of bytes; `nil` if there is none.
  /// - Precondition: Eight bytes can be read at any position in the range.
  mutating func read(_ bytes: [UInt8], _ range: Range<Int>, isRequest: Bool) -> Known? {
    if known.count == Self.most { self = WaylandMessages() }
    let number = texts.number(bytes.span, range, kind: isRequest ? 1 : 0)
    if number == known.count { known.append(Self.parse(Array(bytes[range]), isRequest)) }
    return known[number]
  }

  private static func parse(_ bytes: [UInt8], _ isRequest: Bool) -> Known? {
    guard let message = WaylandMessage(bytes, at: 0, isRequest: isRequest) else { return nil }
    let sign = bytes.first { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "#") }
    return Known(
      message: message, fact: WaylandFact(message), newObject: message.newObject,
      hasNumberSign: sign == UInt8(ascii: "#"))
  }
}

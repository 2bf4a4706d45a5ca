import FrameTrace

/// Reads messages of a log, most of which are the same again and again, each text once.
struct WaylandMessages {
  /// A message, and what it says.
  struct Known {
    let message: WaylandMessage
    /// `nil` for nothing of frames, buffers and inputs.
    let fact: WaylandFact?
    /// The object that it makes.
    let newObject: UInt32?
    /// Whether objects are written with `#`.
    let hasNumberSign: Bool
  }

  private var texts = ByteTable()
  /// By the number of their text; `nil` for a text that is no message.
  private var known: [Known?] = []

  /// How many texts are remembered; then all are forgotten, as some do not come again.
  private static let most = 1 << 14

  /// The message that a range of bytes is; `nil` where it is none.
  /// - Precondition: Eight bytes can be read from any place in the range.
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

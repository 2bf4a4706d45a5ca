import FrameTrace

/// The kinds of messages in a log: their interfaces and names as small numbers, each kind with the facts that its
/// messages state.
struct WaylandKinds {
  /// Messages of one interface with one name in one direction.
  struct Kind {
    /// The number of the interface.
    let interface: Int32
    /// `get_registry`, which comes first on a connection.
    let isRegistry: Bool
    /// `wl_surface.commit`.
    let isCommit: Bool
    /// Whether only a compositor's own log has messages of this kind.
    let isOfCompositor: Bool
  }

  /// The numbers of the interfaces with which messages are compared.
  static let display: Int32 = 0
  static let surface: Int32 = 1
  static let unknown: Int32 = 2

  private var interfaces = ByteTable()
  /// The names of messages, by interface and direction.
  private var names = ByteTable()
  /// The reading for each of these names.
  private var readings: [Reading] = []

  init() {
    for name in ["wl_display", "wl_surface", "[unknown]"] {
      let bytes = Array(name.utf8) + [UInt8](repeating: 0, count: 8)
      _ = interfaces.number(bytes.span, 0..<name.utf8.count)
    }
  }

  /// The number of an interface.
  /// - Precondition: Eight bytes can be read from any index in the range.
  mutating func number(_ bytes: [UInt8], _ range: Range<Int>) -> Int32 {
    Int32(interfaces.number(bytes.span, range))
  }

  /// A kind, with the reader of its messages.
  private struct Reading {
    let kind: Kind
    /// `nil` for messages that state nothing about frames, buffers and inputs.
    let reader: WaylandFact.Reader?
  }

  /// The kind of a message, and what the message states.
  mutating func read(_ message: WaylandMessage) -> (kind: Kind, fact: WaylandFact?) {
    let position = position(of: message)
    return (readings[position].kind, readings[position].reader?.read(message))
  }

  private mutating func position(of message: WaylandMessage) -> Int {
    let interface = number(message.bytes, message.interfaceRange)
    let position = names.number(
      message.bytes.span, message.nameRange,
      kind: UInt64(interface) &* 2 &+ (message.isRequest ? 1 : 0))
    if position < readings.count { return position }
    let reader = WaylandFact.reader(
      of: message.interface, message.name, isRequest: message.isRequest)
    readings.append(Reading(kind: Self.kind(message, interface), reader: reader))
    return position
  }

  /// Messages that only a compositor sends, with their interfaces.
  private static let compositors = [
    ("wl_display", "delete_id"), ("wl_callback", "done"), ("wl_registry", "global"),
  ]

  private static func kind(_ message: WaylandMessage, _ number: Int32) -> Kind {
    let (interface, name) = (message.interface, message.name)
    return Kind(
      interface: number,
      isRegistry: name == "get_registry",
      isCommit: number == surface && name == "commit",
      isOfCompositor: message.isRequest && compositors.contains { $0 == interface && $1 == name })
  }
}

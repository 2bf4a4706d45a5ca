import FrameKit

/// Wayland messages as lines of JSON, in the form read by the importer `wayland-proxy`.
///
/// Text is formatted only when the lines are taken, because programs wait while messages are passed
/// on.
struct WaylandLines {
  private enum Entry {
    case message(Message)
    /// Lines that are already formatted.
    case text([UInt8])
  }

  private struct Message {
    let time: Int64
    let direction: String
    let interface: String
    let object: UInt32
    let name: String
    let arguments: [WaylandArgument]
  }

  private let connection: Int
  private var entries: [Entry] = []

  /// - Parameter connection: The connection's number; 0 for lines that belong to none.
  init(connection: Int) { self.connection = connection }

  /// Returns the added lines and removes them.
  mutating func take() -> [UInt8] {
    guard !entries.isEmpty else { return [] }
    var json = JSONWriter(indented: false)
    var bytes: [UInt8] = []
    for entry in entries {
      switch entry {
      case .message(let message): write(message, to: &json)
      case .text(let text): bytes += json.takeBytes() + text
      }
    }
    entries.removeAll(keepingCapacity: true)
    return bytes + json.takeBytes()
  }

  /// Adds lines that are already formatted.
  mutating func add(_ bytes: [UInt8]) {
    if !bytes.isEmpty { entries.append(.text(bytes)) }
  }

  /// Reads the clocks together, so that times of other clocks can be converted to the monotonic
  /// one.
  mutating func addClocks() {
    let times = SystemClocks().times.map { $0.map { WaylandArgument.number($0) } ?? .none }
    add(LaunchedProcess.now, "!", "capture", 0, "clocks", times)
  }

  mutating func add(
    _ time: Int64, _ direction: String, _ interface: String, _ object: UInt32, _ name: String,
    _ arguments: [WaylandArgument]
  ) {
    entries.append(
      .message(
        Message(
          time: time, direction: direction, interface: interface, object: object, name: name,
          arguments: arguments)))
  }

  private func write(_ message: Message, to json: inout JSONWriter) {
    json.array { json in
      json.value(message.time)
      json.value(connection)
      json.value(message.direction)
      json.value(message.interface)
      json.value(Int64(message.object))
      json.value(message.name)
      json.array { json in
        for argument in message.arguments {
          switch argument {
          case .number(let value): json.value(value)
          case .real(let value): json.value(value)
          case .text(let text): json.value(text)
          case .none: json.null()
          }
        }
      }
    }
    json.endLine()
  }

  /// The recorded arguments of a message.
  static func kept(
    _ arguments: [WaylandArgument], of message: WaylandProtocol.Message
  ) -> [WaylandArgument] {
    guard message.name == "presented" else { return (message.kept ?? []).map { arguments[$0] } }
    let word = { (place: Int) in Int64(arguments[place].integer ?? 0) }
    // The seconds and the refresh number each consist of two words.
    let seconds = word(0) << 32 | word(1)
    return [
      .number(seconds &* 1_000_000_000 &+ word(2)), .number(word(3)),
      .number(word(4) << 32 | word(5)),
      .number(word(6)),
    ]
  }
}

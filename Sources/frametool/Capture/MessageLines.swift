import FrameKit

/// Messages between programs and the server that shows their frames, as lines of JSON, in the form read by the
/// importers `wayland-proxy` and `x11-present`.
///
/// Text is formatted only when the lines are taken, because programs wait while messages are forwarded.
struct MessageLines {
  private enum Entry {
    case message(Message)
    /// Lines that are already formatted.
    case text([UInt8])
  }

  private struct Message {
    let time: Int64
    let connection: Int
    let direction: String
    let interface: String
    let object: UInt32
    let name: String
    let arguments: [WaylandArgument]
  }

  private let connection: Int
  private var entries: [Entry] = []

  /// - Parameter connection: The connection's number; 0 for lines without a connection.
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

  /// Reads the clocks together, so that times of other clocks can be converted to the monotonic clock.
  mutating func addClocks() {
    let times = SystemClocks().times.map { $0.map { WaylandArgument.number($0) } ?? .none }
    add(LaunchedProcess.now, "!", "capture", 0, "clocks", times)
  }

  /// - Parameter connection: The number of another connection; `nil` for the connection of the lines.
  mutating func add(
    _ time: Int64, _ direction: String, _ interface: String, _ object: UInt32, _ name: String,
    _ arguments: [WaylandArgument], of connection: Int? = nil
  ) {
    entries.append(
      .message(
        Message(
          time: time, connection: connection ?? self.connection, direction: direction,
          interface: interface, object: object, name: name,
          arguments: arguments)))
  }

  private func write(_ message: Message, to json: inout JSONWriter) {
    json.array { json in
      json.value(message.time)
      json.value(message.connection)
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
}

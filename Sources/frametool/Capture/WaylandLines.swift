import FrameKit

/// Messages as lines of JSON, in the form that the importer `wayland-proxy` reads.
struct WaylandLines {
  private let connection: Int
  private var json = JSONWriter(indented: false)
  private var others: [UInt8] = []

  /// - Parameter connection: 0 for what is of none.
  init(connection: Int) { self.connection = connection }

  /// Gives out what was added.
  mutating func take() -> [UInt8] {
    defer { others = [] }
    return others + json.takeBytes()
  }

  /// Adds lines that are whole already.
  mutating func add(_ bytes: [UInt8]) { others += json.takeBytes() + bytes }

  /// Reads the clocks together, so that times on the others can be placed on the monotonic one.
  mutating func addClocks() {
    let clocks: [UInt32] = [0, LaunchedProcess.monotonicClock, 4, 7]
    let times = clocks.map { LaunchedProcess.time(onClock: $0).map { WaylandArgument.number($0) } }
    add(
      LaunchedProcess.now, "!", "capture", 0, "clocks", times.map { $0 ?? .none })
  }

  mutating func add(
    _ time: Int64, _ direction: String, _ interface: String, _ object: UInt32, _ name: String,
    _ arguments: [WaylandArgument]
  ) {
    json.array { json in
      json.value(time)
      json.value(connection)
      json.value(direction)
      json.value(interface)
      json.value(Int64(object))
      json.value(name)
      json.array { json in
        for argument in arguments {
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

  /// The arguments of a message that are written down.
  static func kept(
    _ arguments: [WaylandArgument], of message: WaylandProtocol.Message
  ) -> [WaylandArgument] {
    guard message.name == "presented" else { return (message.kept ?? []).map { arguments[$0] } }
    let word = { (place: Int) in Int64(arguments[place].integer ?? 0) }
    // Seconds, and the number of the refresh, come as two words each.
    let seconds = word(0) << 32 | word(1)
    return [
      .number(seconds &* 1_000_000_000 &+ word(2)), .number(word(3)),
      .number(word(4) << 32 | word(5)),
      .number(word(6)),
    ]
  }
}

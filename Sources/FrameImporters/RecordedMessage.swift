import FrameTrace

/// A line from a recorder of the messages between programs and their display server: an array of the time in ns, the
/// connection or process, the direction, the object's interface and number, the message, and its arguments.
struct RecordedMessage {
  let time: Int64
  let connection: Int64
  let interface: String
  let object: UInt32
  let name: String
  /// Whether the line is a statement of the recorder about itself.
  let isOwn: Bool
  private let arguments: [JSONNode]

  init?(_ node: JSONNode) {
    guard let parts = node.array, parts.count == 7, let time = parts[0].integer,
      0...Timestamp.bound ~= time, let connection = parts[1].integer,
      let direction = parts[2].text, [">", "<", "conn", "!"].contains(direction),
      let interface = parts[3].text, let object = parts[4].integer.flatMap({ UInt32(exactly: $0) }),
      let name = parts[5].text, let arguments = parts[6].array
    else { return nil }
    (self.time, self.connection, self.interface, self.object) = (
      time, connection, interface, object
    )
    (self.name, self.arguments, isOwn) = (name, arguments, direction == "!")
  }

  func integer(_ position: Int) -> Int64? {
    arguments.indices.contains(position) ? arguments[position].integer : nil
  }

  func number(_ position: Int) -> Double? {
    arguments.indices.contains(position) ? arguments[position].number : nil
  }

  func object(_ position: Int) -> UInt32? { integer(position).flatMap { UInt32(exactly: $0) } }

  func milliseconds(_ position: Int) -> UInt32? {
    integer(position).map { UInt32(truncatingIfNeeded: $0) }
  }

  func text(_ position: Int) -> String? {
    arguments.indices.contains(position) ? arguments[position].text : nil
  }
}

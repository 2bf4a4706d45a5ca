/// An event of a trace in JSON, as far as frames and inputs are told by it.
///
/// Chromium, "Trace Event Format".
struct ChromeTraceEvent {
  let name: String
  let phase: UInt8
  /// In nanoseconds; `nil` for one without a time.
  let time: Int64?
  let duration: Int64?
  let process, thread: Int64?
  /// What events of one thing have in common: their id, of the process or of all.
  let identifier: String?
  let isLocal: Bool
  let category: String
  let arguments: JSONNode?

  /// - Parameter members: The event's, in order.
  /// - Returns: `nil` for one without a name or a phase.
  init?(_ bytes: [UInt8], _ members: [JSONScanner.Member]) {
    var name: String?
    var phase: UInt8?
    var fields = Fields()
    for member in members {
      let value = member.value
      switch bytes[member.key.lowerBound] {
      case UInt8(ascii: "n") where Self.key(bytes, member, "name"):
        name = value.kind == .string ? JSONScanner.text(bytes, value.range) : nil
      case UInt8(ascii: "p") where Self.key(bytes, member, "ph"):
        if value.kind == .string, value.range.count == 3 {
          phase = bytes[value.range.lowerBound + 1]
        }
      default: fields.take(bytes, member)
      }
    }
    guard let name, let phase else { return nil }
    (self.name, self.phase) = (name, phase)
    (time, duration) = (fields.time, fields.duration)
    (process, thread) = (fields.process, fields.thread)
    (identifier, isLocal, category) = (fields.identifier, fields.isLocal, fields.category)
    arguments = fields.arguments
  }

  private static func key(
    _ bytes: [UInt8], _ member: JSONScanner.Member, _ key: StaticString
  ) -> Bool {
    bytes[member.key].elementsEqual("\(key)".utf8)
  }

  /// What is read of an event whatever its name.
  private struct Fields {
    var time, duration, process, thread: Int64?
    var identifier: String?
    var isLocal = false
    var category = ""
    var arguments: JSONNode?

    mutating func take(_ bytes: [UInt8], _ member: JSONScanner.Member) {
      let (key, value) = (bytes[member.key], member.value)
      switch (key.count, key.first) {
      case (2, UInt8(ascii: "t")) where key.last == UInt8(ascii: "s"):
        time = Self.microseconds(bytes, value)
      case (3, UInt8(ascii: "d")) where key.elementsEqual("dur".utf8):
        duration = Self.microseconds(bytes, value)
      case (3, UInt8(ascii: "p")) where key.elementsEqual("pid".utf8):
        process = Self.whole(bytes, value)
      case (3, UInt8(ascii: "t")) where key.elementsEqual("tid".utf8):
        thread = Self.whole(bytes, value)
      case (3, UInt8(ascii: "c")) where key.elementsEqual("cat".utf8):
        if value.kind == .string { category = JSONScanner.text(bytes, value.range) }
      case (2, UInt8(ascii: "i")) where key.elementsEqual("id".utf8):
        identifier = identifier ?? Self.text(bytes, value)
      case (3, UInt8(ascii: "i")) where key.elementsEqual("id2".utf8):
        let node = JSONNode(bytes, value)
        isLocal = node["local"] != nil
        identifier = node["local"]?.text ?? node["global"]?.text
      case (4, UInt8(ascii: "a")) where key.elementsEqual("args".utf8):
        arguments = JSONNode(bytes, value)
      default: break
      }
    }

    private static func microseconds(_ bytes: [UInt8], _ token: JSONScanner.Token) -> Int64? {
      guard token.kind == .number,
        case .value(let time) = DecimalNumber.read(bytes[token.range], scale: 3),
        abs(time) < Timestamp.bound
      else { return nil }
      return time
    }

    private static func whole(_ bytes: [UInt8], _ token: JSONScanner.Token) -> Int64? {
      guard token.kind == .number else { return nil }
      return Int64(String(decoding: bytes[token.range], as: UTF8.self))
    }

    private static func text(_ bytes: [UInt8], _ token: JSONScanner.Token) -> String? {
      switch token.kind {
      case .string: JSONScanner.text(bytes, token.range)
      case .number: String(decoding: bytes[token.range], as: UTF8.self)
      default: nil
      }
    }
  }
}

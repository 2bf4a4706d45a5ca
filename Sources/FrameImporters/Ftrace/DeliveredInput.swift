import FrameTrace

/// Inputs in the names of slices: `deliverInputEvent src=0x1002 eventTimeNano=17885670092000
/// id=0x2c7f`, as Android 11 and later write them.
enum DeliveredInput {
  /// A motion or key event.
  struct Event {
    /// On the monotonic clock.
    let made: Int64
    let device: TouchColumn.Device?
    let phase: TouchColumn.Phase?
  }

  /// The slices of a log that deliver events, each with its event and the event's ID.
  static func all(_ marks: AtraceMarks) -> [(
    slice: AtraceMarks.Slice, identifier: UInt64, event: Event
  )] {
    marks.slices(beginning: "deliverInputEvent ").compactMap { slice in
      event(marks.name(of: slice)).map { (slice, $0.identifier, $0.event) }
    }
  }

  private static let mark = "deliverInputEvent "

  /// The event in a slice's name, with its ID; `nil` for any other name.
  static func event(_ name: String) -> (identifier: UInt64, event: Event)? {
    guard name.hasPrefix(mark) else { return nil }
    var values: [Substring: Substring] = [:]
    for part in name.split(separator: " ").dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { values[pair[0]] = pair[1] }
    }
    let number = { (key: Substring) -> UInt64? in
      values[key].flatMap { $0.hasPrefix("0x") ? UInt64($0.dropFirst(2), radix: 16) : UInt64($0) }
    }
    guard let identifier = number("id"), let made = values["eventTimeNano"].flatMap({ Int64($0) }),
      (1...Timestamp.bound).contains(made)
    else { return nil }
    return (identifier, Event(made: made, device: device(number("src")), phase: nil))
  }

  /// The device of an event, from Android's source number.
  static func device(_ source: UInt64?) -> TouchColumn.Device? {
    switch source {
    case 0x1002: .touch
    case 0x2002: .pointer
    case 0x4002: .pen
    case 0x101: .key
    default: nil
    }
  }
}

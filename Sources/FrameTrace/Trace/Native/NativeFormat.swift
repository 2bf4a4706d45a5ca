/// The trace format of our own: JSON Lines, a record a line, each with a `type`.
///
/// It holds everything the model has, so converting to it loses nothing, and it is what an
/// app's own instrumentation writes:
///
///     {"schema": "frametool.trace/1", "unit": "ms"}
///     {"type": "frame", "appStart": 0, "commit": 6.2, "displayed": 33.3}
///     {"type": "frame", "appStart": 16.7, "commit": 24.1, "displayed": 50}
package enum NativeFormat {
  /// The name and version that the first line states.
  package static let schema = "frametool.trace/1"
  /// What the schemas of all versions begin with.
  package static let schemaPrefix = "frametool.trace/"

  /// How a header names the unit of its times, with the digits after the point that
  /// nanoseconds are in it.
  static let units: [(name: String, scale: Int)] = [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)]

  /// The kinds of records.
  package enum Record: String, CaseIterable {
    case clock, display, surface, column, issue, refresh, frame, commit, touch, buffer, layer
    case launch, phase, thread, threadState, call, pass, marker, hitch, hang, figure, bin, setting
    case telemetry
  }
}

/// Finds the place of a key in a list, quickest when keys come in the same order each time,
/// as they do in the records of one writer.
struct KeyOrder {
  private let keys: [ByteName]
  private let places: [String: Int]
  /// For each place in a record the key that stood there last.
  private var guesses: [Int] = []

  init(_ keys: [String]) {
    self.keys = keys.map { ByteName($0.utf8) }
    places = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
  }

  /// The place of the key whose text is `bytes[range]`; `nil` when it is not in the list.
  /// - Parameter position: Which member of its record the key is.
  /// - Precondition: Eight bytes can be read from any place in the range.
  mutating func place(of bytes: [UInt8], _ range: Range<Int>, at position: Int) -> Int? {
    if position < guesses.count, bytes.span.holds(keys[guesses[position]], in: range) {
      return guesses[position]
    }
    guard let place = places[String(decoding: bytes[range], as: UTF8.self)] else { return nil }
    while guesses.count <= position { guesses.append(place) }
    guesses[position] = place
    return place
  }
}

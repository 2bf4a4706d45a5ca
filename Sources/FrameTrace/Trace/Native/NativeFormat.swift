/// The native trace format: JSON Lines, with one record per line, each with a `type`.
///
/// It holds everything in the model, so converting to it loses nothing. It is also the format that
/// an app's own instrumentation writes:
///
///     {"schema": "frametool.trace/1", "unit": "ms"}
///     {"type": "frame", "appStart": 0, "commit": 6.2, "displayed": 33.3}
///     {"type": "frame", "appStart": 16.7, "commit": 24.1, "displayed": 50}
package enum NativeFormat {
  /// The name and version that the first line states.
  package static let schema = "frametool.trace/1"
  /// The common prefix of the schemas of all versions.
  package static let schemaPrefix = "frametool.trace/"

  /// The names of the units of time in a header, each with the number of digits after the decimal point in which
  /// nanoseconds are written.
  static let units: [(name: String, scale: Int)] = [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)]

  /// The kinds of records.
  package enum Record: String, CaseIterable {
    case clock, display, surface, column, issue, refresh, frame, commit, touch, buffer, layer
    case launch, phase, thread, threadState, call, pass, marker, hitch, hang, figure, bin, setting
    case telemetry, pageEvent
  }
}

/// Finds the index of a key in a list. The search is fastest if keys are in the same order each time, as in the records
/// of one writer.
struct KeyOrder {
  private let keys: [ByteName]
  private let indices: [String: Int]
  /// For each position in a record, the last key found there.
  private var guesses: [Int] = []

  init(_ keys: [String]) {
    self.keys = keys.map { ByteName($0.utf8) }
    indices = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
  }

  /// The index of the key in `bytes[range]`; `nil` if it is not in the list.
  /// - Parameter position: The position of the key in its record.
  /// - Precondition: Eight bytes can be read from any index in the range.
  mutating func index(of bytes: [UInt8], _ range: Range<Int>, at position: Int) -> Int? {
    if position < guesses.count, bytes.span.holds(keys[guesses[position]], in: range) {
      return guesses[position]
    }
    guard let index = indices[String(decoding: bytes[range], as: UTF8.self)] else { return nil }
    while guesses.count <= position { guesses.append(index) }
    guesses[position] = index
    return index
  }
}

/// The trace format of our own: JSON Lines, a record a line, each with a `type`.
///
/// It holds everything the model has, so converting to it loses nothing, and it is what an
/// app's own instrumentation writes:
///
///     {"schema": "frametool.trace/1", "unit": "ms"}
///     {"type": "frame", "appStart": 0, "commit": 6.2, "displayed": 33.3}
///     {"type": "frame", "appStart": 16.7, "commit": 24.1, "displayed": 50}
enum NativeFormat {
  /// The name and version that the first line states.
  static let schema = "frametool.trace/1"
  /// What the schemas of all versions begin with.
  static let schemaPrefix = "frametool.trace/"

  /// How a header names the unit of its times, with the digits after the point that
  /// nanoseconds are in it.
  static let units: [(name: String, scale: Int)] = [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)]

  /// Times, lengths and counts of every format are believed up to this far from zero. In nanoseconds
  /// these are 73 years: more than any clock has counted, and differences of two of them can be added
  /// and doubled.
  static let bound: Int64 = 1 << 61

  /// The kinds of records.
  enum Record: String, CaseIterable {
    case clock, display, surface, column, issue, refresh, frame, commit, touch, buffer, layer
    case launch, phase, thread, threadState, call, pass, marker, hitch, hang, figure, bin, setting
    case telemetry
  }
}

import FrameTrace

/// Frames with times that are still in the unit of the file's time column.
///
/// A frame's row has distances from the row's time, and durations, in nanoseconds. Only the row's
/// time must wait until the whole file has shown its unit. Until then, nothing can be read as an
/// instant.
struct UntimedFrames {
  private var table = Table<FrameColumn>()
  /// The time of each row as the file has it; 0 in a file without a time column.
  private(set) var times: [Int64] = []

  var count: Int { times.count }
  var reserved: Int { table.reserved }

  mutating func reserve(_ rows: Int) {
    times.reserveCapacity(rows)
    table.reserve(rows)
  }

  /// Appends rows given column by column.
  /// - Parameters:
  ///   - rows: Which elements of the arrays become rows, in this order.
  ///   - times: Their times as the file has them.
  ///   - stored: The distances from those times, or the durations, of each column, in nanoseconds.
  mutating func append(rows: [Int32], times: [Int64], stored: [(FrameColumn, [Int64])]) {
    self.times.append(addingCapacity: rows.count) { output in
      for row in rows { output.append(times[Int(row)]) }
    }
    table.append(rows: rows, stored: stored)
  }

  /// Appends the first elements of the arrays as rows.
  mutating func append(first rows: Int, times: [Int64], stored: [(FrameColumn, [Int64])]) {
    self.times.append(contentsOf: times[..<rows])
    table.append(first: rows, stored: stored)
  }

  /// The distances or lengths in a column; `nil` when no row has any.
  func stored(_ column: FrameColumn) -> IntegerColumn? { table.stored(column) }

  /// Sets a whole column.
  mutating func setStored(_ column: FrameColumn, _ values: IntegerColumn) {
    table.setStored(column, values)
  }

  /// The number of a text in a column of texts.
  mutating func number(of text: String) -> Int64 { table.texts.number(of: text) }

  mutating func addExtras(_ extras: [ExtraColumn]) { table.extras += extras }

  /// Whether the application, and not a driver, made the frame in a row.
  func isOwn(_ row: Int) -> Bool { table[row, .kind] != FrameColumn.Kind.generated.rawValue }

  /// The frames, with the file's times converted to instants.
  /// - Parameter instant: `nil` if the times are nanoseconds.
  consuming func timed(_ instant: ((Int64) -> Timestamp)?) -> Table<FrameColumn> {
    if let instant {
      for row in times.indices { times[row] = instant(times[row]).nanoseconds }
    }
    table.references = times
    return table
  }

  /// The frames, with the reference times of their rows.
  consuming func timed(at instants: [Timestamp]) -> Table<FrameColumn> {
    table.references = instants.map(\.nanoseconds)
    return table
  }
}

import FrameTrace

/// Frames of a file whose own times still count in the unit of its time column.
///
/// What a frame's row has is a distance from the row's time, or a length, in nanoseconds; only that time has to
/// wait until the whole file has shown its unit. Nothing can be read as an instant before.
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
  ///   - stored: For each column the distances from those times, or the lengths, in nanoseconds.
  mutating func append(rows: [Int32], times: [Int64], stored: [(FrameColumn, [Int64])]) {
    self.times.append(addingCapacity: rows.count) { output in
      for row in rows { output.append(times[Int(row)]) }
    }
    table.append(rows: rows, stored: stored)
  }

  /// The distances or lengths in a column; `nil` when no row has any.
  func stored(_ column: FrameColumn) -> IntegerColumn? { table.stored(column) }

  /// Puts a whole column in place.
  mutating func setStored(_ column: FrameColumn, _ values: IntegerColumn) {
    table.setStored(column, values)
  }

  /// The number of a text in a column of texts.
  mutating func number(of text: String) -> Int64 { table.texts.number(of: text) }

  mutating func addExtras(_ extras: [ExtraColumn]) { table.extras += extras }

  /// Whether the application made the frame in a row, and no driver.
  func isOwn(_ row: Int) -> Bool { table[row, .kind] != FrameColumn.Kind.generated.rawValue }

  /// The frames, once it is known which instant a time of the file is.
  consuming func timed(_ instant: (Int64) -> Timestamp) -> Table<FrameColumn> {
    for row in times.indices { times[row] = instant(times[row]).nanoseconds }
    table.references = times
    return table
  }

  /// The frames with the instants that their rows stand by.
  consuming func timed(at instants: [Timestamp]) -> Table<FrameColumn> {
    table.references = instants.map(\.nanoseconds)
    return table
  }
}

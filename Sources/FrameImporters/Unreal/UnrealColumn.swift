import FrameStatistics

/// The values of a counter, which need not be in every row.
struct UnrealColumn {
  /// The rows with a value, ascending.
  private var rows: [Int32] = []
  private var values: [Double] = []

  init() {}

  /// A counter with a value in each row.
  init(_ values: [Double]) {
    rows = values.indices.map { Int32(truncatingIfNeeded: $0) }
    self.values = values
  }

  /// Adds the value of a row that follows all rows with a value; NaN if the row has no value.
  mutating func append(_ value: Double, row: Int) {
    guard !value.isNaN else { return }
    rows.append(Int32(truncatingIfNeeded: row))
    values.append(value)
  }

  /// The value of a row; `nil` if the row has no value.
  subscript(row: Int) -> Double? {
    // Most counters are in all rows.
    let position = row < rows.count && rows[row] == row ? row : rows.partitioningIndex { $0 >= row }
    guard position < rows.count, rows[position] == row, !values[position].isNaN else { return nil }
    return values[position]
  }
}

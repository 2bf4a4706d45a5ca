extension Trace {
  /// From the first to the last instant of anything in the trace; `nil` if nothing in it has a time. Takes time linear
  /// in the rows.
  public var timeRange: ClosedRange<Timestamp>? {
    var ends = TimeEnds()
    visitTables(&ends)
    for time in telemetry.flatMap(\.times) { ends.include(time.nanoseconds) }
    return ends.range
  }
}

extension Table {
  /// From the first to the last instant of the table's rows; `nil` if no row has a time.
  package var timeRange: ClosedRange<Timestamp>? {
    var ends = TimeEnds()
    ends.include(self)
    return ends.range
  }
}

/// The first and the last instant seen so far.
private struct TimeEnds: TableVisitor {
  private var first = Int64.max
  private var last = Int64.min

  var range: ClosedRange<Timestamp>? {
    first > last ? nil : Timestamp(nanoseconds: first)...Timestamp(nanoseconds: last)
  }

  mutating func include(_ instant: Int64) {
    first = min(first, instant)
    last = max(last, instant)
  }

  package mutating func visit<Column>(_ table: Table<Column>, at position: TablePosition) {
    include(table)
  }

  mutating func include<Column: TableColumn>(_ table: Table<Column>) {
    let references = table.references(0..<table.count)
    let isInOrder = zip(references, references.dropFirst()).allSatisfy { $0 <= $1 }
    for column in Column.allCases where column.schema.kind == .time {
      guard let stored = table.stored(column), let limits = stored.limits else { continue }
      if isInOrder {
        includeEnds(stored, limits, references)
      } else {
        for row in references.indices { include(stored, row, references[row]) }
      }
    }
  }

  /// If references are in order, only rows near the ends can hold the first or the last time of a column with known
  /// limits on its distances.
  private mutating func includeEnds(
    _ stored: IntegerColumn, _ limits: (low: Int64, high: Int64), _ references: ArraySlice<Int64>
  ) {
    for row in references.indices {
      if references[row] &+ limits.low >= first { break }
      include(stored, row, references[row])
    }
    for row in references.indices.reversed() {
      if references[row] &+ limits.high <= last { break }
      include(stored, row, references[row])
    }
  }

  private mutating func include(_ stored: IntegerColumn, _ row: Int, _ reference: Int64) {
    if let distance = stored[row] { include(reference &+ distance) }
  }
}

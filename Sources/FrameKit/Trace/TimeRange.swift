extension Trace {
  /// From the first to the last instant of anything in the trace; `nil` when nothing in it
  /// has a time. Takes time linear in the rows.
  public var timeRange: ClosedRange<Timestamp>? {
    var ends = TimeEnds()
    for display in displays { ends.include(display.refreshes) }
    for surface in surfaces { ends.include(surface.frames) }
    ends.include(commits)
    ends.include(touches)
    ends.include(bufferEvents)
    ends.include(layers)
    ends.include(launches)
    ends.include(phases)
    ends.include(threadStates)
    ends.include(passes)
    ends.include(markers)
    ends.include(statedHitches)
    for time in telemetry.flatMap(\.times) { ends.include(time.nanoseconds) }
    return ends.range
  }
}

/// The first and the last of the instants seen so far.
private struct TimeEnds {
  private var first = Int64.max
  private var last = Int64.min

  var range: ClosedRange<Timestamp>? {
    first > last ? nil : Timestamp(nanoseconds: first)...Timestamp(nanoseconds: last)
  }

  mutating func include(_ instant: Int64) {
    first = min(first, instant)
    last = max(last, instant)
  }

  mutating func include<Column: TableColumn>(_ table: Table<Column>) {
    for column in Column.allCases where column.schema.kind == .time {
      guard let stored = table.stored(column) else { continue }
      include(stored, table)
    }
  }

  /// Goes through a column in blocks that stay in the cache.
  private mutating func include<Column: TableColumn>(
    _ stored: IntegerColumn, _ table: Table<Column>
  ) {
    let size = 4096
    var block = [Int64](repeating: 0, count: size)
    for start in stride(from: 0, to: table.count, by: size) {
      let rows = start..<min(start + size, table.count)
      stored.decode(rows, into: &block)
      for (index, reference) in table.references(rows).enumerated()
      where block[index] != IntegerColumn.missing {
        include(reference &+ block[index])
      }
    }
  }
}

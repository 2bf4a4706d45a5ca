/// A kind of fact: a table of a trace, with everything that is specific to that table.
///
/// References to frames, sorting, counts and the native format's reader loop over ``FactTables/all``. A new kind of
/// fact needs its columns, its property of ``Trace``, a line in that list, and one each in `Trace.visitTables` and
/// `Trace.edit`.
///
/// Code that works on rows is in closures, which the compiler specializes for each kind of columns. Reading a row
/// through a protocol takes five times as long.
package struct FactTable: Sendable {
  /// The kind of the table's records in the native format.
  package let record: NativeFormat.Record
  /// A name for the table's rows, in the plural.
  package let words: String
  /// Sorts the rows by time, if their order has no meaning.
  let sort: @Sendable (_ trace: inout Trace) -> Void
  /// Changes the rows of frames that records refer to.
  let changeFrames:
    @Sendable (
      _ trace: inout Trace, _ change: (_ frame: Int64?, _ surface: Int64?) -> Int64?
    ) -> Void
  /// Changes the surfaces that records refer to, and removes the records of removed surfaces.
  let changeSurfaces: @Sendable (_ trace: inout Trace, _ change: (Int) -> Int?) -> Void
  /// A reader of the table's records in the native format.
  let reader: @Sendable () -> NativeTableReader

  /// - Parameters:
  ///   - words: A name for the table's rows, in the plural.
  ///   - order: The columns by which rows are sorted; empty if their order has a meaning.
  ///   - frame: The columns with a frame's row and the index of its surface; `nil` if the table refers to no frame.
  init<Column: TableColumn>(
    _ record: NativeFormat.Record, _ words: String,
    _ table: any WritableKeyPath<Trace, Table<Column>> & Sendable, by order: [Column] = [],
    frame: (row: Column, surface: Column)? = nil
  ) {
    (self.record, self.words) = (record, words)
    sort = { trace in
      if !order.isEmpty { trace[keyPath: table].sort(by: order) }
    }
    changeFrames = { trace, change in
      if let frame { trace[keyPath: table].changeFrames(frame.row, frame.surface, change) }
    }
    changeSurfaces = { trace, change in
      if let frame { trace[keyPath: table].changeReferences(frame.surface, change) }
    }
    reader = {
      var (reader, rows) = (NativeRowReader<Column>(record), Table<Column>())
      return NativeTableReader(
        read: { line, values in reader.read(line, into: &rows, &values) },
        readLike: { bytes, range in reader.readLike(bytes, range, into: &rows) },
        finish: { trace in
          if rows.count > 0 { trace[keyPath: table] = rows }
        })
    }
  }
}

/// Reads the records of a kind of factsand keeps the rows until all are read.
struct NativeTableReader {
  let read: (_ line: NativeLine, _ values: inout NativeValues) -> Void
  /// Reads a line if it has the form of the last line.
  let readLike: (_ bytes: [UInt8], _ range: Range<Int>) -> Bool
  /// Puts the rows into the trace.
  let finish: (_ trace: inout Trace) -> Void
}

/// The kinds of facts of a trace other than the frames of surfaces and the refreshes of displays.
package enum FactTables {
  /// Referenced tables come first.
  package static let all = [
    FactTable(
      .commit, "commits", \.commits, by: [.time], frame: (.frame, .surface)),
    FactTable(
      .touch, "touch samples", \.touches, by: [.delivered, .scanEnd, .scanStart],
      frame: (.frame, .surface)),
    FactTable(
      .buffer, "buffer events", \.bufferEvents, by: [.time],
      frame: (.frame, .surface)),
    FactTable(.layer, "layers", \.layers, frame: (.frame, .surface)),
    // The number of a launch without one is its position, which must not depend on the order of records.
    FactTable(
      .launch, "launches", \.launches, by: [.tapped, .started, .firstFrame, .exited]),
    FactTable(.phase, "launch phases", \.phases, by: [.start]),
    FactTable(.thread, "threads", \.threads),
    FactTable(
      .threadState, "thread states", \.threadStates, by: [.start]),
    FactTable(.call, "calls", \.calls, by: [.start]),
    FactTable(
      .pass, "offscreen passes", \.passes, by: [.start], frame: (.frame, .surface)),
    FactTable(.marker, "markers", \.markers, by: [.start]),
    FactTable(
      .hitch, "stated hitches", \.statedHitches, by: [.start],
      frame: (.frame, .surface)),
    FactTable(.hang, "hangs", \.hangs, by: [.start]),
    FactTable(
      .pageEvent, "page events", \.pageEvents, by: [.start]),
    FactTable(.figure, "stated figures", \.figures),
    FactTable(.bin, "histogram bins", \.bins),
  ]
}

extension Table {
  /// - Parameter change: The new row of a frame, from its row or number and the index of its surface.
  fileprivate mutating func changeFrames(
    _ frame: Column, _ surface: Column,
    _ change: (_ frame: Int64?, _ surface: Int64?) -> Int64?
  ) {
    guard has(frame) else { return }
    var rows = IntegerColumn()
    for row in 0..<count {
      rows.append(change(self[row, frame], self[row, surface]) ?? IntegerColumn.missing)
    }
    setStored(frame, rows)
  }

  /// Changes the references in a column, and removes the rows with a removed reference.
  fileprivate mutating func changeReferences(_ column: Column, _ change: (Int) -> Int?) {
    guard has(column) else { return }
    let rows = (0..<count).filter { row in
      self[row, column].map { change(Int($0)) != nil } ?? true
    }
    if rows.count < count { reorder(by: rows.map(Int32.init)) }
    guard let stored = stored(column) else { return }
    let missing = IntegerColumn.missing
    setStored(column, stored.mapped { $0 == missing ? missing : Int64(change(Int($0)) ?? 0) })
  }
}

/// A kind of fact: a table of a trace, with all that depends on which table it is.
///
/// The native and the packed format, databases, time ranges, references to frames, sorting and counts loop over
/// ``FactTables/all``. A new kind of fact is its columns, its property of ``Trace``, and a line there.
struct FactTable<Column: TableColumn>: FactTableKind {
  let record: NativeFormat.Record
  let databaseName, words: String
  let table: any WritableKeyPath<Trace, Table<Column>> & Sendable
  /// The columns by which rows are sorted; empty if their order means something.
  let order: [Column]
  /// The columns with a frame's row, and with the index of its surface; `nil` if it refers to none.
  let frame: (row: Column, surface: Column)?

  /// - Parameters:
  ///   - databaseName: Its name in databases.
  ///   - words: What its rows are, in the plural.
  init(
    _ record: NativeFormat.Record, _ databaseName: String, _ words: String,
    _ table: any WritableKeyPath<Trace, Table<Column>> & Sendable, by order: [Column] = [],
    frame: (row: Column, surface: Column)? = nil
  ) {
    (self.record, self.databaseName, self.words) = (record, databaseName, words)
    (self.table, self.order, self.frame) = (table, order, frame)
  }

  func visit(_ trace: Trace, _ visitor: inout some TableVisitor) {
    visitor.visit(trace[keyPath: table], at: TablePlace(record))
  }

  func edit<Editor: TableEditor>(
    _ trace: inout Trace, _ editor: inout Editor
  ) throws(Editor.Failure) { try editor.edit(&trace[keyPath: table]) }

  func sort(_ trace: inout Trace) {
    if !order.isEmpty { trace[keyPath: table].sort(by: order) }
  }

  func changeFrames(
    _ trace: inout Trace, _ change: (_ frame: Int64?, _ surface: Int64?) -> Int64?
  ) {
    if let frame { trace[keyPath: table].changeFrames(frame.row, frame.surface, change) }
  }

  func changeSurfaces(_ trace: inout Trace, _ change: (Int) -> Int?) {
    if let frame { trace[keyPath: table].changeReferences(frame.surface, change) }
  }

  var reader: any NativeTableReader { NativeRows(table, NativeRowReader<Column>(record)) }
}

/// A kind of fact, whatever its columns are.
package protocol FactTableKind: Sendable {
  /// The kind of its records in the native format.
  var record: NativeFormat.Record { get }
  /// Its name in databases.
  var databaseName: String { get }
  /// What its rows are, in the plural.
  var words: String { get }
  func visit(_ trace: Trace, _ visitor: inout some TableVisitor)
  func edit<Editor: TableEditor>(
    _ trace: inout Trace, _ editor: inout Editor) throws(Editor.Failure)
  /// Sorts the rows by time, if their order means nothing.
  func sort(_ trace: inout Trace)
  /// Changes the rows of frames that records refer to.
  func changeFrames(
    _ trace: inout Trace, _ change: (_ frame: Int64?, _ surface: Int64?) -> Int64?)
  /// Changes the surfaces that records refer to, and removes the records of those that are gone.
  func changeSurfaces(_ trace: inout Trace, _ change: (Int) -> Int?)
  /// Reads its records in the native format.
  var reader: any NativeTableReader { get }
}

/// The kinds of facts of a trace besides the frames of surfaces and the refreshes of displays.
package enum FactTables {
  /// Those first that others refer to.
  package static let all: [any FactTableKind] = [
    FactTable<CommitColumn>(
      .commit, "commits", "commits", \.commits, by: [.time], frame: (.frame, .surface)),
    FactTable<TouchColumn>(
      .touch, "touches", "touch samples", \.touches, by: [.delivered, .scanEnd, .scanStart],
      frame: (.frame, .surface)),
    FactTable<BufferColumn>(
      .buffer, "buffer_events", "buffer events", \.bufferEvents, by: [.time],
      frame: (.frame, .surface)),
    FactTable<LayerColumn>(.layer, "layers", "layers", \.layers, frame: (.frame, .surface)),
    // A launch without a number is numbered by its place, which must not depend on the order of records.
    FactTable<LaunchColumn>(
      .launch, "launches", "launches", \.launches, by: [.tapped, .started, .firstFrame, .exited]),
    FactTable<PhaseColumn>(.phase, "phases", "launch phases", \.phases, by: [.start]),
    FactTable<ThreadColumn>(.thread, "threads", "threads", \.threads),
    FactTable<ThreadStateColumn>(
      .threadState, "thread_states", "thread states", \.threadStates, by: [.start]),
    FactTable<CallColumn>(.call, "calls", "calls", \.calls, by: [.start]),
    FactTable<PassColumn>(
      .pass, "passes", "offscreen passes", \.passes, by: [.start], frame: (.frame, .surface)),
    FactTable<MarkerColumn>(.marker, "markers", "markers", \.markers, by: [.start]),
    FactTable<HitchColumn>(
      .hitch, "stated_hitches", "stated hitches", \.statedHitches, by: [.start],
      frame: (.frame, .surface)),
    FactTable<HangColumn>(.hang, "hangs", "hangs", \.hangs, by: [.start]),
    FactTable<PageEventColumn>(
      .pageEvent, "page_events", "page events", \.pageEvents, by: [.start]),
    FactTable<FigureColumn>(.figure, "figures", "stated figures", \.figures),
    FactTable<BinColumn>(.bin, "bins", "histogram bins", \.bins),
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

  /// Changes what a column refers to, and removes the rows whose reference is gone.
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

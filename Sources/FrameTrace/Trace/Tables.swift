/// The place of a table in a trace: the kind of its records, and the display or surface that it belongs to.
package struct TablePlace: Hashable {
  package let record: NativeFormat.Record
  /// The index of the display whose refreshes, or of the surface whose frames it has; `nil` for other tables.
  let owner: Int?

  init(_ record: NativeFormat.Record, of owner: Int? = nil) {
    (self.record, self.owner) = (record, owner)
  }
}

/// Something that is done with tables, whatever their columns are.
package protocol TableVisitor {
  mutating func visit<Column>(_ table: Table<Column>, at place: TablePlace)
}

/// Something that changes a table, whatever its columns are.
package protocol TableEditor {
  associatedtype Failure: Error
  mutating func edit<Column>(_ table: inout Table<Column>) throws(Failure)
}

extension Trace {
  /// Visits all tables, those first that others refer to.
  package func visitTables(_ visitor: inout some TableVisitor) {
    for index in displays.indices {
      visitor.visit(displays[index].refreshes, at: TablePlace(.refresh, of: index))
    }
    for index in surfaces.indices {
      visitor.visit(surfaces[index].frames, at: TablePlace(.frame, of: index))
    }
    for kind in FactTables.all { kind.visit(self, &visitor) }
  }

  /// Changes one table.
  /// - Returns: `false` if there is no such table.
  mutating func edit<Editor: TableEditor>(
    _ place: TablePlace, _ editor: inout Editor
  ) throws(Editor.Failure) -> Bool {
    switch (place.record, place.owner) {
    case (.refresh, let index?) where displays.indices.contains(index):
      try editor.edit(&displays[index].refreshes)
    case (.frame, let index?) where surfaces.indices.contains(index):
      try editor.edit(&surfaces[index].frames)
    case (let record, nil):
      guard let kind = FactTables.all.first(where: { $0.record == record }) else { return false }
      try kind.edit(&self, &editor)
    default: return false
    }
    return true
  }
}

extension TraceBuilder {
  /// Converts the numbers by which records refer to frames into rows, and notes those of frames that do not exist.
  /// - Parameter row: The row of a frame by its number and the index of its surface; `nil` if there is none.
  mutating func resolveFrames(
    _ row: (_ number: Int64, _ surface: Int) -> Int?, _ log: inout IssueLog
  ) {
    // A record without a surface belongs to the only one.
    let only: Int64? = trace.surfaces.count == 1 ? 0 : nil
    for kind in FactTables.all {
      kind.changeFrames(&trace) { number, surface in
        let owner = (surface ?? only).map(Int.init)
        let found = number.flatMap { number in owner.flatMap { row(number, $0) } }
        if number != nil, found == nil {
          log.note(.brokenReference, .dataLoss, "references to a frame that does not exist")
        }
        return found.map(Int64.init)
      }
    }
  }
}

/// The position of a table in a trace: the kind of its records, and the display or surface that it belongs to.
package struct TablePosition: Hashable {
  package let record: NativeFormat.Record
  /// The index of the display (for refreshes) or of the surface (for frames) that the table belongs to; `nil` for other
  /// tables.
  let owner: Int?

  init(_ record: NativeFormat.Record, of owner: Int? = nil) {
    (self.record, self.owner) = (record, owner)
  }
}

/// An operation on tables with any kind of columns.
package protocol TableVisitor {
  mutating func visit<Column>(_ table: Table<Column>, at position: TablePosition)
}

/// An operation that changes a table with any kind of columns.
protocol TableEditor {
  associatedtype Failure: Error
  mutating func edit<Column>(_ table: inout Table<Column>) throws(Failure)
}

extension Trace {
  /// Visits all tables, referenced tables first.
  package func visitTables(_ visitor: inout some TableVisitor) {
    for index in displays.indices {
      visitor.visit(displays[index].refreshes, at: TablePosition(.refresh, of: index))
    }
    for index in surfaces.indices {
      visitor.visit(surfaces[index].frames, at: TablePosition(.frame, of: index))
    }
    visitor.visit(commits, at: TablePosition(.commit))
    visitor.visit(touches, at: TablePosition(.touch))
    visitor.visit(bufferEvents, at: TablePosition(.buffer))
    visitor.visit(layers, at: TablePosition(.layer))
    visitor.visit(launches, at: TablePosition(.launch))
    visitor.visit(phases, at: TablePosition(.phase))
    visitor.visit(threads, at: TablePosition(.thread))
    visitor.visit(threadStates, at: TablePosition(.threadState))
    visitor.visit(calls, at: TablePosition(.call))
    visitor.visit(passes, at: TablePosition(.pass))
    visitor.visit(markers, at: TablePosition(.marker))
    visitor.visit(statedHitches, at: TablePosition(.hitch))
    visitor.visit(hangs, at: TablePosition(.hang))
    visitor.visit(pageEvents, at: TablePosition(.pageEvent))
    visitor.visit(figures, at: TablePosition(.figure))
    visitor.visit(bins, at: TablePosition(.bin))
  }

  /// Changes one table.
  /// - Returns: `false` if there is no such table.
  mutating func edit<Editor: TableEditor>(
    _ position: TablePosition, _ editor: inout Editor
  ) throws(Editor.Failure) -> Bool {
    switch (position.record, position.owner) {
    case (.refresh, let index?) where displays.indices.contains(index):
      try editor.edit(&displays[index].refreshes)
    case (.frame, let index?) where surfaces.indices.contains(index):
      try editor.edit(&surfaces[index].frames)
    case (.commit, nil): try editor.edit(&commits)
    case (.touch, nil): try editor.edit(&touches)
    case (.buffer, nil): try editor.edit(&bufferEvents)
    case (.layer, nil): try editor.edit(&layers)
    case (.launch, nil): try editor.edit(&launches)
    case (.phase, nil): try editor.edit(&phases)
    case (.thread, nil): try editor.edit(&threads)
    case (.threadState, nil): try editor.edit(&threadStates)
    case (.call, nil): try editor.edit(&calls)
    case (.pass, nil): try editor.edit(&passes)
    case (.marker, nil): try editor.edit(&markers)
    case (.hitch, nil): try editor.edit(&statedHitches)
    case (.hang, nil): try editor.edit(&hangs)
    case (.pageEvent, nil): try editor.edit(&pageEvents)
    case (.figure, nil): try editor.edit(&figures)
    case (.bin, nil): try editor.edit(&bins)
    default: return false
    }
    return true
  }
}

extension TraceBuilder {
  /// Converts the numbers by which records refer to frames into rows and notes numbers of frames that do not exist.
  /// - Parameter row: The row of a frame by the frame's number and the index of its surface; `nil` if there is none.
  mutating func resolveFrames(
    _ row: (_ number: Int64, _ surface: Int) -> Int?, _ log: inout IssueLog
  ) {
    // A record without a surface belongs to the only surface.
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

import FrameAnalysis
import FrameTrace

/// What the source recorded, as tables of a database: the model's columns under their model names.
struct RecordedTables {
  let all: [SQLTable]

  init(_ exported: Study) {
    let trace = exported.trace
    all =
      [
        Self.about(trace), Self.surfaces(exported), Self.frames(exported),
        Self.refreshes(trace), Self.table("commits", trace.commits),
        Self.table("touches", trace.touches), Self.table("buffer_events", trace.bufferEvents),
        Self.table("layers", trace.layers), Self.table("launches", trace.launches),
        Self.table("phases", trace.phases), Self.table("threads", trace.threads),
        Self.table("thread_states", trace.threadStates), Self.table("calls", trace.calls),
        Self.table("passes", trace.passes),
        Self.table("markers", trace.markers), Self.table("stated_hitches", trace.statedHitches),
        Self.table("hangs", trace.hangs), Self.table("page_events", trace.pageEvents),
        Self.table("figures", trace.figures),
        Self.table("bins", trace.bins),
        Self.telemetry(trace), Self.issues(trace),
      ]
  }

  private static func about(_ trace: Trace) -> SQLTable {
    let provenance = trace.provenance
    let facts: [(key: String, value: String?)] = [
      ("file", provenance.file), ("importer", provenance.importer), ("format", provenance.format),
      ("clock", trace.clocks.first?.name),
      ("start_ns", trace.timeRange.map { "\($0.lowerBound.nanoseconds)" }),
      ("end_ns", trace.timeRange.map { "\($0.upperBound.nanoseconds)" }),
      ("version", "\(SQLiteExport.version)"),
    ]
    let columns: [ResultColumn<(key: String, value: String?)>] = [
      .text("key", "the fact's name", \.key), .text("value", "its value", \.value),
    ]
    return SQLTable(name: "trace", columns, count: facts.count) { facts[$0] }
  }

  private static func surfaces(_ exported: Study) -> SQLTable {
    let columns: [ResultColumn<(index: Int, surface: Surface)>] = [
      .integer("surface", "its number, used by the other tables", \.index),
      .text("id", "its id in the source", \.surface.id),
      .text("name", "its name", \.surface.name),
      .text("process", "the process it belongs to", \.surface.process),
      .integer("pid", "the process ID", \.surface.processID),
      .integer("display", "the number of the display it is on", \.surface.display),
      .text("buffer_owner", "who draws into its buffers") { $0.surface.bufferOwner?.rawValue },
    ]
    return SQLTable(name: "surfaces", columns, count: exported.surfaces.count) { row in
      let index = exported.surfaces[row]
      return (index, exported.trace.surfaces[index])
    }
  }

  /// The frames of all surfaces in one table.
  private static func frames(_ exported: Study) -> SQLTable {
    let surfaces = exported.trace.surfaces
    let rows = exported.surfaces.flatMap { surface in
      (0..<surfaces[surface].frames.count).map { (surface, $0) }
    }
    let used = FrameColumn.allCases.filter { column in
      exported.surfaces.contains { surfaces[$0].frames.has(column) }
    }
    let columns: [ResultColumn<PartRow<FrameColumn>>] =
      [
        .integer("surface", "the number of the surface", \.part.number),
        .integer("frame", "its index among the surface's frames, from 0", \.row),
      ] + used.map(PartRow.column)
    let parts = surfaces.enumerated().map { Part($0.offset, $0.element.frames) }
    return SQLTable(name: "frames", columns, count: rows.count) { index in
      let (surface, row) = rows[index]
      return PartRow(part: parts[surface], row: row)
    }
  }

  private static func refreshes(_ trace: Trace) -> SQLTable {
    let rows = trace.displays.enumerated().flatMap { index, display in
      (0..<display.refreshes.count).map { (index, $0) }
    }
    let columns: [ResultColumn<PartRow<RefreshColumn>>] =
      [.integer("display", "the number of the display", \.part.number)]
      + RefreshColumn.allCases.map(PartRow.column)
    let parts = trace.displays.enumerated().map { Part($0.offset, $0.element.refreshes) }
    return SQLTable(name: "refreshes", columns, count: rows.count) { index in
      let (display, row) = rows[index]
      return PartRow(part: parts[display], row: row)
    }
  }

  private static func telemetry(_ trace: Trace) -> SQLTable {
    let rows = trace.telemetry.flatMap { series in series.times.indices.map { (series, $0) } }
    let columns: [ResultColumn<(series: TelemetrySeries, row: Int)>] = [
      .text("name", "the sensor's name in the source", \.series.name),
      .text("unit", "its unit in the source", \.series.unit),
      .text("source", "where it was read", \.series.source),
      .instant("time", "the time of the reading") { $0.series.times[$0.row] },
      .real("value", "the reading") { $0.series.values[$0.row] },
    ]
    return SQLTable(name: "telemetry", columns, count: rows.count) { rows[$0] }
  }

  private static func issues(_ trace: Trace) -> SQLTable {
    SQLTable(name: "issues", TraceIssue.columns, count: trace.issues.count) { trace.issues[$0] }
  }
}

extension RecordedTables {
  /// A table of the model with all its columns.
  private static func table<Column: TableColumn>(_ name: String, _ table: Table<Column>) -> SQLTable
  {
    let columns: [ResultColumn<PartRow<Column>>] =
      [.integer("row", "its index in the table, from 0", \.row)]
      + Column.allCases.map(PartRow.column)
    let part = Part(0, table)
    return SQLTable(name: name, columns, count: table.count) { PartRow(part: part, row: $0) }
  }
}

/// One of the model's tables; a trace may have several, one for each surface or display.
private final class Part<Column: TableColumn>: Sendable {
  /// The index of the surface or display.
  let number: Int
  let table: Table<Column>

  init(_ number: Int, _ table: Table<Column>) { (self.number, self.table) = (number, table) }
}

/// A row of such a table.
private struct PartRow<Column: TableColumn>: Sendable {
  let part: Part<Column>
  let row: Int

  /// A column of the model, by its name in snake case.
  static func column(_ column: Column) -> ResultColumn<PartRow> {
    let schema = column.schema
    let key = schema.key.reduce(into: "") { key, character in
      key += character.isUppercase ? "_\(character.lowercased())" : String(character)
    }
    switch schema.kind {
    case .time:
      return .instant(key, schema.summary) {
        $0.part.table[$0.row, column].map(Timestamp.init(nanoseconds:))
      }
    case .duration:
      return .length(key, schema.summary) { $0.part.table[$0.row, column].map { Nanoseconds($0) } }
    case .choice, .text: return .text(key, schema.summary) { $0.part.table.text($0.row, column) }
    case .real: return .real(key, schema.summary) { $0.part.table.real($0.row, column) }
    case .count, .identifier, .flag, .surface, .frame:
      return .integer(key, schema.summary) { $0.part.table[$0.row, column] }
    }
  }
}

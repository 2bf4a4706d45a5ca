import FrameAnalysis
import FrameTrace

/// What the source recorded, as tables of a database: the model's own columns, by their names.
struct FactTables {
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
        Self.table("hangs", trace.hangs), Self.table("figures", trace.figures),
        Self.table("bins", trace.bins),
        Self.telemetry(trace), Self.issues(trace),
      ]
  }

  private static func about(_ trace: Trace) -> SQLTable {
    let provenance = trace.provenance
    let rows: [(String, String?)] = [
      ("file", provenance.file), ("importer", provenance.importer), ("format", provenance.format),
      ("clock", trace.clocks.first?.name),
      ("start_ns", trace.timeRange.map { "\($0.lowerBound.nanoseconds)" }),
      ("end_ns", trace.timeRange.map { "\($0.upperBound.nanoseconds)" }),
      ("version", "\(SQLiteExport.version)"),
    ]
    return SQLTable(
      name: "trace",
      columns: [.init("key", "TEXT", "the fact's name"), .init("value", "TEXT", "what it is")],
      count: rows.count
    ) { [SQLiteValue(rows[$0].0), SQLiteValue(rows[$0].1)] }
  }

  private static func surfaces(_ exported: Study) -> SQLTable {
    SQLTable(
      name: "surfaces",
      columns: [
        .init("surface", "INTEGER", "its number, by which other tables name it"),
        .init("id", "TEXT", "its id in the source"), .init("name", "TEXT", "its name"),
        .init("process", "TEXT", "the process it belongs to"),
        .init("pid", "INTEGER", "that process's number"),
        .init("display", "INTEGER", "the display it is on, by its number"),
        .init("buffer_owner", "TEXT", "who draws into its buffers"),
      ], count: exported.surfaces.count
    ) { place in
      let index = exported.surfaces[place]
      let surface = exported.trace.surfaces[index]
      return [
        SQLiteValue(index), SQLiteValue(surface.id), SQLiteValue(surface.name),
        SQLiteValue(surface.process), SQLiteValue(surface.processID),
        SQLiteValue(surface.display), SQLiteValue(surface.bufferOwner?.rawValue),
      ]
    }
  }

  /// The frames of all surfaces in one table.
  private static func frames(_ exported: Study) -> SQLTable {
    let places = exported.surfaces.flatMap { surface in
      (0..<exported.trace.surfaces[surface].frames.count).map { (surface, $0) }
    }
    let used = FrameColumn.allCases.filter { column in
      exported.surfaces.contains { exported.trace.surfaces[$0].frames.has(column) }
    }
    return SQLTable(
      name: "frames",
      columns: [
        .init("surface", "INTEGER", "the surface, by its number"),
        .init("frame", "INTEGER", "its place among the surface's frames, from 0"),
      ] + used.map { column($0.schema) }, count: places.count
    ) { index in
      let (surface, row) = places[index]
      let table = exported.trace.surfaces[surface].frames
      return [SQLiteValue(surface), SQLiteValue(row)] + used.map { cell(table, row, $0) }
    }
  }

  private static func refreshes(_ trace: Trace) -> SQLTable {
    let places = trace.displays.enumerated().flatMap { index, display in
      (0..<display.refreshes.count).map { (index, $0) }
    }
    return SQLTable(
      name: "refreshes",
      columns: [.init("display", "INTEGER", "the display, by its number")]
        + RefreshColumn.schemas.map(column), count: places.count
    ) { index in
      let (display, row) = places[index]
      let table = trace.displays[display].refreshes
      return [SQLiteValue(display)] + RefreshColumn.allCases.map { cell(table, row, $0) }
    }
  }

  private static func telemetry(_ trace: Trace) -> SQLTable {
    let places = trace.telemetry.enumerated().flatMap { index, series in
      series.times.indices.map { (index, $0) }
    }
    return SQLTable(
      name: "telemetry",
      columns: [
        .init("name", "TEXT", "the sensor as the source spells it"),
        .init("unit", "TEXT", "its unit as the source states it"),
        .init("time_ns", "INTEGER", "when it was read"), .init("value", "REAL", "what it read"),
      ], count: places.count
    ) { index in
      let series = trace.telemetry[places[index].0]
      let row = places[index].1
      return [
        SQLiteValue(series.name), SQLiteValue(series.unit), SQLiteValue(series.times[row]),
        .real(series.values[row]),
      ]
    }
  }

  private static func issues(_ trace: Trace) -> SQLTable {
    SQLTable(
      name: "issues",
      columns: [
        .init("kind", "TEXT", "what it is about"), .init("severity", "TEXT", "how much it matters"),
        .init("count", "INTEGER", "how often it happened"),
        .init("message", "TEXT", "what was skipped, repaired or assumed"),
      ], count: trace.issues.count
    ) { index in
      let issue = trace.issues[index]
      return [
        SQLiteValue(issue.kind.rawValue), SQLiteValue(issue.severity.rawValue),
        SQLiteValue(issue.count), SQLiteValue(issue.message),
      ]
    }
  }
}

extension FactTables {
  /// A table of the model with all its columns.
  private static func table<Column: TableColumn>(_ name: String, _ table: Table<Column>) -> SQLTable
  {
    let columns = Array(Column.allCases)
    let place = SQLTable.Column("row", "INTEGER", "its place in the table, from 0")
    return SQLTable(
      name: name, columns: [place] + Column.schemas.map(column), count: table.count
    ) { row in [SQLiteValue(row)] + columns.map { cell(table, row, $0) } }
  }

  private static func column(_ schema: ColumnSchema) -> SQLTable.Column {
    let name = schema.key.reduce(into: "") { name, character in
      name += character.isUppercase ? "_\(character.lowercased())" : String(character)
    }
    switch schema.kind {
    case .time, .duration: return .init("\(name)_ns", "INTEGER", schema.summary)
    case .choice, .text: return .init(name, "TEXT", schema.summary)
    case .real: return .init(name, "REAL", schema.summary)
    case .count, .identifier, .flag, .surface, .frame:
      return .init(name, "INTEGER", schema.summary)
    }
  }

  private static func cell<Column: TableColumn>(
    _ table: Table<Column>, _ row: Int, _ column: Column
  ) -> SQLiteValue {
    switch column.schema.kind {
    case .choice, .text: SQLiteValue(table.text(row, column))
    case .real: table.real(row, column).map(SQLiteValue.real) ?? .missing
    default: SQLiteValue(table[row, column])
    }
  }
}

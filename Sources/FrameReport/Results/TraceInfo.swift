import FrameTrace

/// A description of a trace: what it is, how it was read and what it can answer.
package enum TraceInfo {
  /// The facts that take one line each.
  private static func facts(_ trace: Trace) -> [(name: String, value: String)] {
    let provenance = trace.provenance
    var facts = [
      ("file", provenance.file), ("format", provenance.format),
      ("importer", "\(provenance.importer), because \(provenance.reason)"),
    ]
    if let compression = provenance.compression {
      facts.append(("compression", compression.rawValue))
    }
    facts += provenance.companions.map { ("read with it", $0) }
    if let origin = provenance.origin { facts.append(("made from", origin)) }
    if let range = trace.timeRange {
      let seconds = FixedNumber.text(
        (range.upperBound - range.lowerBound).seconds, decimals: 3)
      facts.append(
        (
          "time",
          "\(seconds) s, from \(range.lowerBound.nanoseconds) to \(range.upperBound.nanoseconds) ns"
        ))
    }
    facts += trace.clocks.map { ("clock", clock($0)) }
    facts += trace.displays.map { ("display", display($0)) }
    for condition in Setting.Condition.allCases {
      if let value = trace.setting.conditions[condition] { facts.append((condition.words, value)) }
    }
    facts += counts(trace).map { ("records", "\($0.count) \($0.what)") }
    return facts
  }

  private static func clock(_ clock: ClockDomain) -> String {
    var parts = [
      clock.name,
      clock.join == .traceClock ? "the trace clock" : "joined as \(clock.join.rawValue)",
    ]
    if let offset = clock.offset { parts.append("\(offset.count) ns before the trace clock") }
    if let resolution = clock.resolution { parts.append("in steps of \(resolution.count) ns") }
    return parts.joined(separator: ", ")
  }

  private static func display(_ display: Display) -> String {
    var parts = [display.id, "\(display.refreshes.count) refreshes"]
    if let interval = display.interval {
      parts.append(
        "stated refresh interval \(FixedNumber.text(interval.milliseconds, decimals: 3)) ms")
    }
    if display.isVariable == true { parts.append("variable refresh rate") }
    return parts.joined(separator: ", ")
  }

  /// The number of records of each kind; absent kinds are omitted.
  static func counts(_ trace: Trace) -> [(what: String, count: Int)] {
    var counts = RowCounts()
    trace.visitTables(&counts)
    let tables = FactTables.all.map { (what: $0.words, count: counts.rows[$0.record] ?? 0) }
    let readings = trace.telemetry.reduce(0) { $0 + $1.times.count }
    return ([("frames", trace.frameCount)] + tables + [("sensor readings", readings)])
      .filter { $0.count > 0 }
  }
}

extension TraceInfo {
  /// The description of a trace.
  static func document(_ trace: Trace) -> Document {
    var document = Document()
    document.add(.facts(facts(trace)))
    document.add(.table(surfaces(trace), .titled("surfaces")))
    document.add(.heading("can answer"))
    document.add(.list(answers(trace)))
    let extras = extras(trace)
    if !extras.isEmpty {
      document.add(.heading("additional data"))
      document.add(.list([extras.joined(separator: ", ")]))
    }
    if !trace.issues.isEmpty {
      document.add(.heading("about the input"))
      document.add(.list(trace.issueLines))
    }
    return document
  }

  private static func surfaces(_ trace: Trace) -> TextTable {
    var table = TextTable([
      ("id", .left), ("process", .left), ("frames", .right), ("columns", .left),
    ])
    for surface in trace.surfaces {
      let columns = FrameColumn.allCases.filter(surface.frames.has).map(\.schema.key)
      let process = surface.process ?? surface.processID.map { "\($0)" } ?? ""
      table.append([surface.id, process, "\(surface.frames.count)", columns.joined(separator: " ")])
    }
    return table
  }

  private static func answers(_ trace: Trace) -> [String] {
    Capability.allCases.filter(trace.capabilities.contains).map(\.summary)
  }

  private static func extras(_ trace: Trace) -> [String] {
    var names: [String] = []
    for extra in trace.surfaces.flatMap(\.frames.extras) {
      let name = extra.name + (extra.unit.map { " in \($0)" } ?? "")
      if !names.contains(name) { names.append(name) }
    }
    return names + trace.telemetry.map { $0.name + ($0.unit.map { " in \($0)" } ?? "") }
  }
}

extension TraceInfo {
  /// The descriptions of traces, as a table for spreadsheets.
  static func rows(_ traces: [Trace]) -> [[String]] {
    var rows = [["file", "what", "value"]]
    for trace in traces {
      let file = trace.provenance.file
      rows += facts(trace).map { [file, $0.name, $0.value] }
      rows += answers(trace).map { [file, "can answer", $0] }
      rows += trace.issueLines.map { [file, "issue", $0] }
    }
    return rows
  }

  static let schema = "frametool.info/1"

  /// The descriptions of traces, as data.
  static func record(_ traces: [Trace]) -> FieldRecord {
    if traces.count == 1 { return FieldRecord(fields, of: traces[0]) }
    return FieldRecord(
      [.schema(schema), .rows("traces", fields, "each trace") { $0 }], of: traces)
  }

  static let fields: [ResultColumn<Trace>] = [
    .schema(schema), .text("file", "its name", \.provenance.file),
    .text("importer", "the format that was detected", \.provenance.importer),
    .text("format", "the format in words", \.provenance.format),
    .text("reason", "why that format", \.provenance.reason),
    .text("compression", "how it is compressed", \.provenance.compression?.rawValue).ifAny,
    .text("made_from", "the file that it was converted from", \.provenance.origin).ifAny,
    .texts("read_beside", "files that were read with it") {
      $0.provenance.companions.isEmpty ? nil : $0.provenance.companions
    }.ifAny,
    .integer("start_ns", "its first time", \.timeRange?.lowerBound.nanoseconds)
      .otherwise(untimed),
    .integer("end_ns", "its last time", \.timeRange?.upperBound.nanoseconds).otherwise(untimed),
    .texts("clocks", "the clocks of its times") { $0.clocks.map(\.name) },
    .map("records", .integer, "how many records of each kind there are") { trace in
      FieldRecord { for (what, count) in counts(trace) { $0.add(what, count) } }
    },
    .rows(
      "surfaces",
      [
        .text("id", "its name in the trace", \.id),
        .text("process", "its process", \.process).otherwise(unnamed),
        .integer("pid", "the number of the process", \.processID).otherwise(unnamed),
        .integer("frames", "how many frames it has", \.frames.count),
        .texts("columns", "what is recorded of frames") { surface in
          FrameColumn.allCases.filter(surface.frames.has).map(\.schema.key)
        },
      ], "each surface", \.surfaces),
    .texts(
      "capabilities", "what it can answer", among: Capability.allCases.map(\.rawValue),
      \.capabilityNames),
    .rows("issues", TraceIssue.columns, "what was skipped, repaired or assumed", \.issues),
  ]

  private static let untimed = "nothing in the trace has a time"
  private static let unnamed = "the source does not name it"
}

/// Counts the rows of tables.
private struct RowCounts: TableVisitor {
  var rows: [NativeFormat.Record: Int] = [:]

  mutating func visit<Column>(_ table: Table<Column>, at position: TablePosition) {
    rows[position.record, default: 0] += table.count
  }
}

/// Writes a trace in the native format, in nanoseconds; the same trace always gives the same bytes.
public struct NativeWriter {
  private let trace: Trace
  private var json = JSONWriter(indented: false)
  private let sink: ([UInt8]) -> Void
  /// How records refer to the frames of each surface.
  private let numberings: [FrameNumbering]

  /// - Parameter sink: Receives the bytes piece by piece.
  public init(_ trace: Trace, to sink: @escaping ([UInt8]) -> Void) {
    self.trace = trace
    self.sink = sink
    numberings = trace.surfaces.map { FrameNumbering($0.frames) }
  }

  /// Writes everything.
  public mutating func write() {
    writeFacts(withColumns: true)
    let trace = trace
    trace.visitTables(&self)
    writeReadings()
    flush(always: true)
  }

  /// Writes everything but the rows of tables.
  mutating func writeWithoutRows() {
    writeFacts(withColumns: false)
    writeReadings()
    flush(always: true)
  }

  /// - Parameter withColumns: Whether to declare the columns outside of the model that rows have.
  private mutating func writeFacts(withColumns: Bool) {
    writeHeader()
    if trace.setting != .unknown { write(trace.setting) }
    for clock in trace.clocks { write { $0.record(clock) } }
    for display in trace.displays { write { $0.record(display) } }
    for surface in trace.surfaces {
      write(surface)
      if withColumns { declareColumns(of: surface) }
    }
  }

  private mutating func writeReadings() {
    for series in trace.telemetry { write(series) }
    for issue in trace.issues { write { $0.record(issue) } }
  }

  private mutating func write(_ body: (inout JSONWriter) -> Void) {
    body(&json)
    flush(always: false)
  }

  private mutating func flush(always: Bool) {
    if always || json.bytes.count > 1 << 16 { sink(json.takeBytes()) }
  }
}

extension NativeWriter {
  private mutating func writeHeader() {
    let origin =
      trace.provenance.origin ?? "\(trace.provenance.importer): \(trace.provenance.format)"
    write { $0.header(origin: origin) }
  }

  private mutating func write(_ setting: Setting) {
    write { json in
      json.record(.setting) { json in
        json.member("origin", setting.origin.rawValue)
        json.memberIfAny("device", setting.device)
        json.memberIfAny("system", setting.system)
        json.memberIfAny("version", setting.version)
        json.memberIfAny("date", setting.date)
        for condition in Setting.Condition.allCases {
          json.memberIfAny(condition.rawValue, setting.conditions[condition])
        }
      }
    }
  }

  private mutating func write(_ surface: Surface) {
    let display = surface.display.map { trace.displays[$0].id }
    write { $0.record(surface, on: display) }
  }

  private mutating func declareColumns(of surface: Surface) {
    for extra in surface.frames.extras where extra.valueCount > 0 {
      write { json in
        json.record(.column) { json in
          json.member("surface", surface.id)
          json.member("name", extra.name)
          json.memberIfAny("unit", extra.unit)
        }
      }
    }
  }

  private mutating func write(_ series: TelemetrySeries) {
    for (time, value) in zip(series.times, series.values) {
      write { json in
        json.record(series, time, value)
      }
    }
  }
}

extension NativeWriter: TableVisitor {
  package mutating func visit<Column>(_ table: Table<Column>, at position: TablePosition) {
    let owner: (key: String, id: String)? = position.owner.map { index in
      position.record == .refresh
        ? ("display", trace.displays[index].id) : ("surface", trace.surfaces[index].id)
    }
    let beginning = Self.members { json in
      json.record(position.record) { json in
        if let owner { json.member(owner.key, owner.id) }
      }
    }
    let columns = Column.allCases.filter(table.has).map { ($0, JSONWriter.Key($0.schema.key)) }
    let extras = table.extras.map { JSONWriter.Key($0.name) }
    for row in 0..<table.count {
      write { [trace, numberings] json in
        json.object(beginning: beginning) { json in
          for (column, key) in columns {
            guard let value = table[row, column] else { continue }
            json.key(key)
            trace.writeValue(value, of: table, row, column, numberings, to: &json)
          }
          table.writeExtras(row, named: extras, to: &json)
        }
        json.endLine()
      }
    }
  }

  /// The members of a record, without its braces and its line feed.
  private static func members(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter(indented: false)
    write(&json)
    return Array(json.bytes.dropFirst().dropLast(2))
  }
}

extension Trace {
  fileprivate func writeValue<Column: TableColumn>(
    _ value: Int64, of table: Table<Column>, _ row: Int, _ column: Column,
    _ numberings: [FrameNumbering], to json: inout JSONWriter
  ) {
    switch column.schema.kind {
    case .time, .duration, .count, .identifier: json.value(value)
    case .flag: json.value(value != 0)
    case .choice(let words): json.value(words[Int(value)])
    case .text: json.value(table.texts[value])
    case .real: json.value(Double(bitPattern: UInt64(bitPattern: value)))
    case .surface: json.value(surfaces[Int(value)].id)
    case .frame:
      let surface = table.surface(row)
      json.value(surface.map { numberings[Int($0)].number(of: Int(value)) } ?? value)
    }
  }
}

extension Table {
  /// The surface the row refers to; `nil` if it names none.
  func surface(_ row: Int) -> Int64? {
    let column = Column.allCases.first { $0.schema.kind == .surface }
    return column.flatMap { self[row, $0] }
  }

  fileprivate func writeExtras(
    _ row: Int, named keys: [JSONWriter.Key], to json: inout JSONWriter
  ) {
    guard extras.contains(where: { !$0.isMissing(row) }) else { return }
    json.key("extra")
    json.object { json in
      for (extra, key) in zip(extras, keys) {
        switch extra.values {
        case .integers(let column):
          guard let number = column[row] else { continue }
          json.key(key)
          json.value(number)
        case .reals(let numbers):
          guard !numbers[row].isNaN else { continue }
          json.key(key)
          json.value(numbers[row])
        case .texts(let column, let texts):
          guard let text = column[row] else { continue }
          json.key(key)
          json.value(texts[text])
        }
      }
    }
  }
}

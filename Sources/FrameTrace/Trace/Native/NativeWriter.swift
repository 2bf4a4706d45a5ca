/// Writes a trace in the native format, in nanoseconds, the same bytes for the same trace.
public struct NativeWriter {
  private let trace: Trace
  private var json = JSONWriter(indented: false)
  private let sink: ([UInt8]) -> Void
  /// How records refer to the frames of each surface.
  private let numberings: [FrameNumbering]

  /// - Parameter sink: Is given the bytes piece by piece.
  public init(_ trace: Trace, to sink: @escaping ([UInt8]) -> Void) {
    self.trace = trace
    self.sink = sink
    numberings = trace.surfaces.map { FrameNumbering($0.frames) }
  }

  /// Writes everything.
  public mutating func write() {
    writeHeader()
    if trace.setting != .unknown { write(trace.setting) }
    for clock in trace.clocks { write { $0.record(clock) } }
    for display in trace.displays { write { $0.record(display) } }
    for surface in trace.surfaces { write(surface) }
    writeTables()
    for series in trace.telemetry { write(series) }
    for issue in trace.issues { write { $0.record(issue) } }
    flush(always: true)
  }

  private mutating func writeTables() {
    for display in trace.displays {
      write(display.refreshes, .refresh, in: ("display", display.id))
    }
    for surface in trace.surfaces { write(surface.frames, .frame, in: ("surface", surface.id)) }
    write(trace.commits, .commit)
    write(trace.touches, .touch)
    write(trace.bufferEvents, .buffer)
    write(trace.layers, .layer)
    write(trace.launches, .launch)
    write(trace.phases, .phase)
    write(trace.threads, .thread)
    write(trace.threadStates, .threadState)
    write(trace.calls, .call)
    write(trace.passes, .pass)
    write(trace.markers, .marker)
    write(trace.statedHitches, .hitch)
    write(trace.hangs, .hang)
    write(trace.pageEvents, .pageEvent)
    write(trace.figures, .figure)
    write(trace.bins, .bin)
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

extension NativeWriter {
  /// Writes the rows of a table, which may belong to a display or surface.
  private mutating func write<Column: TableColumn>(
    _ table: Table<Column>, _ type: NativeFormat.Record, in owner: (key: String, id: String)? = nil
  ) {
    let columns = Column.allCases.filter(table.has)
    for row in 0..<table.count {
      write { [trace, numberings] json in
        json.record(type) { json in
          if let owner { json.member(owner.key, owner.id) }
          for column in columns {
            guard let value = table[row, column] else { continue }
            json.key(column.schema.key)
            trace.writeValue(value, of: table, row, column, numberings, to: &json)
          }
          table.writeExtras(row, to: &json)
        }
      }
    }
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
  /// The surface the row refers to; `nil` when it names none.
  func surface(_ row: Int) -> Int64? {
    let column = Column.allCases.first { $0.schema.kind == .surface }
    return column.flatMap { self[row, $0] }
  }

  fileprivate func writeExtras(_ row: Int, to json: inout JSONWriter) {
    guard extras.contains(where: { $0.text(row) != nil }) else { return }
    json.key("extra")
    json.object { json in
      for extra in extras {
        switch extra.values {
        case .integers(let column): json.memberIfAny(extra.name, column[row])
        case .reals(let numbers):
          if !numbers[row].isNaN {
            json.key(extra.name)
            json.value(numbers[row])
          }
        case .texts(let column, let texts):
          json.memberIfAny(extra.name, column[row].map { texts[$0] })
        }
      }
    }
  }
}

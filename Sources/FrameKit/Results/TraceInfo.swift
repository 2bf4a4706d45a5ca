/// What a trace is, how it was read and what it can answer.
public enum TraceInfo {
  /// The facts that are one line each.
  private static func facts(_ trace: Trace) -> [(name: String, value: String)] {
    let provenance = trace.provenance
    var facts = [
      ("file", provenance.file), ("format", provenance.format),
      ("importer", "\(provenance.importer), because \(provenance.reason)"),
    ]
    if let compression = provenance.compression {
      facts.append(("compression", compression.rawValue))
    }
    facts += provenance.companions.map { ("read beside it", $0) }
    if let origin = provenance.origin { facts.append(("made from", origin)) }
    if let range = trace.timeRange {
      let seconds = FixedNumber.text(
        (range.upperBound - range.lowerBound).milliseconds / 1e3, decimals: 3)
      facts.append(
        (
          "time",
          "\(seconds) s, from \(range.lowerBound.nanoseconds) to \(range.upperBound.nanoseconds) ns"
        ))
    }
    facts += trace.clocks.map { ("clock", clock($0)) }
    facts += trace.displays.map { ("display", display($0)) }
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
      parts.append("states a refresh of \(FixedNumber.text(interval.milliseconds, decimals: 3)) ms")
    }
    if display.isVariable == true { parts.append("waits for frames") }
    return parts.joined(separator: ", ")
  }

  /// How many records of each kind there are, those that there are.
  static func counts(_ trace: Trace) -> [(what: String, count: Int)] {
    [
      ("frames", trace.frameCount), ("commits", trace.commits.count),
      ("touch samples", trace.touches.count), ("buffer events", trace.bufferEvents.count),
      ("layers", trace.layers.count), ("launches", trace.launches.count),
      ("launch phases", trace.phases.count), ("threads", trace.threads.count),
      ("thread states", trace.threadStates.count), ("calls", trace.calls.count),
      ("offscreen passes", trace.passes.count), ("markers", trace.markers.count),
      ("stated hitches", trace.statedHitches.count), ("hangs", trace.hangs.count),
      ("stated figures", trace.figures.count),
      ("histogram bins", trace.bins.count),
      ("sensor readings", trace.telemetry.reduce(0) { $0 + $1.times.count }),
    ].filter { $0.1 > 0 }
  }
}

extension TraceInfo {
  /// What is said of a trace.
  static func document(_ trace: Trace) -> Document {
    var document = Document()
    document.add(.facts(facts(trace)))
    document.add(.table(surfaces(trace), .titled("surfaces")))
    document.add(.heading("can answer"))
    document.add(.list(answers(trace)))
    let extras = extras(trace)
    if !extras.isEmpty {
      document.add(.heading("keeps beside the model"))
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
  static func csv(_ traces: [Trace]) -> String {
    var rows = [["file", "what", "value"]]
    for trace in traces {
      let file = trace.provenance.file
      rows += facts(trace).map { [file, $0.name, $0.value] }
      rows += answers(trace).map { [file, "can answer", $0] }
      rows += trace.issueLines.map { [file, "issue", $0] }
    }
    return CSVText.rows(rows)
  }

  static func json(_ traces: [Trace]) -> String {
    var json = JSONWriter(indented: true)
    if traces.count == 1 {
      json.object { json in write(traces[0], to: &json) }
    } else {
      json.object { json in
        json.member("schema", schema)
        json.key("traces")
        json.array { json in
          for trace in traces { json.object { json in write(trace, to: &json) } }
        }
      }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static let schema = "frametool.info/1"

  private static func write(_ trace: Trace, to json: inout JSONWriter) {
    json.member("schema", schema)
    json.member("file", trace.provenance.file)
    json.member("importer", trace.provenance.importer)
    json.member("format", trace.provenance.format)
    json.member("reason", trace.provenance.reason)
    json.memberIfAny("compression", trace.provenance.compression?.rawValue)
    json.memberIfAny("made_from", trace.provenance.origin)
    if !trace.provenance.companions.isEmpty {
      json.key("read_beside")
      json.array { json in for path in trace.provenance.companions { json.value(path) } }
    }
    let range = trace.timeRange
    json.member("start_ns", range.map { $0.lowerBound.nanoseconds })
    json.member("end_ns", range.map { $0.upperBound.nanoseconds })
    json.key("clocks")
    json.array { json in for clock in trace.clocks { json.value(clock.name) } }
    json.key("records")
    json.object { json in for (what, count) in counts(trace) { json.member(what, count) } }
    json.key("surfaces")
    json.array { json in
      for surface in trace.surfaces { json.object { json in write(surface, to: &json) } }
    }
    json.key("capabilities")
    json.array { json in
      for capability in Capability.allCases where trace.capabilities.contains(capability) {
        json.value(capability.rawValue)
      }
    }
    json.key("issues")
    json.array { json in
      for issue in trace.issues { json.object { json in issue.write(to: &json) } }
    }
  }

  private static func write(_ surface: Surface, to json: inout JSONWriter) {
    json.member("id", surface.id)
    json.member("process", surface.process)
    json.member("pid", surface.processID)
    json.member("frames", surface.frames.count)
    json.key("columns")
    json.array { json in
      for column in FrameColumn.allCases where surface.frames.has(column) {
        json.value(column.schema.key)
      }
    }
  }
}

/// Writes analyses as JSON, schema `frametool.analysis/1`: keys in a fixed order, times in
/// milliseconds, `null` with its reason under `why_missing` of the same object.
struct AnalysisJSONWriter {
  static let schema = "frametool.analysis/1"

  func write(_ analyses: [TraceAnalysis]) -> String {
    var json = JSONWriter(indented: true)
    if analyses.count == 1 {
      json.object { json in write(analyses[0], to: &json) }
    } else {
      json.object { json in
        json.member("schema", Self.schema)
        json.key("analyses")
        json.array { json in
          for analysis in analyses { json.object { json in write(analysis, to: &json) } }
        }
      }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func write(_ analysis: TraceAnalysis, to json: inout JSONWriter) {
    json.member("schema", Self.schema)
    json.key("trace")
    json.object { json in writeTrace(analysis, to: &json) }
    if let region = analysis.options.region {
      json.key("region")
      json.object { json in write(region, from: analysis.origin, to: &json) }
    }
    json.key("display")
    json.object { json in writeDisplay(analysis, to: &json) }
    json.key("surfaces")
    json.array { json in
      for surface in analysis.surfaces {
        json.object { json in SurfaceJSON(surface, of: analysis).write(to: &json) }
      }
    }
    json.key("launches")
    json.array { json in
      for launch in analysis.launches.all { json.object { LaunchJSON(launch).write(to: &$0) } }
    }
    HangTables(analysis).write(to: &json)
    StatedTables(analysis.trace).write(to: &json)
  }

  private func write(
    _ region: TraceRegion, from origin: Timestamp, to json: inout JSONWriter
  ) {
    json.member("from_ms", region.start.map { ($0 - origin).milliseconds })
    json.member("to_ms", region.end.map { ($0 - origin).milliseconds })
    var reasons: [(String, String)] = []
    if region.start == nil { reasons.append(("from_ms", "from the start of the trace on")) }
    if region.end == nil { reasons.append(("to_ms", "to the end of the trace")) }
    json.writeReasons(reasons)
  }

  private func writeTrace(_ analysis: TraceAnalysis, to json: inout JSONWriter) {
    let trace = analysis.trace
    json.member("file", trace.provenance.file)
    json.member("importer", trace.provenance.importer)
    json.member("format", trace.provenance.format)
    if trace.setting != .unknown {
      json.key("setting")
      json.object { $0.writeSetting(trace.setting) }
    }
    json.member("clock", trace.clocks.first?.name)
    json.member("start_ns", analysis.timeRange.map { Int($0.lowerBound.nanoseconds) })
    json.member("end_ns", analysis.timeRange.map { Int($0.upperBound.nanoseconds) })
    json.key("capabilities")
    writeCapabilities(trace, to: &json)
    json.key("issues")
    json.array { json in
      for issue in trace.issues { json.object { json in issue.write(to: &json) } }
    }
    var reasons: [(String, String)] = []
    if trace.clocks.isEmpty { reasons.append(("clock", "the trace does not name its clock")) }
    if analysis.timeRange == nil {
      let why = trace.isPartial ? Self.partial : "nothing in the trace has a time"
      reasons += ["start_ns", "end_ns"].map { ($0, why) }
    }
    if trace.isPartial { reasons.append(("capabilities", Self.partial)) }
    json.writeReasons(reasons)
  }

  /// Why what takes all columns is missing.
  private static let partial = "only what the metrics asked for need was read"

  private func writeCapabilities(_ trace: Trace, to json: inout JSONWriter) {
    if trace.isPartial { return json.null() }
    let capabilities = trace.capabilities
    json.array { json in
      for capability in Capability.allCases where capabilities.contains(capability) {
        json.value(capability.rawValue)
      }
    }
  }

  /// The refreshes of the first surface's display, or what the trace states of it.
  private func writeDisplay(_ analysis: TraceAnalysis, to json: inout JSONWriter) {
    if let refreshes = analysis.surfaces.first?.refreshes {
      return DisplayJSON.write(refreshes, to: &json)
    }
    let display = analysis.trace.displays.first
    json.member("refresh_ms", display?.interval?.milliseconds)
    json.member("variable", display?.isVariable)
    json.member("source", display?.interval == nil ? nil : "stated")
    var reasons: [(String, String)] = []
    if display?.interval == nil {
      reasons += ["refresh_ms", "source"].map { ($0, "the trace does not state it") }
    }
    if display?.isVariable == nil { reasons.append(("variable", "the trace does not state it")) }
    json.writeReasons(reasons)
  }
}

extension JSONWriter {
  /// Writes the members of what a recording was made on and of, those that are known.
  fileprivate mutating func writeSetting(_ setting: Setting) {
    member("origin", setting.origin.rawValue)
    memberIfAny("device", setting.device)
    memberIfAny("system", setting.system)
    memberIfAny("version", setting.version)
    memberIfAny("date", setting.date)
  }
}

extension TraceIssue {
  /// Writes the members of the issue's JSON object.
  func write(to json: inout JSONWriter) {
    json.member("kind", kind.rawValue)
    json.member("severity", severity.rawValue)
    json.member("message", message)
    json.member("count", count)
    json.member("first", first?.description)
    if first == nil { json.writeReasons([("first", "the input as a whole is meant")]) }
  }
}

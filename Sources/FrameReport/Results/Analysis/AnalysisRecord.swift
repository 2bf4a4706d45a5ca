import FrameAnalysis
import FrameTrace
import FrameVerdicts

extension FieldRecord {
  /// Analyses as schema `frametool.analysis/2`: times in milliseconds.
  /// - Parameter failures: Why other traces could not be read, a message for each.
  init(_ analyses: [TraceAnalysis], failures: [String] = []) {
    if let only = analyses.first, analyses.count == 1, failures.isEmpty {
      self = FieldRecord(only)
    } else {
      add("schema", Self.analysisSchema)
      add(AnalysisKey.analyses, rows: analyses) { analysis, record in record = FieldRecord(analysis)
      }
      if !failures.isEmpty { add("failed", values: failures) }
    }
  }

  /// The schema name of a trace's analysis, with its version.
  static let analysisSchema = "frametool.analysis/2"

  private init(_ analysis: TraceAnalysis) {
    add("schema", Self.analysisSchema)
    add(AnalysisKey.trace) { $0.add(traceOf: analysis) }
    if let region = analysis.options.region {
      add("region") { $0.add(region, from: analysis.origin) }
    }
    add("display", Self.display(analysis))
    add(AnalysisKey.surfaces, rows: analysis.ordered) { surface, record in
      record = FieldRecord(surface, of: analysis)
    }
    if analysis.surfacesLeftOut > 0 { add("surfaces_left_out", analysis.surfacesLeftOut) }
    add(AnalysisKey.launches, rows: analysis.launches.all) { launch, record in
      record = FieldRecord(launch)
    }
    add(interactionsOf: analysis)
    add(hangsOf: analysis)
    let telemetry = TelemetryReport(analysis).figures
    if !telemetry.isEmpty {
      add("telemetry", rows: telemetry) { $1.add(TelemetryReport.columns, of: $0) }
    }
    add(statedBy: analysis.trace)
  }

  private mutating func add(_ region: TraceRegion, from origin: Timestamp) {
    add(
      "from_ms", region.start.map { ($0 - origin).milliseconds },
      else: "from the start of the trace")
    add("to_ms", region.end.map { ($0 - origin).milliseconds }, else: "to the end of the trace")
  }

  private mutating func add(traceOf analysis: TraceAnalysis) {
    let trace = analysis.trace
    add("file", trace.provenance.file)
    add("importer", trace.provenance.importer)
    add("format", trace.provenance.format)
    if trace.setting != .unknown { add(AnalysisKey.setting) { $0.add(trace.setting) } }
    add("clock", trace.clocks.first?.name, else: "the trace does not name its clock")
    let partial = "only the data that the requested metrics need was read"
    let why = trace.isPartial ? partial : "nothing in the trace has a time"
    add("start_ns", analysis.timeRange?.lowerBound.nanoseconds, else: why)
    add("end_ns", analysis.timeRange?.upperBound.nanoseconds, else: why)
    if trace.isPartial {
      add("capabilities", nil as String?, else: partial)
    } else {
      add("capabilities", values: trace.capabilityNames)
    }
    add("issues", rows: trace.issues) { issue, record in
      record.add(TraceIssue.columns, of: issue)
    }
  }

  /// Adds the origin, device, system, version, date and conditions of a recording, as far as known.
  private mutating func add(_ setting: Setting) {
    add("origin", setting.origin.rawValue)
    addIfAny("device", setting.device)
    addIfAny("system", setting.system)
    addIfAny("version", setting.version)
    addIfAny("date", setting.date)
    for condition in Setting.Condition.allCases {
      addIfAny(condition.rawValue, setting.conditions[condition])
    }
  }

  /// The refreshes of the first surface's display, or what the trace states about it.
  private static func display(_ analysis: TraceAnalysis) -> FieldRecord {
    if let refreshes = analysis.ordered.first?.refreshes {
      return FieldRecord(refreshes, from: analysis.origin)
    }
    let display = analysis.trace.displays.first
    let why = "the trace does not state it"
    var record = FieldRecord()
    record.add("refresh_ms", display?.interval?.milliseconds, else: why)
    record.add("variable", display?.isVariable, else: why)
    record.add("source", display?.interval == nil ? nil : "stated", else: why)
    return record
  }
}

extension TraceIssue {
  /// The columns for what had to be skipped or repaired in a trace.
  static let columns: [ResultColumn<TraceIssue>] = [
    .text("kind", "what it is about") { $0.kind.rawValue },
    .text("severity", "how much it matters") { $0.severity.rawValue },
    .text("message", "what was skipped, repaired or assumed") { $0.message },
    .integer("count", "how often it happened") { $0.count },
    .text("first", "where in the input it first happened") { $0.first?.description }
      .otherwise("it concerns the whole input"),
  ]
}

extension Trace {
  /// The names of what the trace can answer, in a fixed order.
  var capabilityNames: [String] {
    let capabilities = capabilities
    return Capability.allCases.filter(capabilities.contains).map(\.rawValue)
  }
}

/// The keys of an analysis that are read back.
private enum AnalysisKey {
  static let analyses = "analyses"
  static let trace = "trace"
  static let setting = "setting"
  static let surfaces = "surfaces"
  static let launches = "launches"
}

extension HistoryResult {
  /// Reads analyses written from a `FieldRecord`: a run for each, with the first of its chosen surfaces, which is the primary one, and its
  /// launches, and the values that each source states itself.
  static func analyses(
    _ node: JSONNode, _ choice: SurfaceChoice
  ) throws(JSONScanner.Problem) -> [HistoryResult] {
    var measured = HistoryResult()
    var stated: [HistoryResult] = []
    for analysis in node[AnalysisKey.analyses]?.array ?? [node] {
      let surfaces = (analysis[AnalysisKey.surfaces]?.array ?? []).map(SurfaceFigures.init)
      let meant = surfaces.first { $0.isChosen(choice) }
      let launches = analysis[AnalysisKey.launches]?.array ?? []
      measured.runs.append(
        (meant?.values ?? []) + LaunchValues(launches, of: choice.processes.first).all)
      let setting = analysis[AnalysisKey.trace]?[AnalysisKey.setting].map(Setting.init) ?? .unknown
      stated += try HistoryResult.stated(analysis, setting)
    }
    return [measured] + stated
  }
}

extension Setting {
  /// Reads the origin, device, system, version and date of a recording.
  fileprivate init(_ node: JSONNode) {
    self = .unknown
    origin = node["origin"]?.text.flatMap { Origin(rawValue: $0) } ?? origin
    device = node["device"]?.text
    system = node["system"]?.text
    version = node["version"]?.text
    date = node["date"]?.text
  }
}

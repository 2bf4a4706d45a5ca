import FrameAnalysis
import FrameTrace
import FrameVerdicts

extension FieldRecord {
  /// Analyses as schema `frametool.analysis/3`: times in milliseconds.
  /// - Parameter failures: Why other traces could not be read, a message for each.
  init(_ analyses: [TraceAnalysis], failures: [String] = []) {
    if let only = analyses.first, analyses.count == 1, failures.isEmpty {
      self.init(TraceAnalysis.fields, of: only, from: only.origin)
    } else {
      self.init(TraceAnalysis.listFields, of: (analyses, failures))
    }
  }

  /// The schema name of a trace's analysis, with its version.
  static let analysisSchema = "frametool.analysis/3"
}

extension TraceAnalysis {
  static let listFields: [ResultColumn<(analyses: [TraceAnalysis], failures: [String])>] = [
    .schema(FieldRecord.analysisSchema),
    .rows(
      AnalysisKey.analyses, fields, from: \.origin, "each trace, in the order of the arguments",
      \.analyses),
    .texts("failed", "why other traces could not be read") {
      $0.failures.isEmpty ? nil : $0.failures
    }.ifAny,
  ]

  static let fields = mainFields + eventFields + statedFields

  private static let mainFields: [ResultColumn<TraceAnalysis>] = [
    .schema(FieldRecord.analysisSchema),
    .object(AnalysisKey.trace, traceFields, "the trace and how it was read") { $0 },
    .object(
      "region",
      [
        .instant("from", "its start, from the start of the trace", \.start)
          .otherwise("from the start of the trace"),
        .instant("to", "its end, from the start of the trace", \.end)
          .otherwise("to the end of the trace"),
      ], "the part that was analyzed, if not all", \.options.region
    ).ifAny,
    .record("display", .named("display"), "the display of the main surface") { analysis, origin in
      if let refreshes = analysis.ordered.first?.refreshes {
        return FieldRecord(DisplayRefreshes.fields, of: refreshes, from: origin)
      }
      return FieldRecord(statedDisplay, of: analysis.trace.displays.first)
    },
    .rows(
      AnalysisKey.surfaces, SurfaceAnalysis.fields, as: "surface",
      "each surface, the main one first"
    ) { analysis in analysis.ordered.map { AnalyzedSurface($0, of: analysis) } },
    .integer(
      "surfaces_left_out", "further surfaces with no more frames, which are not analyzed"
    ) { $0.surfacesLeftOut > 0 ? $0.surfacesLeftOut : nil }.ifAny,
    .rows(
      AnalysisKey.launches, RebuiltLaunch.fields, as: "launch", "each launch", \.launches.all),
  ]

  /// What happened on pages, and hangs.
  static let eventFields: [ResultColumn<TraceAnalysis>] = [
    .object("interactions", PageInteractions.fields, "interactions with pages") { analysis in
      let found = analysis.interactions
      return found.ofPages.isEmpty && found.missing == 0 ? nil : found
    }.ifAny,
    .object("hangs", HangFindings.fields, "hangs that the source states") { analysis in
      analysis.hangs.hangs.isEmpty && analysis.hangs.missing == 0 ? nil : analysis.hangs
    }.ifAny,
  ]

  private static let statedFields: [ResultColumn<TraceAnalysis>] = [
    .rows("telemetry", TelemetryReport.columns, "what sensors and counters read") { analysis in
      let figures = TelemetryReport(analysis).figures
      return figures.isEmpty ? nil : figures
    }.ifAny,
    .rows(StatedKey.figures, StatedFigures.fields, "figures that the source states for runs") {
      let figures = StatedFigures.all($0.trace)
      return figures.isEmpty ? nil : figures
    }.ifAny,
    .rows(StatedKey.histograms, FieldHistogram.fields, "histograms that the source states") {
      $0.trace.bins.histograms.isEmpty ? nil : $0.trace.bins.histograms
    }.ifAny,
  ]

  private static let traceFields: [ResultColumn<TraceAnalysis>] = [
    .text("file", "its name", \.trace.provenance.file),
    .text("importer", "the format that was detected", \.trace.provenance.importer),
    .text("format", "the format in words, with its version", \.trace.provenance.format),
    .object(AnalysisKey.setting, Setting.fields, "where the recording was made") {
      $0.trace.setting == .unknown ? nil : $0.trace.setting
    }.ifAny,
    .text("clock", "the clock of its times", \.trace.clocks.first?.name)
      .otherwise("the trace does not name its clock"),
    .integer("start_ns", "its first time on that clock", \.timeRange?.lowerBound.nanoseconds)
      .otherwise(whyUntimed),
    .integer("end_ns", "its last time on that clock", \.timeRange?.upperBound.nanoseconds)
      .otherwise(whyUntimed),
    .texts("capabilities", "what it can answer", among: Capability.allCases.map(\.rawValue)) {
      $0.trace.isPartial ? nil : $0.trace.capabilityNames
    }.otherwise(partial),
    .rows(
      "issues", TraceIssue.columns, "what was skipped, repaired or assumed", \.trace.issues),
  ]

  private static let partial = "only the data that the requested metrics need was read"

  @Sendable private static func whyUntimed(_ analysis: TraceAnalysis) -> String? {
    analysis.trace.isPartial ? partial : "nothing in the trace has a time"
  }

  /// What a trace states about its display.
  private static let statedDisplay: [ResultColumn<Display?>] = [
    .length("refresh", "the refresh interval") { $0?.interval }.otherwise(notStated),
    .flag("variable", "whether the display waits for frames") { $0?.isVariable }
      .otherwise(notStated),
    .text("source", "how the interval is known") { $0?.interval == nil ? nil : "stated" }
      .otherwise(notStated),
  ]

  private static let notStated = "the trace does not state it"
}

extension Setting {
  /// The origin, device, system, version, date and conditions of a recording, where known.
  fileprivate static let fields: [ResultColumn<Setting>] =
    [
      .text(
        "origin", "whether it was measured in a laboratory or in the field", \.origin.rawValue),
      .text("device", "the device", \.device).ifAny,
      .text("system", "the system's version", \.system).ifAny,
      .text("version", "the app's version", \.version).ifAny,
      .text("date", "when it was recorded", \.date).ifAny,
    ]
    + Condition.allCases.map { condition in
      .text(
        condition.rawValue, "the \(condition.words) that frames were drawn or shown with"
      ) { $0.conditions[condition] }.ifAny
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
  /// Reads analyses written from a `FieldRecord`. Each analysis becomes a run with the first of its chosen surfaces
  /// (the primary surface), its launches, and the values that its source states.
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

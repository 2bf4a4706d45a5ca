import FrameAnalysis
import FrameReplay
import FrameTrace
import FrameVerdicts

/// The documents that are described by the fields of their results.
extension DocumentSchema {
  static let analysis = DocumentSchema(
    "analyze", FieldRecord.analysisSchema, "printed by 'analyze --format json'",
    .either([
      .object(of: TraceAnalysis.fields),
      .object(of: TraceAnalysis.listFields),
    ]),
    [
      ("measured", MeasuredField.shape), ("display", DisplayRefreshes.shape),
      ("surface", .object(of: SurfaceAnalysis.fields)),
      ("launch", .object(of: RebuiltLaunch.fields)),
    ])

  static let comparison = DocumentSchema(
    "compare", FieldRecord.comparisonSchema, "printed by 'compare --format json'",
    .either([.named("comparison"), .object(of: ComparisonOfSides.fields)]),
    [("comparison", .object(of: Comparison.fields))])

  static let gate = DocumentSchema(
    "gate", GateReport.schema, "printed by 'gate --format json'",
    .object(of: GateReport.fields))

  static let gateSuggestion = DocumentSchema(
    "gate-suggestion", GateSuggestionReport.schema, "printed by 'gate --suggest --format json'",
    .object(of: GateSuggestionReport.fields))

  static let runsOfOneSide = DocumentSchema(
    "runs-of-one-side", RunsOfOneSideReport.schema,
    "printed by 'analyze --summary-of-runs --format json'",
    .object(of: RunsOfOneSideReport.fields))

  static let bench = DocumentSchema(
    "bench", BenchReport.schema, "printed by 'bench --format json'",
    .object(of: BenchReport.fields),
    [("comparison", .object(of: Comparison.fields))])

  static let bisect = DocumentSchema(
    "bisect", BisectReport.schema, "printed by 'bisect --format json'",
    .object(of: BisectReport.fields))

  static let replay = DocumentSchema(
    "replay", ReplayReport.schema, "printed by 'replay --format json'",
    .either([
      .named("replay"),
      .object([
        .schema(ReplayReport.schema),
        .list(
          ReplayReport.replaysKey, .named("replay"), "that of each trace, if there are several"),
      ]),
    ]),
    [
      ("replay", .object(of: ReplayReport.fields)),
      ("figure", .object(of: Replay.Figure.columns)),
    ])

  static let info = DocumentSchema(
    "info", TraceInfo.schema, "printed by 'info --format json'",
    .either([
      .object(of: TraceInfo.fields),
      .object([
        .schema(TraceInfo.schema),
        .rows("traces", JSONMember.all(TraceInfo.fields), "each trace"),
      ]),
    ]))

  static let brief = DocumentSchema(
    "brief", Brief.schema, "printed by any command with '--brief --format json'",
    .object(of: Brief.fields))

  static let launch = DocumentSchema(
    "launch", FieldRecord.launchSchema, "printed by 'launch --format json' and 'launch run'",
    .object(of: LaunchAnalysis.fields),
    [
      ("measured", MeasuredField.shape),
      ("launch", .object(of: RebuiltLaunch.fields)),
      ("comparison", .object(of: Comparison.fields)),
    ])

  static let historyList = DocumentSchema(
    "history-list", HistoryReport.schema, "printed by 'history list --format json'",
    .either([
      .object(
        JSONMember.all(HistoryReport.storeFields) + JSONMember.all(HistoryReport.jobFields)),
      .object(
        JSONMember.all(HistoryReport.storeFields) + JSONMember.all(HistoryReport.seriesFields)),
    ]), [job])

  static let historyCheck = DocumentSchema(
    "history-check", HistoryReport.schema, "printed by 'history check --format json'",
    .object(JSONMember.all(HistoryReport.storeFields) + JSONMember.all(HistoryReport.checkFields)),
    [job])

  private static let job = ("job", JSONShape.object(of: HistoryJob.fields))

  static let fleet = DocumentSchema(
    "fleet", FleetReport.schema, "printed by 'fleet --format json'",
    .object(of: FleetReport.fields))

  static let score = DocumentSchema(
    "score", ScoreReport.schema, "printed by 'score --format json'",
    .object(of: ScoreReport.fields))
}

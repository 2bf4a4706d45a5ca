import FrameAnalysis
import FrameStatistics
import FrameTrace
import FrameVerdicts

extension FieldRecord {
  /// The schema name of an analysis of launches, with its version.
  static let launchSchema = "frametool.launch/1"

  /// An analysis of launches, with the comparison of two groups of launches if there is one. Times
  /// are in milliseconds.
  init(_ analysis: LaunchAnalysis, _ comparison: Comparison?) {
    self.init(LaunchAnalysis.fields, of: (analysis, comparison))
  }
}

extension LaunchAnalysis {
  static let fields: [ResultColumn<(analysis: LaunchAnalysis, comparison: Comparison?)>] = [
    .schema(FieldRecord.launchSchema),
    .length("goal", "the goal for a launch") { _ in LaunchShares.goal },
    .length("system_goal", "the system's part of it") { _ in LaunchShares.systemGoal },
    .length("app_goal", "the app's part of it") { _ in LaunchShares.appGoal },
    .rows(
      "groups", LaunchGroup.fields, "launches that can be compared, group by group",
      \.analysis.groups),
    .counts(
      "left_out", RebuiltLaunch.Exclusion.allCases.map(\.rawValue), of: "launches",
      "launches that count in no figure, by reason"
    ) { row, why in row.analysis.excluded.first { $0.why.rawValue == why }?.count ?? 0 },
    .rows("findings", LaunchFindingRow.columns, "what to look at first") {
      $0.analysis.reported.flatMap(LaunchFindingRow.rows)
    },
    .rows(
      LaunchAnalysisKey.traces,
      [
        .text("file", "the trace", \.trace.provenance.file),
        .text("importer", "its format", \.trace.provenance.importer),
        .rows(
          "issues", TraceIssue.columns, "what was skipped, repaired or assumed", \.trace.issues),
        .rows(
          LaunchAnalysisKey.launches, RebuiltLaunch.fields, as: "launch", "its launches",
          \.launches),
      ], "each trace"
    ) { row in
      zip(row.analysis.traces, row.analysis.launches).map { (trace: $0, launches: $1) }
    },
    .object(
      "comparison", Comparison.fields, as: "comparison", "two groups of launches compared",
      \.comparison
    ).ifAny,
  ]
}

extension LaunchGroup {
  fileprivate static let fields: [ResultColumn<LaunchGroup>] = [
    .text("process", "the process", \.key.process).otherwise(unknown),
    .text("kind", "cold, warm, prewarm or resume") { $0.key.kind.map { "\($0)" } }
      .otherwise(unknown),
    .text("until", "what ends the launches") { "\($0.key.until)" },
    .flag("profiled", "whether a profiler slowed them down", \.key.isProfiled),
    .words("from", ["tap", "process"], "what their totals are measured from") {
      $0.key.measure.isFromTap ? "tap" : "process"
    },
    .text("metric", "the metric that they measure", \.key.measure.name),
    .integer("over_goal", "how many are over the goal") {
      $0.key.until == .exited ? nil : $0.overGoal
    }.otherwise("the goal applies only to first frames"),
    .measured("total", "from start to end") { $0.measured($0.total, unknown) },
    .measured("system", "the system's share") { $0.measured($0.system, noPhases) },
    .measured("app", "the app's share") { $0.measured($0.app, noPhases) },
    .measured("cpu", "processor time") { $0.measured($0.cpu, unknown) },
    .rows(
      "phases",
      [
        .text("name", "the phase") { "\($0.phase.name)" },
        .measured("wall", "how long it takes") { $0.group.measured($0.phase.wall, unknown) },
        .measured("cpu", "processor time in it") { $0.group.measured($0.phase.cpu, unknown) },
      ], "each phase over all launches"
    ) { group in group.phases.map { (group: group, phase: $0) } },
  ]

  private static let unknown = "the trace does not say"
  private static let noPhases = "no launch has its phases"

  private func measured(_ summary: Summary?, _ why: String) -> MeasuredField {
    MeasuredField(summary, missing: launches.count - (summary?.n ?? 0), else: why)
  }
}

/// The keys of an analysis of launches that are read back.
private enum LaunchAnalysisKey {
  static let traces = "traces"
  static let launches = "launches"
}

extension HistoryResult {
  /// Reads an analysis of launches from the output of a `FieldRecord`: a run for each trace, for the named process, or
  /// else for the process with the most launches that count.
  init(launches node: JSONNode, of process: String?) {
    self.init()
    runs = (node[LaunchAnalysisKey.traces]?.array ?? []).map { trace in
      LaunchValues(trace[LaunchAnalysisKey.launches]?.array ?? [], of: process).all
    }
  }
}

/// Launches as one table for spreadsheets and data frames: one row for each complete launch, and one for each of its
/// phases.
struct LaunchRows {
  let cells: [[String]]

  init(_ analysis: LaunchAnalysis) {
    typealias Row = (file: String, phase: LaunchPhaseRow)
    let rows = zip(analysis.traces, analysis.launches).flatMap { trace, launches in
      launches.flatMap(LaunchPhaseRow.rows).map { Row(trace.provenance.file, $0) }
    }
    let launch = (LaunchColumns.identity + LaunchColumns.counting).map { $0.on(\Row.phase.launch) }
    let inversions = ResultColumn<Row>.length(
      "inversion", "how long the main thread waited in priority inversions"
    ) { row in
      let launch = row.phase.launch
      return row.phase.phase != nil || launch.mainThread == nil
        ? nil : launch.inversions.reduce(.zero) { $0 + $1.length }
    }
    let columns =
      [.text("file", "the trace", \.file)] + launch
      + LaunchPhaseRow.columns.map { $0.on(\.phase) } + [inversions]
    cells = ResultRows(columns: columns, rows: rows).cells()
  }
}

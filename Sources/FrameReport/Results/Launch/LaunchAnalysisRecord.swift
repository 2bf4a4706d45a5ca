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
    add("schema", Self.launchSchema)
    add("goal_ms", LaunchShares.goal.milliseconds)
    add("system_goal_ms", LaunchShares.systemGoal.milliseconds)
    add("app_goal_ms", LaunchShares.appGoal.milliseconds)
    add("groups", rows: analysis.groups) { group, record in record.add(group) }
    add("left_out") { record in
      for why in RebuiltLaunch.Exclusion.allCases {
        record.add(why.rawValue, analysis.excluded.first { $0.why == why }?.count ?? 0)
      }
    }
    add("findings", rows: analysis.told.flatMap(LaunchFindingRow.rows)) { row, record in
      record.add(LaunchFindingRow.columns, of: row)
    }
    add(LaunchAnalysisKey.traces, rows: Array(zip(analysis.traces, analysis.launches))) {
      item, record in
      let (trace, launches) = item
      record.add("file", trace.provenance.file)
      record.add("importer", trace.provenance.importer)
      record.add("issues", rows: trace.issues) { issue, record in
        record.add(TraceIssue.columns, of: issue)
      }
      record.add(LaunchAnalysisKey.launches, rows: launches) { launch, record in
        record = FieldRecord(launch)
      }
    }
    if let comparison { add("comparison", FieldRecord(comparison)) }
  }

  private mutating func add(_ group: LaunchGroup) {
    let untold = "the trace does not say"
    add("process", group.key.process, else: untold)
    add("kind", group.key.kind.map { "\($0)" }, else: untold)
    add("until", "\(group.key.until)")
    add("profiled", group.key.isProfiled)
    add("from", group.key.measure.isFromTap ? "tap" : "process")
    add("metric", group.key.measure.name)
    add(
      "over_goal", group.key.until == .exited ? nil : group.overGoal,
      else: "the goal applies only to first frames")
    let measured = { (summary: Summary?, why: String) in
      MeasuredField(summary, missing: group.launches.count - (summary?.n ?? 0), else: why)
    }
    add("total", measured(group.total, untold))
    add("system", measured(group.system, "no launch has its phases"))
    add("app", measured(group.app, "no launch has its phases"))
    add("cpu", measured(group.cpu, untold))
    add("phases", rows: group.phases) { phase, record in
      record.add("name", "\(phase.name)")
      record.add("wall", measured(phase.wall, untold))
      record.add("cpu", measured(phase.cpu, untold))
    }
  }
}

/// The keys of an analysis of launches that are read back.
private enum LaunchAnalysisKey {
  static let traces = "traces"
  static let launches = "launches"
}

extension HistoryResult {
  /// Reads an analysis of launches that a `FieldRecord` was written to: a run for each trace, for
  /// the named process, or else for the one with the most launches that count.
  init(launches node: JSONNode, of process: String?) {
    self.init()
    runs = (node[LaunchAnalysisKey.traces]?.array ?? []).map { trace in
      LaunchValues(trace[LaunchAnalysisKey.launches]?.array ?? [], of: process).all
    }
  }
}

/// Launches as one table for spreadsheets and data frames: one row for each whole launch, and one
/// for each of its phases.
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

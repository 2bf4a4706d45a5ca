import FrameAnalysis
import FrameStatistics
import FrameTrace
import FrameVerdicts

extension Document {
  /// A document on launches, with a comparison of two groups of launches if there is one.
  init(_ analysis: LaunchAnalysis, _ comparison: Comparison?) {
    let tables = LaunchTables(analysis)
    add(.title("Launches", .nothing))
    add(Block.points, tables.titles)
    add(Block.points, tables.headlines)
    add(Block.notes, tables.notes)
    if !tables.isEmpty { add(tables.launches(), "Launches") }
    add(tables.phases(), "Phases, medians")
    if let comparison { add(Document(comparison)) }
    for launch in analysis.reported { add(launch) }
    for trace in analysis.traces where !trace.issueLines.isEmpty {
      let file = trace.provenance.file
      let heading =
        analysis.traces.count == 1 ? "About the input" : "About the input \(file)"
      add(.heading(heading, .words("about the input \(file)")))
      add(.list(trace.issueLines))
    }
  }

  private mutating func add(_ launch: RebuiltLaunch) {
    let owner = [launch.process, "launch \(launch.name)"].compactMap { $0 }.joined(separator: ", ")
    for (name, table) in LaunchTables.all(of: launch) {
      add(.table(table, .titled("\(owner): \(name)")))
    }
  }
}

/// The parts of an analysis of launches for people.
struct LaunchTables {
  private let analysis: LaunchAnalysis

  init(_ analysis: LaunchAnalysis) { self.analysis = analysis }

  /// One line per trace: its name and the number of its launches.
  var titles: [String] {
    zip(analysis.traces, analysis.launches).map { trace, launches in
      let count = launches.count == 1 ? "1 launch" : "\(launches.count) launches"
      return "\(trace.provenance.title): \(trace.provenance.format), \(count)"
    }
  }

  /// One line per group: its figures compared with the goal.
  var headlines: [String] {
    analysis.groups.map { group in
      let total = group.total
      let range =
        total.n == 1
        ? "" : " (\(Self.text(total.minimum)) to \(Self.milliseconds(total.maximum)))"
      var parts = ["n \(total.n)", "median \(Self.milliseconds(total.p50))\(range)"]
      // The goal applies to apps that show something and are not slowed down.
      if group.key.until != .exited, !group.key.isProfiled {
        parts.append(
          "\(group.overGoal) of \(total.n) over the goal of \(Self.whole(LaunchShares.goal))")
      }
      if let system = group.system, let app = group.app {
        parts.append(
          "system \(Self.milliseconds(system.p50)) (goal \(Self.whole(LaunchShares.systemGoal))), app \(Self.milliseconds(app.p50)) (goal \(Self.whole(LaunchShares.appGoal)))"
        )
      }
      return "\(group.title): \(parts.joined(separator: "; "))"
    }
  }

  /// What is omitted and why, and what to know before trusting the figures.
  var notes: [String] {
    var notes = analysis.excluded.map {
      "left out of the figures: \($0.count) \($0.why.rawValue), because \($0.why.words)"
    }
    if analysis.groups.contains(where: \.key.isProfiled) {
      notes.append(
        "under a profiler, wall time includes the profiler's overhead: use processor time there, and measure without the profiler"
      )
    }
    if analysis.all.contains(where: { $0.phases.contains(where: \.isCPUInferred) }) {
      notes.append(
        "processor time of phases is taken from the main thread's states (inferred)")
    }
    return notes
  }

  /// Whether there are no launches to report.
  var isEmpty: Bool { analysis.all.isEmpty }

  /// One row per launch.
  func launches() -> TextTable {
    ResultRows(columns: LaunchColumns.all, rows: analysis.all).table.withoutEmptyColumns
  }

  /// One row for each phase of each group with more than one launch; `nil` without such a group.
  func phases() -> TextTable? {
    var table = TextTable([
      ("launches", .left), ("phase", .left), ("n", .right), ("wall ms", .right), ("min", .right),
      ("max", .right), ("processor ms", .right),
    ])
    for group in analysis.groups where group.total.n > 1 {
      let kind = [
        group.key.process, group.key.kind.map { "\($0)" },
        group.key.isProfiled ? "profiled" : nil,
      ]
      for phase in group.phases {
        table.append([
          kind.compactMap { $0 }.joined(separator: " "), phase.name.words, "\(phase.wall.n)",
          Self.text(phase.wall.p50), Self.text(phase.wall.minimum), Self.text(phase.wall.maximum),
          phase.cpu.map { Self.text($0.p50) } ?? "",
        ])
      }
    }
    return table.rows.isEmpty ? nil : table
  }
}

extension LaunchTables {
  /// The phases of one launch, with what its main thread did.
  private static func phases(of launch: RebuiltLaunch) -> TextTable {
    let rows = LaunchPhaseRow.phases(launch)
    return ResultRows(columns: LaunchPhaseRow.columns, rows: rows).table.withoutEmptyColumns
  }

  /// What the main thread waited for, by phase.
  private static func waits(of launch: RebuiltLaunch) -> TextTable {
    table(\.waits, ThreadWait.columns, of: launch, "blocked in")
  }

  /// The functions that took most time, by phase.
  private static func calls(of launch: RebuiltLaunch) -> TextTable {
    table(\.calls, CallTime.columns, of: launch, "phase")
  }

  /// The first details of each phase.
  /// - Parameter heading: The heading of the column with the phase.
  private static func table<Detail: Sendable>(
    _ details: (LaunchPhase) -> [Detail], _ columns: [ResultColumn<Detail>],
    of launch: RebuiltLaunch, _ heading: String
  ) -> TextTable {
    typealias Row = (phase: LaunchPhase, detail: Detail)
    let rows = launch.phases.flatMap { phase in
      details(phase).prefix(mostRows).map { Row(phase, $0) }
    }
    let phase = ResultColumn<Row>.text("phase", "the phase") { $0.phase.name.words }
    return ResultRows(columns: [phase.shown(heading)] + columns.map { $0.on(\.detail) }, rows: rows)
      .table
  }

  /// The priority inversions of a launch.
  private static func inversions(of launch: RebuiltLaunch) -> TextTable {
    let rows = launch.inversions.prefix(mostInversions).map {
      InversionRow(launch: launch, inversion: $0)
    }
    return ResultRows(columns: InversionRow.columns, rows: rows).table
  }

  /// The findings to examine first.
  private static func findings(of launch: RebuiltLaunch) -> TextTable {
    let rows = Array(LaunchFindingRow.rows(launch).prefix(mostFindings))
    return ResultRows(columns: LaunchFindingRow.columns, rows: rows).table
  }

  /// The non-empty tables of a launch, with a description of each.
  static func all(of launch: RebuiltLaunch) -> [(name: String, table: TextTable)] {
    let tables = [
      ("phases", phases(of: launch)), ("waits of the main thread", waits(of: launch)),
      ("priority inversions", inversions(of: launch)),
      ("most costly functions", calls(of: launch)),
      ("what to look at first", findings(of: launch)),
    ]
    return tables.filter { $0.0 == "phases" || !$0.1.rows.isEmpty }
  }

  /// The maximum number of waits or functions listed for a phase.
  private static let mostRows = 5
  /// The maximum number of priority inversions listed.
  private static let mostInversions = 20
  /// The maximum number of findings listed.
  private static let mostFindings = 10

  /// A statistic of durations in milliseconds.
  private static func text(_ length: Double) -> String {
    LaunchText.text(milliseconds: length)
  }

  private static func milliseconds(_ length: Double) -> String { "\(text(length)) ms" }

  private static func whole(_ length: Nanoseconds) -> String {
    "\(FixedNumber.text(length.milliseconds, decimals: 0)) ms"
  }
}

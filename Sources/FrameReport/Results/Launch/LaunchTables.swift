import FrameAnalysis
import FrameStatistics
import FrameTrace
import FrameVerdicts

extension Document {
  /// What is said of launches, and of a comparison of two groups of them where one was made.
  init(_ analysis: LaunchAnalysis, _ comparison: Comparison?) {
    let tables = LaunchTables(analysis)
    add(.title("Launches", .nothing))
    add(Block.points, tables.titles)
    add(Block.points, tables.headlines)
    add(Block.notes, tables.notes)
    if !tables.isEmpty { add(tables.launches(), "Launches") }
    add(tables.phases(), "Phases, medians")
    if let comparison { add(Document(comparison)) }
    for launch in analysis.told { add(launch) }
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

/// The parts of an analysis of launches as people read them.
struct LaunchTables {
  private let analysis: LaunchAnalysis

  init(_ analysis: LaunchAnalysis) { self.analysis = analysis }

  /// One line a trace: which it is and how many launches it has.
  var titles: [String] {
    zip(analysis.traces, analysis.launches).map { trace, launches in
      let count = launches.count == 1 ? "1 launch" : "\(launches.count) launches"
      return "\(trace.provenance.title): \(trace.provenance.format), \(count)"
    }
  }

  /// One line a group: its figures against the goal.
  var headlines: [String] {
    analysis.groups.map { group in
      let total = group.total
      let range =
        total.n == 1
        ? "" : " (\(Self.text(total.minimum)) to \(Self.milliseconds(total.maximum)))"
      var parts = ["n \(total.n)", "median \(Self.milliseconds(total.p50))\(range)"]
      // The goal is one of apps that show something, where nothing slows them down.
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

  /// What is left out and why, and what must be known before figures are believed.
  var notes: [String] {
    var notes = analysis.excluded.map { why, count in
      "left out of the figures: \(count) \(why.rawValue), because \(why.words)"
    }
    if analysis.groups.contains(where: \.key.isProfiled) {
      notes.append(
        "under a profiler, wall time includes the profiler's own cost: read processor time there, and measure without it"
      )
    }
    if analysis.all.contains(where: { $0.phases.contains(where: \.isCPUInferred) }) {
      notes.append(
        "processor time of phases is taken from the main thread's states (inferred)")
    }
    return notes
  }

  /// Whether there is nothing to tell.
  var isEmpty: Bool { analysis.all.isEmpty }

  /// A row a launch.
  func launches() -> TextTable {
    var table = TextTable([
      ("launch", .left), ("process", .left), ("until", .left), ("total ms", .right),
      ("over goal", .right), ("system ms", .right), ("app ms", .right), ("rest ms", .right),
      ("processor ms", .right), ("read MB", .right), ("counts", .left),
    ])
    for launch in analysis.all {
      let shares = LaunchShares(launch)
      let over = launch.total.map { max(.zero, $0 - LaunchShares.goal) }
      let read = launch.bytesRead.map { FixedNumber.text(Double($0) / 1e6, decimals: 1) }
      table.append([
        launch.name, launch.process ?? "", launch.until.words, Self.cell(launch.total),
        launch.kind == .resume || launch.until == .exited ? "" : Self.cell(over),
        Self.cell(shares?.system),
        Self.cell(shares?.app), Self.cell(shares?.rest), Self.cell(launch.cpu),
        read ?? "", launch.whyNoMeasurement.map { "no: \($0.rawValue)" } ?? "yes",
      ])
    }
    return table.withoutEmptyColumns
  }

  /// A row a phase of each group with more than one launch; `nil` when there is none.
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
  static func phases(of launch: RebuiltLaunch) -> TextTable {
    var table = TextTable([
      ("phase", .left), ("at ms", .right), ("wall ms", .right), ("processor ms", .right),
      ("running", .right), ("runnable", .right), ("preempted", .right), ("blocked", .right),
      ("unknown", .right), ("called", .left),
    ])
    let origin = launch.start ?? launch.phases.first?.start
    for phase in launch.phases {
      let times = phase.times
      table.append([
        phase.name.words, cell(origin.map { phase.start - $0 }), text(phase.wall),
        cell(phase.cpu), cell(times?.running), cell(times?.runnable),
        cell(times?.preempted), cell(times?.blocked), cell(times?.unknown), phase.label ?? "",
      ])
    }
    return table.withoutEmptyColumns
  }

  /// What the main thread waited for, by phase; `nil` when nothing is known of it.
  static func waits(of launch: RebuiltLaunch) -> TextTable? {
    var table = TextTable([
      ("blocked in", .left), ("ms", .right), ("waits", .right), ("ended by", .left),
      ("for", .left),
    ])
    for phase in launch.phases {
      for wait in phase.waits.prefix(mostRows) {
        table.append([
          phase.name.words, text(wait.length), "\(wait.count)",
          wait.unblockedBy?.words ?? "not known", wait.reason ?? "",
        ])
      }
    }
    return table.rows.isEmpty ? nil : table
  }

  /// The functions that took most time, by phase; `nil` when none is known.
  static func calls(of launch: RebuiltLaunch) -> TextTable? {
    var table = TextTable([
      ("function", .left), ("phase", .left), ("processor ms", .right), ("wall ms", .right),
      ("calls", .right), ("library", .left),
    ])
    for phase in launch.phases {
      for call in phase.calls.prefix(mostRows) {
        table.append([
          call.function, phase.name.words, cell(call.cpu), text(call.wall), "\(call.count)",
          call.library ?? "",
        ])
      }
    }
    return table.rows.isEmpty ? nil : table
  }

  /// The priority inversions of a launch; `nil` when there are none.
  static func inversions(of launch: RebuiltLaunch) -> TextTable? {
    guard !launch.inversions.isEmpty else { return nil }
    var table = TextTable([
      ("inversion at ms", .right), ("ms", .right), ("waits", .right), ("waiting", .left),
      ("priority", .right), ("for", .left), ("priority", .right),
      ("without a processor ms", .right),
    ])
    let origin = launch.start ?? launch.phases.first?.start
    for inversion in launch.inversions.prefix(20) {
      table.append([
        cell(origin.map { inversion.start - $0 }), text(inversion.length),
        "\(inversion.count)", inversion.waiter.words, "\(inversion.waiterPriority)",
        inversion.holder.words, "\(inversion.holderPriority)", text(inversion.starved),
      ])
    }
    return table
  }

  /// What to look at first; `nil` when nothing is worth it.
  static func findings(of launch: RebuiltLaunch) -> TextTable? {
    let findings = launch.findings.prefix(mostFindings)
    guard !findings.isEmpty else { return nil }
    var table = TextTable([
      ("", .right), ("question", .left), ("ms", .right), ("phase", .left), ("what", .left),
    ])
    for (place, finding) in findings.enumerated() {
      table.append([
        "\(place + 1)", finding.question.rawValue, text(finding.cost), finding.phase.words,
        finding.words,
      ])
    }
    return table
  }

  /// The tables of a launch that there are, with what each shows.
  static func all(of launch: RebuiltLaunch) -> [(name: String, table: TextTable)] {
    let tables = [
      ("phases", phases(of: launch)), ("waits of the main thread", waits(of: launch)),
      ("priority inversions", inversions(of: launch)),
      ("most costly functions", calls(of: launch)),
      ("what to look at first", findings(of: launch)),
    ]
    return tables.compactMap { name, table in table.map { (name, $0) } }
  }

  /// How many waits or functions of a phase are listed.
  private static let mostRows = 5
  /// How many things to look at first are listed.
  private static let mostFindings = 10

  private static func cell(_ length: Nanoseconds?) -> String { length.map(text) ?? "" }
  private static func text(_ length: Nanoseconds) -> String { text(Double(length.count)) }

  private static func text(_ length: Double) -> String {
    length == 0 ? "0" : FixedNumber.text(length / 1e6, decimals: abs(length) < 1e7 ? 2 : 1)
  }

  private static func milliseconds(_ length: Double) -> String { "\(text(length)) ms" }

  private static func whole(_ length: Nanoseconds) -> String {
    "\(FixedNumber.text(length.milliseconds, decimals: 0)) ms"
  }
}

import FrameTrace

extension XctraceJoin {
  /// Adds the launches found in the periods of processes' lives.
  ///
  /// A launch begins with the creation of its process, otherwise with the first period of the process. Its first frame
  /// is complete at the end of the frame's period.
  mutating func addLaunches() {
    let periods = recording.launches.periods.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    var current: [XctraceProcess: Int64] = [:]
    var behind = 0
    var rows: [Table<LaunchColumn>.Row] = []
    for period in periods {
      guard let step = LaunchStep(period.name) else {
        if period.name.hasPrefix("Initializing") || period.name.hasPrefix("Launching") {
          builder.log.note(
            .unknownRecord, .info, "launch periods named \(period.name), left out")
        }
        continue
      }
      if step == .creation || current[period.process] == nil {
        current[period.process] = Int64(rows.count)
        rows.append(launch(period, number: rows.count + 1))
      }
      guard let number = current[period.process] else { continue }
      let position = Int(number)
      // A second scene of a running app is not part of its launch.
      if step != .creation, rows[position][.firstFrame] != nil {
        behind += 1
        continue
      }
      switch step {
      case .creation:
        rows[position][.tapped] = period.start
        rows[position][.started] = period.end
      case .phase(let name):
        rows[position][.started] = rows[position][.started] ?? period.start
        add(period, name, of: number + 1)
        if name == .firstFrame { rows[position][.firstFrame] = period.end }
      }
    }
    for row in rows { builder.trace.launches.append(row) }
    builder.log.note(
      .unknownRecord, .info, "periods after the first frame of their launch, left out",
      count: behind)
  }

  private mutating func launch(
    _ period: XctraceLaunchFacts.Period, number: Int
  ) -> Table<LaunchColumn>.Row {
    var row = Table<LaunchColumn>.Row()
    row[.identifier] = Int64(number)
    row[.process] = period.process.name.map { builder.trace.launches.texts.number(of: $0) }
    // Instruments is a profiler.
    row[.profiled] = 1
    return row
  }

  private mutating func add(
    _ period: XctraceLaunchFacts.Period, _ name: PhaseColumn.Name, of launch: Int64
  ) {
    var row = Table<PhaseColumn>.Row()
    row[.launch] = launch
    row[.name] = name.rawValue
    row[.start] = period.start
    row[.end] = period.end
    row[.label] = builder.trace.phases.texts.number(of: period.name)
    builder.trace.phases.append(row)
  }
}

/// The step of a launch that a period of a process's life belongs to.
private enum LaunchStep: Equatable {
  /// The system creates the process.
  case creation
  case phase(PhaseColumn.Name)

  /// The words in the names of periods, each with its step.
  private static let words: [(word: String, step: LaunchStep)] = [
    ("Process Creation", .creation),
    ("System Interface", .phase(.systemInterface)),
    ("Static", .phase(.staticInitialization)),
    ("UIKit Initialization", .phase(.frameworkInitialization)),
    ("AppKit Initialization", .phase(.frameworkInitialization)),
    ("Scene Creation", .phase(.applicationInitialization)),
    ("didFinishLaunching", .phase(.applicationInitialization)),
    ("Initial Frame", .phase(.firstFrame)),
  ]

  /// - Returns: `nil` for a period that is not part of a launch, or is unknown.
  init?(_ name: String) {
    guard let known = Self.words.first(where: { name.contains($0.word) }) else { return nil }
    self = known.step
  }
}

import FrameAnalysis
import FrameTrace

extension ThreadWait {
  /// The main thread's waits that one thread ended, as a row of results.
  static let columns: [ResultColumn<ThreadWait>] = [
    .length("", "how long they took together", \.length)
      .shown("ms", .right) { LaunchText.text($0.length) },
    .integer("count", "how many there are", \.count).shown("waits", .right),
    .text("by", "the thread that ended them") { $0.unblockedBy?.words }
      .otherwise("the trace does not say")
      .shown("ended by") { $0.unblockedBy?.words ?? "not known" },
    .text("reason", "what was waited for, in the source's words", \.reason)
      .otherwise("the trace does not say").shown("for"),
  ]
}

extension CallTime {
  /// A function that the main thread called, as a row of results.
  static let columns: [ResultColumn<CallTime>] = [
    .text("function", "its name", \.function).shown("function"),
    .length("cpu", "processor time in it", \.cpu)
      .otherwise("the trace does not say")
      .shown("processor ms", .right) { LaunchText.cell($0.cpu) },
    .length("wall", "from entering to leaving it", \.wall)
      .shown("wall ms", .right) { LaunchText.text($0.wall) },
    .integer("count", "how often it was called", \.count).shown("calls", .right),
    .text("library", "the library that it is part of", \.library)
      .otherwise("the trace does not say").shown("library"),
  ]
}

/// A priority inversion of a launch, as a row of results.
struct InversionRow: Sendable {
  let launch: RebuiltLaunch
  let inversion: PriorityInversion

  /// When the inversion began; relative to the first phase if the launch's start is unknown.
  private var start: Nanoseconds? {
    (launch.start ?? launch.phases.first?.start).map { inversion.start - $0 }
  }

  static let columns: [ResultColumn<InversionRow>] = [
    .length("at", "when it began first, from the start of the launch", \.start)
      .otherwise("the launch's start is not known")
      .shown("inversion at ms", .right) { LaunchText.cell($0.start) },
    .length("", "how long the main thread waited", \.inversion.length)
      .shown("ms", .right) { LaunchText.text($0.inversion.length) },
    .integer("count", "in how many waits", \.inversion.count).shown("waits", .right),
    .text("waiter", "the thread that waited", \.inversion.waiter.words).shown("waiting"),
    .integer("waiter_priority", "its priority", \.inversion.waiterPriority)
      .shown("priority", .right),
    .text("holder", "the thread that held what it waited for", \.inversion.holder.words)
      .shown("for"),
    .integer("holder_priority", "its priority", \.inversion.holderPriority)
      .shown("priority", .right),
    .length("starved", "how long the holder had no processor", \.inversion.starved)
      .shown("without a processor ms", .right) { LaunchText.text($0.inversion.starved) },
  ]
}

/// A finding on a launch, as a row of results.
struct LaunchFindingRow: Sendable {
  let launch: RebuiltLaunch
  /// The finding's rank in the launch, from 1.
  let rank: Int
  let finding: LaunchFinding

  static let columns: [ResultColumn<LaunchFindingRow>] = [
    .integer("launch", "the launch's number", \.launch.number)
      .shown("rank", .right) { "\($0.rank)" },
    .text("question", "what to ask: minimize, prioritize or optimize") {
      $0.finding.question.rawValue
    }.shown("question"),
    .length("", "what it costs the launch", \.finding.cost)
      .shown("ms", .right) { LaunchText.text($0.finding.cost) },
    .text("phase", "the phase that it is about") { "\($0.finding.phase)" }
      .shown("phase") { $0.finding.phase.words },
    .text("text", "what it is and what to ask, in words", \.finding.words).shown("what"),
  ]

  /// The findings of a launch, the most costly first.
  static func rows(_ launch: RebuiltLaunch) -> [LaunchFindingRow] {
    launch.findings.enumerated().map {
      LaunchFindingRow(launch: launch, rank: $0.offset + 1, finding: $0.element)
    }
  }
}

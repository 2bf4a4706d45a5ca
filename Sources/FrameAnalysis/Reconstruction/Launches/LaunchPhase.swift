public import FrameTrace

/// A phase of a launch, with the activity of the main thread.
public struct LaunchPhase: Sendable {
  /// The kind of phase.
  public let name: PhaseColumn.Name
  /// The source's name for the phase; `nil` where it has none.
  public let label: String?
  /// When the phase began and when it ended.
  public let start, end: Timestamp
  /// How long the main thread ran in the phase; `nil` if unknown.
  public let cpu: Nanoseconds?
  /// Whether the processor time was derived from the thread's states because the source does not
  /// state it.
  public let isCPUInferred: Bool
  /// The main thread's time in each state; `nil` when not known.
  public let times: ThreadTimes?
  /// The waits of the main thread, the longest first.
  public let waits: [ThreadWait]
  /// The functions that the main thread was in, the most costly first.
  public let calls: [CallTime]
  /// How long the main thread ran in functions that take a tenth of the phase or more; `nil` if unknown.
  let namedCPU: Nanoseconds?
  /// The priority inversions of the main thread in the phase, the longest first.
  let inversions: [PriorityInversion]

  /// The duration of the phase.
  public var wall: Nanoseconds { end - start }
}

extension LaunchPhase {
  /// The maximum length of a launch, about two years; longer times are invalid.
  static let longest = Nanoseconds(1 << 56)

  /// - Parameters:
  ///   - thread: The main thread; `nil` when not known.
  ///   - waiting: The time in which waits of the main thread count.
  init?(_ facts: LaunchFacts, row: Int, thread: Int64?, waiting: Range<Timestamp>) {
    let phases = facts.trace.phases
    guard let name = phases[row, .name].flatMap(PhaseColumn.Name.init),
      let start = phases.time(row, .start), let end = phases.time(row, .end), end >= start,
      end - start < Self.longest
    else { return nil }
    self.name = name
    label = phases.text(row, .label)
    (self.start, self.end) = (start, end)
    times = thread.flatMap { facts.timelines.times(of: $0, in: start..<end) }
    waits = thread.map { Self.waits(of: $0, start..<end, facts) } ?? []
    let found = thread.map { facts.calls.all(of: $0, in: start..<end) } ?? .none
    calls = found.functions
    namedCPU = found.namedCPU
    let waits = (start..<end).clamped(to: waiting)
    inversions = thread.map { PriorityInversions(facts).all(of: $0, in: waits) } ?? []
    let stated = phases.duration(row, .cpu).flatMap { Self.isPossible($0) ? $0 : nil }
    // Gaps in the known states of more than a twentieth of the phase are more than a sampling
    // effect.
    let known = times.flatMap { $0.unknown <= $0.total / 20 ? $0.running : nil }
    cpu = stated ?? known
    isCPUInferred = stated == nil && known != nil
  }

  /// Whether a launch can have used this much processor time.
  static func isPossible(_ time: Nanoseconds) -> Bool { (.zero..<longest).contains(time) }

  private static func waits(
    of thread: Int64, _ span: Range<Timestamp>, _ facts: LaunchFacts
  ) -> [ThreadWait] {
    struct Key: Hashable {
      let thread: Int64?
      let reason: String?
    }
    var found: [Key: ThreadWait] = [:]
    for wait in facts.timelines.stretches(of: thread, in: span) where wait.state == .blocked {
      let key = Key(thread: wait.unblockedBy, reason: wait.reason)
      let unblocker = { key.thread.map(facts.name) }
      found[
        key,
        default: ThreadWait(unblockedBy: unblocker(), reason: key.reason, length: .zero, count: 0)
      ].length += wait.span.length
      found[key]?.count += 1
    }
    return found.values.sorted {
      ($1.length, $0.unblockedBy?.identifier ?? .min, $0.reason ?? "")
        < ($0.length, $1.unblockedBy?.identifier ?? .min, $1.reason ?? "")
    }
  }
}

extension PhaseColumn.Name {
  /// The phase in words.
  public var words: String {
    switch self {
    case .systemInterface: "system interface"
    case .staticInitialization: "static initialization"
    case .frameworkInitialization: "framework initialization"
    case .applicationInitialization: "application initialization"
    case .firstFrame: "first frame"
    case .extended: "extended"
    }
  }
}

/// How the time of a launch is divided between the system and the app.
///
/// Apple, "Optimizing App Launch", WWDC 2019: of 400 ms, about 100 belong to the system, which starts the process,
/// links it and sets up its framework. The other 300 belong to the app, for its static initializers, initialization and
/// first frame.
package struct LaunchShares: Hashable, Sendable {
  /// The goal for the total time from the start to the first frame.
  package static let goal = Nanoseconds(400_000_000)
  package static let systemGoal = Nanoseconds(100_000_000)
  package static let appGoal = Nanoseconds(300_000_000)

  package private(set) var system = Nanoseconds(0)
  package private(set) var app = Nanoseconds(0)
  /// The time that no phase accounts for; negative where phases overlap or extend beyond the
  /// launch.
  package let rest: Nanoseconds

  /// - Returns: `nil` if the phases or the total are unknown.
  package init?(_ launch: RebuiltLaunch) {
    guard let total = launch.total, let start = launch.start, !launch.phases.isEmpty,
      launch.kind != .resume
    else { return nil }
    if let processStart = launch.processStart, processStart > start {
      system = processStart - start
    }
    for phase in launch.phases {
      switch phase.name {
      case .systemInterface, .frameworkInitialization: system = system + phase.wall
      case .staticInitialization, .applicationInitialization, .firstFrame: app = app + phase.wall
      case .extended: break
      }
    }
    rest = total - system - app
  }
}

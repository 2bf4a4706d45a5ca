public import FrameTrace

/// Something that makes a launch longer, with the question that it raises.
///
/// The questions and their order are from Apple, "Optimizing App Launch", WWDC 2019: minimize the work, then prioritize
/// it, then optimize the remaining work.
public struct LaunchFinding: Hashable, Sendable {
  /// A question that an engineer asks about a launch.
  public enum Question: String, Sendable, CaseIterable {
    /// Does the work have to be done before the first frame, or at all?
    case minimize
    /// Is the work that the user waits for done first?
    case prioritize
    /// Can the remaining work be done with less?
    case optimize
  }

  /// The question that the finding raises.
  public let question: Question
  /// The phase that the finding is about.
  public let phase: PhaseColumn.Name
  /// How much time the finding adds to the launch.
  public let cost: Nanoseconds
  /// A description of the finding, with the question.
  public let words: String
}

extension LaunchFinding {
  /// Findings below this cost are not listed: most launches improve in steps of 5 to 10 ms.
  static let least = Nanoseconds(5_000_000)

  /// What makes a launch longer, the most costly first.
  static func all(_ launch: RebuiltLaunch) -> [LaunchFinding] {
    let phases = launch.phases.filter { $0.name != .extended }
    let found = phases.flatMap { phase in
      calls(phase) + waits(phase) + starvation(phase) + rest(phase)
    }
    return found.filter { $0.cost >= least }.sorted {
      ($1.cost, $0.phase.rawValue) < ($0.cost, $1.phase.rawValue)
    }
  }

  /// The functions that take a tenth of the phase or more.
  private static func namedFunctions(_ phase: LaunchPhase) -> [CallTime] {
    let span = phase.start..<phase.end
    return phase.calls.filter { CallTimes.isTelling($0, of: span) }
  }

  private static func calls(_ phase: LaunchPhase) -> [LaunchFinding] {
    namedFunctions(phase).map { call in
      let times = call.count == 1 ? "" : ", \(call.count) calls"
      let library = call.library.map { " (\($0))" } ?? ""
      let clock = call.cpu == nil ? "" : "processor time of "
      let ask =
        phase.name == .staticInitialization
        ? "it runs before main whether it is used or not: can it be initialized on first use, or not be linked?"
        : "must it run before the first frame?"
      return LaunchFinding(
        question: .minimize, phase: phase.name, cost: call.cost,
        words: "\(clock)\(call.function)\(library)\(times): \(ask)")
    }
  }

  /// The waits in the phase: for threads of lower priority, and all others.
  private static func waits(_ phase: LaunchPhase) -> [LaunchFinding] {
    let own = phase.inversions
    let inverted = own.map { inversion in
      let starved =
        inversion.starved == .zero
        ? "" : ", \(milliseconds(inversion.starved)) of it without a processor"
      return LaunchFinding(
        question: .prioritize, phase: phase.name, cost: inversion.length,
        words:
          "\(inversion.waiter.words) (priority \(inversion.waiterPriority)) waits for \(inversion.holder.words) (priority \(inversion.holderPriority))\(starved): can the work run at the waiting thread's priority, or can the wait be avoided?"
      )
    }
    // The app cannot change what the system does for itself.
    guard phase.isOfApp, let times = phase.times else { return inverted }
    let rest = times.blocked - own.reduce(.zero) { $0 + $1.length }
    let holders = own.map { $0.holder }
    let others = phase.waits.filter { wait in wait.unblockedBy.map { !holders.contains($0) } ?? true
    }
    let longest = others.first.map { wait in
      let by = wait.unblockedBy.map { ", longest until \($0.words) ends it" } ?? ""
      return by + (wait.reason.map { " (\($0))" } ?? "")
    }
    let blocked = LaunchFinding(
      question: .minimize, phase: phase.name, cost: rest,
      words: "the main thread is blocked\(longest ?? ""): can it continue without waiting?")
    return inverted + [blocked]
  }

  private static func starvation(_ phase: LaunchPhase) -> [LaunchFinding] {
    guard let times = phase.times else { return [] }
    return [
      LaunchFinding(
        question: .prioritize, phase: phase.name, cost: times.starved,
        words:
          "the main thread is ready to run but has no processor: which other work could run later?"
      )
    ]
  }

  private static func rest(_ phase: LaunchPhase) -> [LaunchFinding] {
    guard phase.isOfApp, let cpu = phase.cpu, let namedCPU = phase.namedCPU else { return [] }
    let functions = namedFunctions(phase)
    let left = cpu - namedCPU
    let words =
      functions.isEmpty
      ? "processor time of the main thread not attributed to a function" : "processor time left"
    return [
      LaunchFinding(
        question: .optimize, phase: phase.name, cost: left,
        words:
          "\(words): can it be simplified, limited to what is visible, or cached from the last launch?"
      )
    ]
  }

  private static func milliseconds(_ length: Nanoseconds) -> String {
    "\(FixedNumber.text(length.milliseconds, decimals: 1)) ms"
  }
}

extension LaunchPhase {
  /// Whether the phase is the app's work and not the system's.
  var isOfApp: Bool {
    switch name {
    case .staticInitialization, .applicationInitialization, .firstFrame, .extended: true
    case .systemInterface, .frameworkInitialization: false
    }
  }
}

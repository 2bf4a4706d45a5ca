import FrameAnalysis
import FrameTrace

/// A launch as a row of results.
enum LaunchColumns {
  private static let notStated = "the trace does not say"

  /// All columns of a launch.
  static let all = identity + times + counting

  /// The columns that identify a launch.
  static let identity: [ResultColumn<RebuiltLaunch>] = [
    .integer("id", "its number in the trace", \.number).shown("launch") { $0.name },
    .text(LaunchKey.process, "the process", \.process).otherwise(notStated).shown("process"),
    .text(LaunchKey.kind, "cold, warm, prewarm or resume") { $0.kind.map { "\($0)" } }
      .otherwise(notStated),
    .flag("throwaway", "whether it was made only to warm up", \.isThrowaway),
    .flag("profiled", "whether a profiler slowed it down", \.isProfiled),
    .text(LaunchKey.from, "what its total is measured from: tap or process") {
      $0.start == nil ? nil : $0.isFromTap ? LaunchKey.tap : "process"
    }.otherwise("neither a tap nor a start is known"),
    .text(LaunchKey.until, "what ends it") { "\($0.until)" }.shown("until") { $0.until.words },
  ]

  /// How long the launch took, and the shares of the system and the app.
  private static let times: [ResultColumn<RebuiltLaunch>] = [
    .length("total", "from its start to its end", \.total).otherwise {
      $0.start == nil
        ? "its start is not known" : "no \($0.until.words) after its start is known"
    }.shown("total ms", .right) { LaunchText.cell($0.total) },
    .length("goal", "the goal for launches") { _ in LaunchShares.goal },
    .length("over_goal", "by how much it is over the goal") { launch in
      launch.kind == .resume || launch.until == .exited
        ? nil : launch.total.map { max(.zero, $0 - LaunchShares.goal) }
    }.otherwise("the goal applies only to first frames").shown("over goal ms", .right) { launch in
      launch.kind == .resume || launch.until == .exited
        ? "" : LaunchText.cell(launch.total.map { max(.zero, $0 - LaunchShares.goal) })
    },
    share("system", "the system's share") { $0.system },
    share("app", "the app's share") { $0.app },
    share("rest", "what is neither's") { $0.rest },
    .length("cpu", "processor time of the main thread, or of the process", \.cpu)
      .otherwise(notStated).shown("processor ms", .right) { LaunchText.cell($0.cpu) },
    .integer("bytes_read", "how many bytes were read from disk", \.bytesRead)
      .otherwise(notStated).shown("read MB", .right) { launch in
        launch.bytesRead.map { FixedNumber.text(Nanoseconds($0).milliseconds, decimals: 1) } ?? ""
      },
  ]

  /// Whether the launch counts in the figures of its group.
  static let counting: [ResultColumn<RebuiltLaunch>] = [
    .flag(LaunchKey.measured, "whether it counts in the figures", \.isMeasurement)
      .shown("counts") { $0.whyNoMeasurement.map { "no: \($0.rawValue)" } ?? "yes" },
    .text("why_not_measured", "why it does not count") { $0.whyNoMeasurement?.words }.ifAny,
  ]

  private static func share(
    _ key: String, _ meaning: String, _ share: @escaping @Sendable (LaunchShares) -> Nanoseconds
  ) -> ResultColumn<RebuiltLaunch> {
    .length(key, meaning) { launch in LaunchShares(launch).map(share) }
      .otherwise {
        $0.kind == .resume
          ? "a resume is not a launch" : "the phases or the total are not known"
      }
      .shown("\(key) ms", .right) { launch in LaunchText.cell(LaunchShares(launch).map(share)) }
  }
}

/// A phase of a launch, or the complete launch, as a row of results.
struct LaunchPhaseRow: Sendable {
  let launch: RebuiltLaunch
  /// The phase; `nil` for the complete launch.
  let phase: LaunchPhase?

  /// The time to which the launch's start is relative.
  private var start: Nanoseconds? {
    launch.start.map { origin in phase.map { $0.start - origin } ?? .zero }
  }

  /// The same time for people, for whom launches with an unknown start are also shown.
  private var shownStart: Nanoseconds? {
    phase.flatMap { phase in
      (launch.start ?? launch.phases.first?.start).map { phase.start - $0 }
    }
  }

  private var cpu: Nanoseconds? { phase.map(\.cpu) ?? launch.cpu }

  static let columns: [ResultColumn<LaunchPhaseRow>] =
    [
      .text(LaunchKey.name, "the phase, or total for the whole launch") { row in
        row.phase.map { "\($0.name)" } ?? "total"
      }.shown("phase") { $0.phase?.name.words ?? "total" },
      .length("at", "when it starts, from the start of the launch", \.start)
        .otherwise("the launch's start is not known")
        .shown("at ms", .right) { LaunchText.cell($0.shownStart) },
      .length("wall", "how long it takes") { $0.phase.map(\.wall) ?? $0.launch.total }
        .shown("wall ms", .right) { LaunchText.cell($0.phase?.wall ?? $0.launch.total) },
      .length("cpu", "processor time in it", \.cpu)
        .otherwise("neither the processor time nor all states of the main thread are known")
        .shown("processor ms", .right) { LaunchText.cell($0.cpu) },
      .flag("cpu_inferred", "whether that is taken from the main thread's states") {
        $0.phase?.isCPUInferred
      },
      state("running", "how long the main thread ran") { $0.running },
      state("runnable", "how long it could run and did not") { $0.runnable },
      state("preempted", "how long another thread had its core") { $0.preempted },
      state("blocked", "how long it waited") { $0.blocked },
      state("unknown", "how long its state is not known") { $0.unknown },
      .text("called", "what the source calls it") { $0.phase?.label }
        .otherwise("the source has no other name for it").shown("called"),
    ]

  private static func state(
    _ key: String, _ meaning: String, _ time: @escaping @Sendable (ThreadTimes) -> Nanoseconds
  ) -> ResultColumn<LaunchPhaseRow> {
    .length(key, meaning) { row in row.phase?.times.map(time) }
      .otherwise("the trace does not say what the main thread did")
      .shown(key, .right) { row in LaunchText.cell(row.phase?.times.map(time)) }
  }
}

extension LaunchPhaseRow {
  /// The rows of a launch: the complete launch, and each of its phases.
  static func rows(_ launch: RebuiltLaunch) -> [LaunchPhaseRow] {
    [LaunchPhaseRow(launch: launch, phase: nil)] + phases(launch)
  }

  /// The phases of a launch.
  static func phases(_ launch: RebuiltLaunch) -> [LaunchPhaseRow] {
    launch.phases.map { LaunchPhaseRow(launch: launch, phase: $0) }
  }
}

/// Durations in text about launches.
enum LaunchText {
  static func cell(_ length: Nanoseconds?) -> String { length.map { text($0) } ?? "" }

  static func text(_ length: Nanoseconds) -> String { text(milliseconds: length.milliseconds) }

  static func text(milliseconds: Double) -> String {
    milliseconds == 0
      ? "0" : FixedNumber.text(milliseconds, decimals: abs(milliseconds) < 10 ? 2 : 1)
  }
}

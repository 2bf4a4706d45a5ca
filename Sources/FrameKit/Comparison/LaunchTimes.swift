/// How long a launch took, of those that may be compared.
public struct LaunchTime: Hashable, Sendable {
  /// In nanoseconds.
  public let time: Int64
  /// cold or warm; `nil` when not known.
  public let kind: LaunchColumn.Kind?

  /// The name of what it is a value of, as metrics are named.
  static func metric(_ kind: LaunchColumn.Kind?) -> String {
    kind.map { "\($0)LaunchTime" } ?? "launchTime"
  }

  /// The kinds of launches that are told apart; a resume is none.
  static let kinds: [LaunchColumn.Kind?] = [.cold, .warm, nil]
}

/// The launches of a trace that are measurements: from the tap, or the start of the process, to
/// the first frame or to what else ends them.
///
/// Launches that only warm things up are left out, and so are resumes, which are none. Those under
/// a profiler count only where there are no others.
struct LaunchTimes: Sendable {
  /// In order.
  let times: [LaunchTime]
  /// Whether they were taken under a profiler.
  let areProfiled: Bool
  /// What ends them; `nil` when there are none.
  let until: LaunchColumn.End?

  /// No launches.
  static let none = LaunchTimes(times: [], areProfiled: false, until: nil)

  private init(times: [LaunchTime], areProfiled: Bool, until: LaunchColumn.End?) {
    (self.times, self.areProfiled, self.until) = (times, areProfiled, until)
  }

  init(_ trace: Trace) {
    let launches = RebuiltLaunch.all(trace)
    let measured = launches.filter(\.isMeasurement)
    let counted =
      measured.isEmpty
      ? launches.filter { $0.whyNoMeasurement == .profiled && $0.total != nil } : measured
    let until = counted.first?.until
    times = counted.filter { $0.until == until }.compactMap { launch in
      launch.total.map { LaunchTime(time: $0.count, kind: launch.kind) }
    }
    areProfiled = measured.isEmpty && !counted.isEmpty
    self.until = until
  }
}

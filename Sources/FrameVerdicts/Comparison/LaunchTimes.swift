public import FrameAnalysis
import FrameTrace

/// How long a launch took, of those that may be compared.
public struct LaunchTime: Hashable, Sendable {
  /// In nanoseconds.
  public let time: Int64
  /// From what until what it was measured.
  public let measure: LaunchMeasure

  package init(
    time: Int64, measure: LaunchMeasure
  ) {
    self.time = time
    self.measure = measure
  }
}

/// The launches of a trace that are measurements.
///
/// Launches that only warm things up are left out, and so are resumes, which are none. Those under
/// a profiler count only where there are no others.
struct LaunchTimes: Sendable {
  /// What was launched; `nil` when not known.
  let process: String?
  /// In order.
  let times: [LaunchTime]
  /// Whether they were taken under a profiler.
  let areProfiled: Bool

  /// No launches.
  static let none = LaunchTimes(process: nil, times: [], areProfiled: false)

  private init(process: String?, times: [LaunchTime], areProfiled: Bool) {
    (self.process, self.times, self.areProfiled) = (process, times, areProfiled)
  }

  /// - Parameters:
  ///   - launches: Those of a trace.
  ///   - process: Of several processes the one that is meant; else the one with most
  ///   measurements is.
  init(_ launches: [RebuiltLaunch], of process: String? = nil) {
    let launches = launches.ofOneProcess(process)
    let measured = launches.filter(\.isMeasurement)
    let counted =
      measured.isEmpty
      ? launches.filter { $0.whyNoMeasurement == .profiled && $0.total != nil } : measured
    self.process = launches.first?.process
    times = counted.compactMap { launch in
      launch.total.map { LaunchTime(time: $0.count, measure: LaunchMeasure(launch)) }
    }
    areProfiled = measured.isEmpty && !counted.isEmpty
  }
}

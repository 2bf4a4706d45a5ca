public import FrameAnalysis
import FrameTrace

/// The duration of a launch that can be compared.
public struct LaunchTime: Hashable, Sendable {
  /// The duration in nanoseconds.
  public let time: Int64
  /// The measure: the points between which the duration was measured.
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
/// Launches that only warm things up are left out, and so are resumes, because they are not
/// launches. Launches under a profiler count only if there are no others.
struct LaunchTimes: Sendable {
  /// The process that was launched; `nil` if unknown.
  let process: String?
  /// The launch times, in order.
  let times: [LaunchTime]
  /// Whether the launches were recorded under a profiler.
  let areProfiled: Bool

  /// No launches.
  static let none = LaunchTimes(process: nil, times: [], areProfiled: false)

  private init(process: String?, times: [LaunchTime], areProfiled: Bool) {
    (self.process, self.times, self.areProfiled) = (process, times, areProfiled)
  }

  /// - Parameters:
  ///   - launches: The launches of a trace.
  ///   - process: The process to use if there are several; by default the one with the most
  ///     measurements.
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

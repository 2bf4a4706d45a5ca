import FrameStatistics
public import FrameTrace

/// What kept the frames of a free-running surface from coming sooner: the GPU, the CPU, a limiter or the display, as
/// far as busy times show the limit.
///
/// The rule follows the descriptions of PresentMon, whose GPU busy time is close to the frame time
/// where the GPU is the limit, and CapFrameX, which compares GPU active time with frame time. Frames
/// are judged in stretches of 60:
/// 1. A frame is GPU-bound if the GPU was busy for at least nine tenths of its frame time.
/// 2. Otherwise, it waits for the display if the app waits for refreshes and the frame was shown as soon after the
///    previous one as the display allows, in a stretch whose frames usually come at the display's rate.
/// 3. Otherwise, if the CPU was busy for at least nine tenths of its frame time, it is limited if its
///    stretch keeps a pace as regular as a clock and the GPU has time to spare: a limiter that sleeps
///    outside the present call looks like CPU work.
/// 4. Otherwise, such a frame is CPU-bound. Where the source counts the app's sleep as work, the frames are limited instead
///    if most keep a lower rate, and unknown if their drops cannot be judged.
/// 5. Otherwise, it is bound by the stage whose work took longer than all refreshes but the last that
///    it was shown after: the display only rounds it up.
/// 6. Otherwise, both waited: a cap or a wait in the present call limits it.
public struct FrameLimits: Hashable, Sendable {
  /// What limits a frame.
  public enum Limit: String, Sendable, CaseIterable {
    case gpu, cpu
    /// A cap or a limiter: in the present call, or in a sleep.
    case limited
    /// The display's rate: a frame could not have been shown at an earlier refresh.
    case display
    /// The source lacks a time that the frame's limit depends on.
    case unknown
  }

  /// How many of the judged frames (those with a frame time) each limit holds back.
  public let counts: LimitCounts
  /// The number of the application's frames that have no frame time, or whose frame time includes a pause.
  public let missing: Int
  /// The medians of the frames with the main limit; for a long trace, of about 16,384 evenly spaced frames. `nil` if
  /// the source does not record the times.
  public let gpuBusy, cpuBusy: Nanoseconds?
  /// The same for the time from the start of the GPU's work to its end.
  package let gpuTime: Nanoseconds?
  /// The median frame time of those frames.
  public let frameTime: Nanoseconds
  /// Whether CPU-bound frames may actually be limited: the source counts waits outside the present call as CPU work.
  public let isInferred: Bool
  /// Whether the GPU's busy times are estimated from its utilization.
  public let isEstimated: Bool
  /// For each frame, starting at `first`, what limits it; `nil` for a frame that is not judged.
  private let limits: [Limit?]
  private let first: Int

  /// The judged frames with their rows, in order.
  package var frames: some Sequence<(row: Int, limit: Limit)> {
    limits.lazy.enumerated().compactMap { [first] position, limit in
      limit.map { (row: first + position, limit: $0) }
    }
  }
}

extension FrameLimits {
  /// Why the limits of a surface's frames are unknown, if they are.
  package static func whyMissing(_ measured: MeasuredSurface) -> String {
    missingTimes(measured)
      ?? (measured.rebuilt?.timeline.schedule.unjudged == nil ? nil : countsSleep)
      ?? (measured.frames.has(.gpuBusy)
        ? "fewer than \(fewest) frames have a frame time and known busy times" : noGPU)
  }

  /// With fewer frames that have a frame time, no limit is shown.
  package static let fewest = 10

  /// Reasons that lie in the source, which another recording could mend.
  package static let notRecorded = [noGPU, noApp, countsSleep]
  private static let countsSleep =
    "the source counts the app's sleep as work"
  private static let noGPU = "the source does not record how long the GPU was busy"
  private static let noApp = "the source does not record when the app was busy"

  private static func missingTimes(_ measured: MeasuredSurface) -> String? {
    let frames = measured.frames
    guard measured.rebuilt?.timeline.schedule.isFree ?? true else {
      return "a refresh starts each frame, so its stages are judged by when it was due"
    }
    let evidence = measured.evidence
    guard evidence.shows(.gpuTime) || frames.has(.gpuTime) else { return noGPU }
    return evidence.shows(.commit) && (evidence.shows(.appStart) || frames.has(.startInterval))
      ? nil : noApp
  }

  /// - Returns: `nil` where the source does not say, or too few frames have a frame time.
  init?(_ measured: MeasuredSurface) {
    guard Self.missingTimes(measured) == nil, let rebuilt = measured.rebuilt else { return nil }
    let schedule = rebuilt.timeline.schedule
    var judge = LimitJudge(measured.rows)
    missing = LimitColumns(measured, rebuilt).read { judge.add($0, schedule) }
    judge.finish(schedule)
    // If no limit is known, a source with gaps is treated like one without the times.
    guard judge.counts.n >= Self.fewest, judge.counts[.unknown] < judge.counts.n else { return nil }
    (counts, limits, first) = (judge.counts, judge.limits, measured.rows.lowerBound)
    isInferred = !schedule.evidence.measuresStarts
    isEstimated = schedule.evidence[.gpuTime] == .estimated
    let main = judge.counts.main
    let frames = judge.sample.filter { $0.limit == main }.map(\.frame)
    gpuBusy = frames.compactMap(\.gpuBusy).median
    cpuBusy = frames.compactMap(\.cpuBusy).median
    gpuTime = frames.compactMap(\.gpuTime).median
    frameTime = frames.map(\.length).median ?? .zero
  }
}

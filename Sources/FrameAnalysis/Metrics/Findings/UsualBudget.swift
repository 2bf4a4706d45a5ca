public import FrameTrace

/// The usual times of the stages that share one interval of the display, if together they exceed that interval. Such a
/// chain does not recover from a late frame by itself.
public struct UsualBudget: Hashable, Sendable {
  /// The total time of the stages: the sum of their medians over the frames that dropped no refresh, or over all frames
  /// if nearly all dropped one.
  public let used: Nanoseconds
  /// The time available: an interval of the display, or of the lower rate that the surface keeps.
  public let budget: Nanoseconds
  /// The stages, in the order of the pipeline.
  public let stages: [PipelineStage]
  /// The smallest number of frames used for any of the medians.
  public let n: Int

  private static let fewestFrames = 10

  /// - Parameter buffers: How many buffers the surface has; `nil` where that is not known.
  /// - Returns: `nil` where the stages fit their budget, or share none.
  init?(_ timeline: SurfaceTimeline, buffers: Int?) {
    let schedule = timeline.schedule
    let stages = timeline.stages
    let hasDropped = timeline.hasDropped
    let shown = (0..<stages.count).filter {
      schedule.displayed[$0] != nil && !stages.isGenerated($0)
    }
    let onTime = shown.filter { !hasDropped[$0] }
    let frames = onTime.count < Self.fewestFrames ? shown : onTime
    let lowLatency = frames.count(where: stages.isLowLatency)
    let isLowLatency = lowLatency * 2 > frames.count
    let own = frames.filter { stages.isLowLatency($0) == isLowLatency }
    let shared: [PipelineStage]
    if schedule.isFree {
      // If a frame is begun while others are in progress, the stages work on several frames at once.
      guard schedule.evidence.measuresStarts else { return nil }
      let apart = own.count { row in
        guard row > 0, let before = stages.queued(row - 1) else { return false }
        return stages.appStart(row).map { $0 >= before } ?? false
      }
      guard apart * 2 > own.count else { return nil }
      shared = [.app, .compositor, .gpu]
    } else if isLowLatency {
      shared = [.app, .compositor, .gpu]
    } else {
      guard buffers == 2, !own.isEmpty, !stages.isFilledByApp else { return nil }
      shared = [.compositor, .gpu]
    }
    var (used, fewest, known) = (Nanoseconds.zero, Int.max, [PipelineStage]())
    for stage in shared {
      let times = own.compactMap { stages.time(in: stage, $0) }
      guard times.count >= Self.fewestFrames, let median = times.median else { continue }
      used += median
      fewest = min(fewest, times.count)
      known.append(stage)
    }
    let interval = schedule.grid.interval
    budget = max(interval, schedule.cadence?.interval ?? interval)
    guard !known.isEmpty, used > budget else { return nil }
    (self.used, self.stages, n) = (used, known, fewest)
  }
}

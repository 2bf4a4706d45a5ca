public import FrameTrace

/// The usual times of the stages that share one interval of the display, where they are longer than that together: such a
/// chain does not make up for a late frame by itself.
public struct UsualBudget: Hashable, Sendable {
  /// What the stages take together: the sum of their medians over the frames that dropped no refresh, or over all where
  /// hardly any did not.
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
    let late = timeline.droppedRows
    let shown = (0..<timeline.stages.count)
      .filter { schedule.displayed[$0] != nil && !timeline.stages.isGenerated($0) }
      .map { ($0, timeline.stages[$0]) }
    let onTime = shown.filter { !late.contains($0.0) }
    let frames = onTime.count < Self.fewestFrames ? shown : onTime
    let lowLatency = frames.count { $0.1.isLowLatency }
    let isLowLatency = lowLatency * 2 > frames.count
    let own = frames.filter { $0.1.isLowLatency == isLowLatency }
    let shared: [PipelineStage]
    if schedule.isFree {
      // Where a frame is begun while others are under way, the stages are busy with several at once.
      let apart = own.count { row, times in
        guard row > 0, let before = timeline.stages[row - 1].queued else { return false }
        return times.appStart.map { $0 >= before } ?? false
      }
      guard timeline.stages.measuresStarts(schedule.holes), apart * 2 > own.count else {
        return nil
      }
      shared = [.app, .compositor, .gpu]
    } else if isLowLatency {
      shared = [.app, .compositor, .gpu]
    } else {
      guard buffers == 2, own.contains(where: { !$0.1.isFilledByApp }) else { return nil }
      shared = [.compositor, .gpu]
    }
    var (used, fewest, known) = (Nanoseconds.zero, Int.max, [PipelineStage]())
    for stage in shared {
      let times = own.compactMap { $0.1.time(in: stage) }
      guard times.count >= Self.fewestFrames, let median = times.median else { continue }
      used += median
      fewest = min(fewest, times.count)
      known.append(stage)
    }
    let interval = schedule.grid.interval
    budget = max(interval, schedule.cadence?.interval ?? interval)
    guard !known.isEmpty, used > budget else { return nil }
    (self.used, stages, n) = (used, known, fewest)
  }
}

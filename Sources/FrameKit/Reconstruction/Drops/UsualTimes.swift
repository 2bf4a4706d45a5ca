/// How long each stage usually takes on a surface: the median over the frames of a mode that
/// were displayed and dropped no refresh of their own.
struct UsualTimes {
  private var medians: [Key: Int64] = [:]
  private var interval: Int64 = 0
  private static let fewestFrames = 3

  private struct Key: Hashable {
    let stage: PipelineStage
    let isLowLatency: Bool
  }

  /// No times at all.
  init() {}

  /// - Parameter late: The rows of the frames that dropped refreshes.
  init(_ stages: FrameStages, _ schedule: FrameSchedule, late: Set<Int>) {
    interval = schedule.grid.interval
    var times: [Key: [Int64]] = [:]
    for row in 0..<stages.count
    where schedule.displayed[row] != FrameSchedule.none && !late.contains(row) {
      let frame = stages[row]
      for stage in [PipelineStage.app, .compositor, .gpu] {
        guard let time = frame.time(in: stage) else { continue }
        times[Key(stage: stage, isLowLatency: frame.isLowLatency), default: []].append(time)
      }
    }
    for (key, values) in times where values.count >= Self.fewestFrames {
      let sorted = values.sorted()
      medians[key] = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
  }

  /// The usual time of a stage, at most an interval; 0 with fewer than three frames.
  func time(_ stage: PipelineStage, isLowLatency: Bool) -> Int64 {
    min(medians[Key(stage: stage, isLowLatency: isLowLatency)] ?? 0, interval)
  }

  /// Whether any frame's time in the stage is known.
  func has(_ stage: PipelineStage) -> Bool { medians.keys.contains { $0.stage == stage } }

  /// By how much a frame's stage took longer than usual; `nil` where its time is not known.
  func excess(_ stage: PipelineStage, of times: StageTimes) -> Int64? {
    times.time(in: stage).map { $0 - time(stage, isLowLatency: times.isLowLatency) }
  }
}

extension StageTimes {
  /// How long the frame was worked on in a stage; `nil` where the trace does not tell.
  func time(in stage: PipelineStage) -> Int64? {
    switch stage {
    case .app: appTime
    case .compositor: compositorTime
    case .gpu: gpuTime
    case .display, .unknown: nil
    }
  }

  /// The stage the frame was in at a time; `nil` before its start and where the trace does not
  /// tell when that stage ended.
  func stage(at time: Int64) -> PipelineStage? {
    guard let earliest, time >= earliest else { return nil }
    if let commit, time < commit { return .app }
    if isFilledByApp {
      guard commit != nil, let queued else { return nil }
      if time < queued { return .gpu }
      if let compositorEnd, time < compositorEnd { return .compositor }
      return .display
    }
    if let compositorEnd, time < compositorEnd { return .compositor }
    guard let queued else { return nil }
    if time >= queued { return .display }
    return compositorEnd == nil ? nil : .gpu
  }
}

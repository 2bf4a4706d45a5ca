import FrameTrace

/// How long each stage usually takes on a surface: the median over the frames of a mode that were
/// displayed and did not drop a refresh.
struct UsualTimes {
  /// For each stage that works on frames, the medians without and with low latency; empty without any times.
  private var medians: [Nanoseconds?] = []
  private var grid: RefreshGrid?
  /// The longest time that counts as usual if the surface keeps a lower rate; `nil` stands for an interval of the
  /// display.
  private var rate: Nanoseconds?
  /// Whether the sleep of a limiter counts as work, so that a stage may take all of that time.
  private var isRateWork = false
  /// How long the app usually waits for a buffer; zero if it mostly does not wait.
  private(set) var bufferWait = Nanoseconds.zero
  private static let fewestFrames = 3

  private static let worked: [PipelineStage] = [.app, .compositor, .gpu]

  /// The position of a stage's median; `nil` for a stage without work.
  private static func position(_ stage: PipelineStage, isLowLatency: Bool) -> Int? {
    let position: Int? =
      switch stage {
      case .app: 0
      case .compositor: 1
      case .gpu: 2
      case .display, .unknown: nil
      }
    return position.map { 2 * $0 + (isLowLatency ? 1 : 0) }
  }

  private func median(_ stage: PipelineStage, isLowLatency: Bool) -> Nanoseconds? {
    guard let position = Self.position(stage, isLowLatency: isLowLatency), position < medians.count
    else {
      return nil
    }
    return medians[position]
  }

  /// No times at all.
  init() {}

  /// - Parameter hasDropped: For each frame whether it dropped refreshes.
  init(_ stages: FrameStages, _ schedule: FrameSchedule, hasDropped: [Bool]) {
    grid = schedule.grid
    rate = schedule.cadence?.interval
    let source = schedule.cadence?.source
    isRateWork = source == .displayed || source == .limited
    var times = [[Nanoseconds]](repeating: [], count: 2 * Self.worked.count)
    var waits: [Nanoseconds] = []
    for row in 0..<stages.count
    where schedule.displayed[row] != nil && !hasDropped[row] {
      let frame = stages[row]
      waits.append(frame.blocked?.length ?? .zero)
      for stage in Self.worked {
        guard let time = frame.time(in: stage),
          let position = Self.position(stage, isLowLatency: frame.isLowLatency)
        else { continue }
        times[position].append(time)
      }
    }
    bufferWait = waits.count < Self.fewestFrames ? .zero : waits.upperMedian ?? .zero
    medians = times.map { $0.count >= Self.fewestFrames ? $0.median : nil }
  }

  /// The usual time of a stage for a frame like the given one, limited to the display interval at that time or to the
  /// budget of a lower rate; zero with fewer than three frames.
  func time(_ stage: PipelineStage, like times: StageTimes) -> Nanoseconds {
    known(stage, like: times) ?? .zero
  }

  /// The usual time of a stage for a frame like the given one; `nil` with fewer than three frames.
  func known(_ stage: PipelineStage, like times: StageTimes) -> Nanoseconds? {
    guard let median = median(stage, isLowLatency: times.isLowLatency), let grid else { return nil }
    let interval = times.earliest.map(grid.interval(at:)) ?? grid.interval
    guard let rate else { return min(median, interval) }
    return min(median, max(interval, isRateWork ? rate : rate - interval / 4))
  }

  /// Whether any frame's time in the stage is known.
  func has(_ stage: PipelineStage) -> Bool {
    [false, true].contains { median(stage, isLowLatency: $0) != nil }
  }

  /// How much longer than usual a frame's stage took; `nil` where its time is unknown.
  func excess(_ stage: PipelineStage, of times: StageTimes) -> Nanoseconds? {
    times.time(in: stage).map { $0 - time(stage, like: times) }
  }
}

extension StageTimes {
  /// How long the frame was worked on in a stage; `nil` where the trace does not say.
  func time(in stage: PipelineStage) -> Nanoseconds? {
    switch stage {
    case .app: appTime
    case .compositor: compositorTime
    case .gpu: gpuTime
    case .display, .unknown: nil
    }
  }

  /// The stage that the frame was in at a time; `nil` before the frame's start, and if the end of that stage is
  /// unknown.
  func stage(at time: Timestamp) -> PipelineStage? {
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

/// A metric for which sources state figures, and which frametool itself does not measure, or not for a run.
///
/// If a source has several figures of one metric in a run, each name ends in what the figure is of:
/// `hitchRatio.Scroll`.
package enum StatedMetric: String, Sendable, CaseIterable {
  case hitchRatio, scrollHitchRatio, hitchCount, hitchTotal, displayedFrameRate, frames
  case jankShare, jankCount, missedRefreshes, droppedFrames, frozenFrames, inputLatency, inputStage,
    interactionDuration, interactionToNextPaint,
    sampledFrameTime, sampledFrameRate, sampledMemory, sampledCPU, staleShare, doubleBufferedShare,
    tripleBufferedShare, displayInterval, frameBuildTime,
    frameRasterTime
  case frameDuration, gpuDuration, frameDurationCPU, frameOverrun
  /// The share of frames that ended after their deadline.
  case overrunShare
  /// How many frames took longer than the budget of a stage.
  case missedBudgets
  case garbageCollections
  case signpostTime, launchTime, prewarmedLaunchTime, extendedLaunchTime, resumeTime, hangTime

  /// The metric in a figure's name, without the qualifier; `nil` for an unknown metric.
  package init?(ofFigure name: String) {
    self.init(rawValue: name.prefix { $0 != "." }.description)
  }

  package var unit: String {
    switch self {
    case .hitchRatio, .scrollHitchRatio: "ms/s"
    case .hitchCount: "hitches"
    case .displayedFrameRate, .sampledFrameRate: "fps"
    case .sampledMemory: "MB"
    case .frames, .jankCount, .droppedFrames, .frozenFrames, .missedBudgets: "frames"
    case .garbageCollections: "collections"
    case .jankShare, .overrunShare, .staleShare, .sampledCPU, .doubleBufferedShare,
      .tripleBufferedShare:
      "%"
    case .missedRefreshes: "refreshes"
    case .inputLatency, .inputStage, .interactionDuration, .interactionToNextPaint,
      .sampledFrameTime, .displayInterval, .frameBuildTime,
      .frameRasterTime, .frameDuration, .gpuDuration, .frameDurationCPU, .frameOverrun,
      .hitchTotal, .signpostTime,
      .launchTime, .prewarmedLaunchTime, .extendedLaunchTime,
      .resumeTime, .hangTime:
      "ms"
    }
  }

  /// Whether a higher value is worse; `nil` if neither direction is.
  package var higherIsWorse: Bool? {
    switch self {
    case .displayedFrameRate, .sampledFrameRate: false
    case .frames, .doubleBufferedShare, .tripleBufferedShare: nil
    default: true
    }
  }
}

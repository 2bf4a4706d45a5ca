/// The stage of the pipeline that a dropped refresh is charged to.
public enum PipelineStage: String, Sendable, CaseIterable {
  /// The app's work up to its last commit.
  case app
  /// The compositor's work: Core Animation's render server, SurfaceFlinger, DWM, a Wayland compositor, viz.
  case compositor
  case gpu
  /// The buffer was ready but was still not shown.
  case display
  /// The trace lacks the times of a stage that may be responsible.
  case unknown
}

extension PipelineStage {
  /// The stage in words.
  package var words: String {
    switch self {
    case .app: "the app"
    case .compositor: "the compositor"
    case .gpu: "the GPU"
    case .display: "the display"
    case .unknown: "an unknown stage"
    }
  }
}

/// A frame of a surface of the trace.
public struct FrameReference: Hashable, Sendable {
  /// The surface's index in the trace's list.
  public let surface: Int
  /// The frame's row.
  public let row: Int
}

/// Consecutive refreshes that repeated an older frame for the same reason.
public struct DroppedRefreshes: Hashable, Sendable {
  /// The first refresh.
  public let refresh: RefreshNumber
  /// The number of these refreshes.
  public let count: Int64
  /// The frame that was due.
  public let frame: Int
  /// The charged stage.
  public let stage: PipelineStage
  /// The frame that the charged stage worked on: an earlier frame if it held up the due frame.
  public let cause: FrameReference
  /// Whether the stage was inferred instead of recorded.
  public let isInferred: Bool
  /// Why the stage is unknown; `nil` if it is known.
  public let whyUnknown: String?
}

/// Why a surface showed no new frame for more than 500 ms, as far as the source records the cause.
public enum StopCause: Hashable, Sendable {
  /// A stage worked on one frame for more than a quarter of the time, or, if the stage is unknown, the source states
  /// when a frame was due. The stop drops refreshes.
  case freeze(PipelineStage)
  /// The source states that each frame made during the stop was discarded, so the window was hidden, which counts as
  /// rest.
  case hidden
  /// A pause, a hidden window, or a freeze: the source does not record which. The stop drops no refresh.
  case unknown

  /// Whether the surface had nothing to show.
  package var isRest: Bool { self == .hidden }

  /// Whether the stop's refreshes are judged like those of any other late frame.
  package var isJudged: Bool {
    if case .freeze = self { return true }
    return false
  }

  /// The cause in one word, as in JSON.
  package var name: String {
    switch self {
    case .freeze: "freeze"
    case .hidden: "hidden"
    case .unknown: "unknown"
    }
  }

  /// The stage that worked; `nil` if unknown or if no stage worked.
  package var stage: PipelineStage? {
    if case .freeze(let stage) = self, stage != .unknown { return stage }
    return nil
  }
}

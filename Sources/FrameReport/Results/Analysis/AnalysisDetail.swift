import FrameAnalysis

/// How much of an analysis is printed for people.
public enum AnalysisDetail: Sendable {
  /// The answers to people's first questions.
  case answer
  /// Everything.
  case all

  /// The maximum number of metrics in an answer.
  static let mostMetrics = 8
  /// Surfaces with fewer frames than this are only named.
  static let fewestFrames = SurfaceOrder.fewestFrames
  /// The maximum number of surfaces shown with their figures.
  static let mostSurfaces = 3
}

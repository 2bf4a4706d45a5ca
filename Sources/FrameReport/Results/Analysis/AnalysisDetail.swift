import FrameAnalysis

/// How much of an analysis is printed for people.
public enum AnalysisDetail: Sendable {
  /// What answers their first questions.
  case answer
  /// Everything.
  case all

  /// How many metrics make an answer.
  static let mostMetrics = 8
  /// Surfaces of fewer frames than this are named only.
  static let fewestFrames = SurfaceChoice.fewestFrames
  /// How many surfaces are shown with their figures.
  static let mostSurfaces = 3
}

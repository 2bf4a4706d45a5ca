/// How a deliberate lower rate is known.
public enum CadenceSource: String, Sendable {
  /// The trace or the user says so.
  case stated
  /// Frames start so far apart, and the app rests before them.
  case kept
  /// The distances of display times repeat.
  case displayed
}

/// A deliberate lower rate of a surface.
struct Cadence {
  let source: CadenceSource
  /// The time from frame to frame, in nanoseconds: the mean where it alternates.
  let interval: Int64
  /// Whether an app that aims at every refresh and is too slow for it could look the same.
  let isInferred: Bool
}

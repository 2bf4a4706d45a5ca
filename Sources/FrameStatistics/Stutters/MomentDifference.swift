/// How a series differs before, during, or after stutters from moments shortly before them.
public struct MomentDifference: Hashable, Sendable {
  /// The side of a stutter that a window of time touches.
  public enum Side: String, Hashable, Sendable, CaseIterable {
    /// The window ends when the stutter starts.
    case before
    /// The window starts when the stutter starts, and ends no later than it.
    case during
    /// The window starts when the stutter ends.
    case after
  }

  /// The side of the stutters on which the series differs.
  public let side: Side
  /// The probability of at least this difference, in either direction, if the series and the
  /// stutters are unrelated; a multiple of 1/2000.
  public let probability: Double
  /// The probability, adjusted for the number of tests by the method of Benjamini and Hochberg.
  public let adjusted: Double
  /// The number of stutters that were compared; stutters shortly after another stutter are not compared.
  public let count: Int
  /// The number of compared stutters at which the value is beyond at least 95 % of its control
  /// windows, in the direction of the difference. Equal control windows count half.
  public let distinct: Int
  /// Whether values at stutters are higher than usual. The ranks decide, so the medians may be
  /// equal.
  public let isHigher: Bool
  /// The median of the mean values in the windows at the stutters, in the unit of the series.
  public let near: Double
  /// The median of the mean values in the control windows, in the unit of the series.
  public let usual: Double
}

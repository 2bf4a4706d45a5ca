/// The constants of comparisons, in one place, each with what it rests on. They were chosen on generated runs of
/// ten kinds and checked on eighteen others; `scripts/false-alarms` measures what they give.
enum ComparisonConstants {
  /// The figures that decide, with how much each counts: the mean more, as it alone finds a uniform slow-down
  /// at the same rate of false alarms as a t-test on the means of runs.
  static let weights: [(metric: RunMetric, weight: Double)] = [
    (.mean, 3), (.p50, 1), (.p95, 1), (.p99, 1), (.missedRefreshShare, 1),
    (.intervalHitchRatio, 1),
  ]
  /// The same where frame times are bound to refreshes, so that quantiles stand still until they jump.
  static let weightsWhenQuantised: [(metric: RunMetric, weight: Double)] = [
    (.mean, 1), (.missedRefreshShare, 1), (.intervalHitchRatio, 1),
  ]

  /// From so many runs a side on a trimmed t joins, with this share taken off each end: a stray run in ten
  /// costs a plain t half of its power.
  static let fewestTrimmed = 10
  static let trimmedShare = 0.2

  /// A run whose mean or median is this far from the rest of its side (a ratio), at this probability over all
  /// runs, is named: 0.4 to 0.7 % of clean comparisons name one, and 92 % and more of those with a run of twice
  /// the frame times.
  static let strayRatio = 1.15
  static let strayLevel = 0.03

  /// Sides whose runs differ in length by more than this ratio are named.
  static let lengthRatio = 1.5

  /// Where frames slower than what is slow later, by this ratio, are at least so many in the first sixth of a
  /// run, and most of all such, the program warms up.
  static let warmUpRatio = 1.25
  static let fewestSlow: Int64 = 10
}

/// What a user chooses about a comparison.
public struct ComparisonOptions: Sendable {
  /// The probability of a false "regressed", to one side, over all gating metrics.
  public var level = 0.05
  /// Thresholds that replace the usual ones: shares for times, percentage points or ms/s.
  public var thresholds: [RunMetric: Double] = [:]
  /// Whether runs of different refresh intervals are compared all the same.
  public var allowsDifferentRefresh = false
  /// Earlier jobs of the same scene on the same device, each with its runs.
  public var history: [[RunSummary]] = []
  /// Whether the first run of one side and the first of the other are a pair, and so on: by when they were made where the
  /// traces say so, else as they are given.
  public var isPaired = false
  /// At how many runs a side the comparison is looked at, where it is looked at more than once.
  public var looks: [Int] = []
  /// Which kind of values are compared.
  public var kind = Kind.frames
  /// Which metric of frames is compared, and by which of its figures.
  public var figures = ComparedFigures()
  /// What the sides are called.
  public var names = SideNames()
  /// How many sides are compared with the baseline: they share the level.
  public internal(set) var sidesCompared = 1

  /// What is compared of runs.
  public enum Kind: String, Sendable, CaseIterable {
    /// Frame times.
    case frames
    /// Latencies of touches or clicks.
    case latency
    /// Times from a tap or a start to the first frame.
    case launch
  }

  /// The usual comparison, of frame times.
  public init() {}

  /// The level of one look where there are several, so that all together keep to 5 %; `nil`
  /// when nobody has worked it out for these looks.
  ///
  /// Found by simulation of the pooled t for these numbers of runs.
  static let levelsOfLooks: [[Int]: Double] = [
    [3, 5]: 0.0278, [5, 10]: 0.0292, [3, 5, 10]: 0.0197, [5, 10, 20]: 0.0198,
    [3, 5, 8, 10]: 0.0175, [3, 4, 5, 6, 7, 8, 9, 10]: 0.0131,
  ]

  /// The level of this look at one of the sides.
  var levelOfLook: Double {
    (looks.isEmpty ? level : Self.levelsOfLooks[looks] ?? level) / Double(sidesCompared)
  }
}

/// What the two sides of a comparison are called.
public struct SideNames: Hashable, Sendable {
  /// What the first side is called.
  public var before = "before"
  /// What the second side is called.
  public var after = "after"

  /// The sides are called before and after.
  public init() {}

  /// The sides are called as given.
  public init(before: String, after: String) { (self.before, self.after) = (before, after) }
}

/// Why runs cannot be compared.
public struct ComparisonRefusal: Error, Hashable, Sendable {
  /// What is wrong, in one line.
  public let message: String
  /// What to try; `nil` where nothing helps.
  public let help: String?
}

/// The constants of comparisons, in one place, each with what it rests on. They were chosen on generated runs of
/// ten kinds and checked on eighteen others; `scripts/false-alarms` measures what they give.
package enum ComparisonConstants {
  /// The figures that decide, with how much each counts: the mean more, as it alone finds a uniform slow-down
  /// at the same rate of false alarms as a t-test on the means of runs.
  static let weights: [(metric: RunMetric, weight: Double)] = [
    (.mean, 3), (.p50, 1), (.p95, 1), (.p99, 1), (.missedRefreshShare, 1),
    (.intervalHitchRatio, 1),
  ]
  /// The same where frame times are bound to refreshes, so that quantiles stand still until they jump.
  static let weightsWhenQuantized: [(metric: RunMetric, weight: Double)] = [
    (.mean, 1), (.missedRefreshShare, 1), (.intervalHitchRatio, 1),
  ]

  /// The same where some stretches keep a lower rate than others: against the frames around, and against the run. A
  /// slow-down shows in the latter, as more of it is spent at the lower rate.
  static let weightsWhenRateChanges: [(metric: RunMetric, weight: Double)] = [
    (.mean, 2), (.missedRefreshShare, 1), (.intervalHitchRatio, 1), (.missedRefreshShareOfRun, 1),
    (.intervalHitchRatioOfRun, 1),
  ]

  /// The probability, for each figure, that a change is ruled out that is there.
  static let doubt = 0.05
  /// A change that is not shown is told of where one as large is less likely than this by chance.
  package static let lean = 0.3

  /// The smallest change of latencies worth acting on, as a share.
  package static let latencyThreshold = 0.05

  /// From so many runs a side on a trimmed t joins, with this share taken off each end: a stray run in ten
  /// costs a plain t half of its power.
  static let fewestTrimmed = 5
  static let trimmedShare = 0.2
  /// By how much the probability of either counts more, so that both together keep the level: they mostly find the
  /// same. Simulated for 5 to 12 runs a side of normal, skewed and heavy-tailed values, and of some with stray ones:
  /// false alarms of 4 to 5 %.
  static let eitherFactor = 1.6
  /// Where the runs of a comparison vary more than earlier ones did, with less than this probability by chance, the
  /// earlier ones are not believed.
  static let strangeSpread = 0.02
  /// In fleets, whose groups are many and whose strays nobody looks at one by one, more is taken off each end.
  static let trimmedShareOfFleets = 0.25
  /// How many times as much the mean counts there, by which most changes are found: as many groups share the level, the
  /// other figures find what moves them by much.
  static let meanInFleets = 4.0
  /// From so many pairs on they are used where the order shows them; fewer cost power on a device that does not wander.
  static let fewestPairs = 5

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

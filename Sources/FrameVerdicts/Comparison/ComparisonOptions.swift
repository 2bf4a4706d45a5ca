/// The options of a comparison.
public struct ComparisonOptions: Sendable {
  /// The one-sided probability of a false "regressed", over all gating metrics.
  public var level = 0.05
  /// Thresholds that replace the defaults: shares for times, percentage points or ms/s for other figures.
  public var thresholds: [RunMetric: Double] = [:]
  /// Whether runs with different refresh intervals are compared anyway.
  public var allowsDifferentRefresh = false
  /// Earlier jobs of the same scene on the same device, each with its runs.
  public var history: [[RunSummary]] = []
  /// Whether the nth runs of the two sides form a pair: in the order in which they were made if the traces show it,
  /// otherwise in the given order.
  public var isPaired = false
  /// Whether the comparison is repeated after each pair of runs, and measuring stops once it is decided. The nth runs
  /// of the two sides were made one after the other, and which of them came first was random.
  public var isSequential = false
  /// The numbers of runs per side at which the comparison is evaluated, if more than one.
  public var looks: [Int] = []
  /// Which kind of values are compared.
  public var kind = Kind.frames
  /// The frame metric that is compared, and its figures.
  public var figures = ComparedFigures()
  /// The names of the sides.
  public var names = SideNames()
  /// How many sides are compared with the baseline; they share the level.
  public internal(set) var sidesCompared = 1

  /// The kind of values that is compared.
  public enum Kind: String, Sendable, CaseIterable {
    /// Frame times.
    case frames
    /// Latencies of touches or clicks.
    case latency
    /// Times from a tap or a start to the first frame.
    case launch
    /// Figures that sources report for runs without frames.
    case reported

    /// The smallest change of a figure that is worth acting on.
    func threshold(of metric: RunMetric) -> Double {
      switch self {
      case .frames, .reported: metric.usualThreshold
      case .latency: ComparisonConstants.latencyThreshold
      case .launch: Comparison.launchThreshold
      }
    }
  }

  /// The default comparison, of frame times.
  public init() {}

  /// The level of each of several looks, so that all looks together stay at 5 %; other sequences of looks have no known
  /// level.
  ///
  /// Found by simulating the pooled t-test for these numbers of runs.
  static let levelsOfLooks: [[Int]: Double] = [
    [3, 5]: 0.0278, [5, 10]: 0.0292, [3, 5, 10]: 0.0197, [5, 10, 20]: 0.0198,
    [3, 5, 8, 10]: 0.0175, [3, 4, 5, 6, 7, 8, 9, 10]: 0.0131,
  ]

  /// The level of this look for one side.
  var levelOfLook: Double {
    if isSequential { return ComparisonConstants.sequentialLevel / Double(sidesCompared) }
    return (looks.isEmpty ? level : Self.levelsOfLooks[looks] ?? level) / Double(sidesCompared)
  }
}

/// The names of the two sides of a comparison.
public struct SideNames: Hashable, Sendable {
  /// The name of the first side.
  public var before = "before"
  /// The name of the second side.
  public var after = "after"

  /// The default names, before and after.
  public init() {}

  /// The given names.
  public init(before: String, after: String) { (self.before, self.after) = (before, after) }
}

/// The constants of comparisons, each with its justification. They were chosen using generated runs of ten kinds and
/// checked on eighteen others; `scripts/false-alarms` measures the resulting rates.
package enum ComparisonConstants {
  /// The minimum number of runs per side for which ranks are compared. The ranks of four runs show a change only if no
  /// run of one side lies among those of the other.
  static let fewestRanked = 5

  /// The number of tests that the figures of runs count as in Bonferroni's correction. It is half the number of
  /// figures, because most figures move together and a change must also reach its threshold. It is a third for ranks,
  /// whose probabilities come in steps, most of them well below the level. A few figures may be unrelated, so each of
  /// these counts.
  /// - Parameter few: The number of figures that each count as one test.
  static func testsCounted(of figures: Int, byRanks: Bool, few: Int = 2) -> Double {
    max(Double(min(figures, few)), Double(figures) / (byRanks ? 3 : 2))
  }

  /// The number of source-reported figures that each count as one test if means are compared: quantiles of about 60
  /// frames move together less than quantiles of thousands.
  static let fewReported = 4

  /// The probability of a false change to one side, over all looks of a sequential comparison.
  package static let sequentialLevel = 0.025
  /// The probability, for each figure, that an existing change is wrongly ruled out.
  static let doubt = 0.05
  /// An unproven change is mentioned if the probability that a change this large occurs at random is lower than this.
  package static let lean = 0.3

  /// The smallest change of latencies worth acting on, as a share.
  package static let latencyThreshold = 0.05

  /// If the runs of a comparison vary more than earlier runs did, and random variation explains this with less than
  /// this probability, the earlier runs are not trusted.
  static let strangeSpread = 0.02
  /// The minimum number of pairs for which pairs are used if the order shows them; fewer pairs cost power on a stable
  /// device.
  static let fewestPairs = 5

  /// A run is named if its mean or median differs from the other runs of its side by this ratio, at this probability
  /// over all runs. 0.4 to 0.7 % of clean comparisons name one, and at least 92 % of those with a run of twice the
  /// frame times.
  static let strayRatio = 1.15
  static let strayLevel = 0.03

  /// Sides whose run lengths differ by more than this ratio are named.
  static let lengthRatio = 1.5
  /// Frames of two sides have different limits if the limit has changed for at least this share of the frames.
  static let limitDistance = 0.25

  /// A program counts as warming up if the first sixth of a run has at least this many frames
  /// slower than this multiple of the later p99, and most of all such frames.
  static let warmUpRatio = 1.25
  static let fewestSlow: Int64 = 10
}

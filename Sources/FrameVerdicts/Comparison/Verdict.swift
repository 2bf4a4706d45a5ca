/// The verdict of a comparison.
public enum Verdict: String, Sendable, CaseIterable {
  case regressed
  /// Probably regressed, based on a single run of one side.
  case suspected
  case improved
  /// Probably improved, based on a single run of one side.
  case suspectedImprovement = "suspected improvement"
  /// A change for the worse that reaches the threshold is ruled out.
  case noChange = "no change"
  /// A change for the worse that reaches the threshold is neither shown nor ruled out.
  case inconclusive

  /// The word shown to readers.
  public var word: String {
    switch self {
    case .noChange: "fine"
    case .inconclusive: "undecided"
    default: rawValue
    }
  }
}

/// The result of a comparison for one figure.
public struct MetricComparison: Hashable, Sendable {
  /// The figure's name.
  public let name: String
  /// The unit of the figure's values.
  public let unit: String
  /// The unit of changes: `%`, or the figure's unit if values can be zero.
  public let effectUnit: String
  /// The typical value of each side, in the figure's unit.
  public let before, after: Double
  /// The estimated change, in the effect's unit.
  public let effect: Double
  /// The bounds of the change, each with one-sided 95 % confidence.
  public let interval: ClosedRange<Double>
  /// If there is no change, the probability of a change at least as bad, corrected for the other gating metrics.
  public let p: Double
  /// If there is no change, the probability of a change at least as good, corrected in the same way.
  public let pBetter: Double
  /// The smallest change worth acting on, in the effect's unit.
  public let threshold: Double
  /// The random variation between runs, in the effect's unit.
  public let noise: Double
  /// Whether the overall verdict depends on the figure.
  public let isGating: Bool
  /// The verdict on the figure.
  public let verdict: Verdict
  /// The number of runs per side that would probably show a change as large as the threshold; `nil` above 200.
  public let runsNeeded: Int?
  /// The number of runs per side that would probably decide a change as large as the observed one: show it if it
  /// reaches the threshold, otherwise rule the threshold out; `nil` above 200.
  public let runsToDecide: Int?
  /// A figure that really changed in the opposite direction, so that a change of this figure only means that different
  /// frames are counted; `nil` if there is none.
  public internal(set) var contradictedBy: String?
}

/// A figure of both sides that takes no part in the verdict.
public struct ReferenceFigure: Hashable, Sendable {
  /// The figure's name.
  public let name: String
  /// The unit of the figure's values.
  public let unit: String
  /// The typical value of each side, in the figure's unit.
  public let before, after: Double
  /// The change in percent; `nil` if a side has one run, if earlier jobs give the noise, or if the figure is 0 in a
  /// run.
  public let effect: Double?
  /// The bounds of the change in percent, each with one-sided 95 % confidence; `nil` if the change is `nil`.
  public let interval: ClosedRange<Double>?
}

/// The comparison of two groups of runs.
public struct Comparison: Sendable {
  /// The runs of each side.
  public let before, after: [RunSummary]
  /// The names of the sides.
  public let names: SideNames
  /// What was compared.
  public let kind: ComparisonOptions.Kind
  /// The frame metric that was compared, if frames were compared.
  public let metric: String
  /// Whether the comparison may be repeated after each pair of runs.
  public let isSequential: Bool
  /// How the runs were made.
  public let design: RunDesign
  /// The statistical method, in words.
  public let method: String
  /// The figures that were compared.
  public let metrics: [MetricComparison]
  /// The verdict over all figures.
  public let overall: Verdict
  /// Reasons to doubt the result.
  public let warnings: [ComparisonWarning]
  /// Figures that are only shown and do not affect the verdict.
  public let beside: [ReferenceFigure]
}

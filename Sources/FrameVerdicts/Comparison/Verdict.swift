/// What a comparison says.
public enum Verdict: String, Sendable, CaseIterable {
  case regressed
  /// As regressed, but on the word of one run a side.
  case suspected
  case improved
  /// As improved, but on the word of one run a side.
  case suspectedImprovement = "suspected improvement"
  /// Worse by the threshold or more is ruled out.
  case noChange = "no change"
  /// Neither is worse by the threshold shown, nor is it ruled out.
  case inconclusive

  /// What it is called where people read it.
  public var word: String {
    switch self {
    case .noChange: "fine"
    case .inconclusive: "undecided"
    default: rawValue
    }
  }
}

/// What a comparison says of one figure.
public struct MetricComparison: Hashable, Sendable {
  /// The figure's name.
  public let name: String
  /// The unit of its values.
  public let unit: String
  /// The unit of changes: `%`, or the figure's own where values can be zero.
  public let effectUnit: String
  /// The typical value of each side, in its unit.
  public let before, after: Double
  /// The change, and its bounds, each of 95 % confidence to its side, in the effect's unit.
  public let effect: Double
  /// The bounds of the change.
  public let interval: ClosedRange<Double>
  /// The probability of a change as bad when there is none, corrected for the other gating metrics.
  public let p: Double
  /// The same of a change as good.
  public let pBetter: Double
  /// The smallest change worth acting on, in the effect's unit.
  public let threshold: Double
  /// By how much runs differ by chance, in the effect's unit.
  public let noise: Double
  /// Whether the overall verdict depends on it.
  public let isGating: Bool
  /// What is said of the figure.
  public let verdict: Verdict
  /// How many runs a side would most likely show a change as large as the threshold; `nil`
  /// when more than 200 would be needed.
  public let runsNeeded: Int?
  /// How many runs a side would most likely decide a change as large as the one seen: show it, where it is as large as
  /// the threshold, or else rule the threshold out; `nil` when more than 200 would be needed.
  public let runsToDecide: Int?
  /// The figure that shows a change the other way to be real, so that a change of this one says only that other frames
  /// are counted; `nil` where none does.
  public internal(set) var contradictedBy: String?
}

/// A figure of both sides that takes no part in the verdict.
public struct ReferenceFigure: Hashable, Sendable {
  /// The figure's name.
  public let name: String
  /// The unit of its values.
  public let unit: String
  /// The typical value of each side, in its unit.
  public let before, after: Double
}

/// The comparison of two groups of runs.
public struct Comparison: Sendable {
  /// The runs of each side.
  public let before, after: [RunSummary]
  /// What the sides are called.
  public let names: SideNames
  /// What was compared.
  public let kind: ComparisonOptions.Kind
  /// The metric of frames that was compared, where frames were.
  public let metric: String
  /// Whether a steady drift over the runs was removed from the values of the sides.
  public let isWithoutDrift: Bool
  /// How it was done, in words.
  public let method: String
  /// The figures that were compared.
  public let metrics: [MetricComparison]
  /// What is said of all of them together.
  public let overall: Verdict
  /// What stands against believing it.
  public let warnings: [String]
  /// Figures that are shown beside the others and take no part.
  public let beside: [ReferenceFigure]
}

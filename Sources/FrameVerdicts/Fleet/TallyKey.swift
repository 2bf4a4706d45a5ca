import FrameAnalysis

/// The key of values in a tally: a metric with one of its definitions.
public struct TallyKey: Hashable, Sendable, Comparable {
  /// The name of a metric, or of a launch measure.
  public let metric: String
  /// The definition of the metric that the source allowed; `nil` if the metric has only one.
  public let definition: String?

  package init(
    metric: String, definition: String?
  ) {
    self.metric = metric
    self.definition = definition
  }

  /// Whether the first key comes before the other in lists.
  public static func < (one: TallyKey, other: TallyKey) -> Bool {
    (one.metric, one.definition ?? "") < (other.metric, other.definition ?? "")
  }
}

/// A figure with one value per run, on which runs can be compared.
public struct RunFigure: Hashable, Sendable, Comparable {
  /// A statistic of a run's values.
  public enum Statistic: String, Sendable, CaseIterable {
    case mean, p50, p95, p99

    /// The minimum number of values for which the statistic is meaningful.
    var fewest: Int64 {
      switch self {
      case .mean, .p50: 1
      case .p95: 20
      case .p99: 100
      }
    }
  }

  /// The metric, or the metric to which the statistic applies.
  public let key: TallyKey
  /// The statistic; `nil` for a metric with one figure for each run, such as `droppedShare`.
  public let statistic: Statistic?

  package init(
    key: TallyKey, statistic: Statistic?
  ) {
    self.key = key
    self.statistic = statistic
  }

  /// Whether the first figure comes before the other in lists.
  public static func < (one: RunFigure, other: RunFigure) -> Bool {
    (one.key, one.rank) < (other.key, other.rank)
  }

  private var rank: Int { statistic.flatMap { Statistic.allCases.firstIndex(of: $0) } ?? -1 }

  /// The name in the form that gate limits use: `p95(frameTime)`, or `droppedShare`.
  public var name: String { statistic.map { "\($0.rawValue)(\(key.metric))" } ?? key.metric }
}

extension TallyKey {
  /// The unit of the figure's values.
  public var unit: String {
    (Metrics.all.first { $0.name == metric }?.unit ?? .milliseconds).rawValue
  }
}

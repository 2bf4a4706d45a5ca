import FrameAnalysis

/// What values of runs are of: a metric under one of its definitions.
public struct TallyKey: Hashable, Sendable, Comparable {
  /// A metric's name, or that of a launch's measure.
  public let metric: String
  /// Which of the metric's definitions the source allowed; `nil` when it has only one.
  public let definition: String?

  package init(
    metric: String, definition: String?
  ) {
    self.metric = metric
    self.definition = definition
  }

  /// Whether the first comes before the other in lists.
  public static func < (one: TallyKey, other: TallyKey) -> Bool {
    (one.metric, one.definition ?? "") < (other.metric, other.definition ?? "")
  }
}

/// A figure that each run has one of, so that runs can be compared by it.
public struct RunFigure: Hashable, Sendable, Comparable {
  /// What is made of a run's values.
  public enum Statistic: String, Sendable, CaseIterable {
    case mean, p50, p95, p99

    /// The fewest values that it says anything of.
    var fewest: Int64 {
      switch self {
      case .mean, .p50: 1
      case .p95: 20
      case .p99: 100
      }
    }
  }

  /// The metric; of a statistic, the one that it is of.
  public let key: TallyKey
  /// `nil` for a metric that gives a run one figure, such as `droppedShare`.
  public let statistic: Statistic?

  package init(
    key: TallyKey, statistic: Statistic?
  ) {
    self.key = key
    self.statistic = statistic
  }

  /// Whether the first comes before the other in lists.
  public static func < (one: RunFigure, other: RunFigure) -> Bool {
    (one.key, one.rank) < (other.key, other.rank)
  }

  private var rank: Int { statistic.flatMap { Statistic.allCases.firstIndex(of: $0) } ?? -1 }

  /// As limits of gates name figures: `p95(frameTime)`, and `droppedShare`.
  public var name: String { statistic.map { "\($0.rawValue)(\(key.metric))" } ?? key.metric }
}

extension TallyKey {
  /// The unit of its values.
  public var unit: String {
    (Metrics.all.first { $0.name == metric }?.unit ?? .milliseconds).rawValue
  }
}

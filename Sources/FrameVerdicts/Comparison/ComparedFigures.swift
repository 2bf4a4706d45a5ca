import FrameAnalysis
import FrameTrace

/// The frame metric on which runs are compared, and the figures of the metric that are used.
public struct ComparedFigures: Hashable, Sendable {
  /// The metric's name.
  public let metric: String
  /// The figures the user chose, all of which decide the verdict; `nil` for the default figures.
  let chosen: Set<RunMetric>?
  /// Whether the user chose the metric, so that no other metric replaces it.
  public let isMetricChosen: Bool

  /// Whether the user chose anything.
  public var isChosen: Bool { isMetricChosen || chosen != nil }

  /// Frame times with their default figures.
  public init() { (metric, chosen, isMetricChosen) = (Self.usual, nil, false) }

  /// The figures that the words name, such as `p95(gpuTime)`, `gpuTime` for all figures of a
  /// metric, `p95` for a figure of the default metric, or `missedRefreshShare`.
  /// - Throws: If a word names no figure, or the words name several metrics.
  public init(_ words: [String]) throws(ComparisonRefusal) {
    var names: [String] = []
    var chosen: Set<RunMetric> = []
    var isWhole = false
    for word in words {
      let (name, figure) = try Self.read(word)
      if let name { names.append(name) }
      if let figure { chosen.insert(figure) } else { isWhole = true }
    }
    let metric = names.first ?? Self.usual
    if let other = names.first(where: { $0 != metric }) {
      throw ComparisonRefusal.severalMetrics(metric, other)
    }
    self.metric = metric
    self.chosen = isWhole || chosen.isEmpty ? nil : chosen
    isMetricChosen = !names.isEmpty
  }

  /// The metric that is compared by default.
  package static let usual = "frameTime"

  /// The metrics that can be compared: durations of frames, and metrics that sources report.
  static var metrics: [String] {
    let own = Metrics.all.filter { $0.unit == .milliseconds }.map(\.name)
    return own + StatedMetric.allCases.filter { $0.higherIsWorse != nil }.map(\.rawValue)
  }

  /// The names that `--metric` accepts: figures of frame times, and metrics.
  public static var names: [String] { RunMetric.allCases.map(\.rawValue) + metrics }

  /// Metrics that sources report as counts of frames by duration.
  static let counted: [StatedMetric] = [.frameDuration, .gpuDuration]

  /// The metric that a word names (`nil` for the default one), and the figure (`nil` for all figures).
  private static func read(_ word: String) throws(ComparisonRefusal) -> (String?, RunMetric?) {
    let compact = word.filter { $0 != " " }
    let own = Metrics.name(compact) ?? compact
    if let figure = RunMetric(rawValue: own) { return (nil, figure) }
    // The average rate is the inverse of the mean frame time.
    if own == "averageFrameRate" { return (nil, .mean) }
    let name = FigureName(compact)
    let figure = name.statistic.flatMap(RunMetric.init)
    if name.statistic != nil, figure?.isTime != true {
      throw refusal(word, "one of mean, p50, p90, p95, p99 before the parenthesis")
    }
    let known = Metrics.name(name.base) ?? name.base
    guard metrics.contains(known) else {
      throw refusal(word, "a metric of frames in milliseconds, or one of its figures")
    }
    return (known, figure)
  }

  private static func refusal(_ word: String, _ expected: String) -> ComparisonRefusal {
    .unknownFigure(word, expected: expected)
  }
}

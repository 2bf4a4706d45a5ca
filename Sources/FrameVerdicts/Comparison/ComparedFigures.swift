import FrameAnalysis
import FrameTrace

/// Which metric of frames runs are compared by, and by which of its figures.
public struct ComparedFigures: Hashable, Sendable {
  /// The metric's name.
  public let metric: String
  /// The figures that were chosen, all of which decide; `nil` for the usual ones.
  let chosen: Set<RunMetric>?
  /// Whether the metric was chosen, so that nothing else stands in for it.
  public let isMetricChosen: Bool

  /// Frame times by their usual figures.
  public init() { (metric, chosen, isMetricChosen) = (Self.usual, nil, false) }

  /// The figures that words name: `p95(gpuTime)`, `gpuTime` for all figures of a metric, `p95` for one of
  /// the usual metric, `missedRefreshShare`.
  /// - Throws: Where a word names no figure, or the words name several metrics.
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
      throw ComparisonRefusal(
        message: "--metric: expected figures of one metric, found \(metric) and \(other)",
        help: "compare them one after the other: each is a test of its own")
    }
    self.metric = metric
    self.chosen = isWhole || chosen.isEmpty ? nil : chosen
    isMetricChosen = !names.isEmpty
  }

  /// The metric that is compared where none is chosen.
  package static let usual = "frameTime"

  /// The metrics that can be compared: lengths of time of frames, and those that sources count.
  static var metrics: [String] {
    Metrics.all.filter { $0.unit == .milliseconds }.map(\.name) + counted.map(\.rawValue)
  }

  /// What can be named: figures of frame times, and metrics.
  public static var names: [String] { RunMetric.allCases.map(\.rawValue) + metrics }

  /// Metrics that sources state as counts of frames by length.
  static let counted: [StatedMetric] = [.frameDuration, .gpuDuration]

  /// The metric that a word names, `nil` for the usual one, and the figure, `nil` for all of them.
  private static func read(_ word: String) throws(ComparisonRefusal) -> (String?, RunMetric?) {
    let compact = word.filter { $0 != " " }
    if let figure = RunMetric(rawValue: compact) { return (nil, figure) }
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
    ComparisonRefusal(
      message: "--metric: expected \(expected), found \(word)",
      help:
        "such as p99, 'p95(gpuTime)', gpuTime or missedRefreshShare; 'frametool metrics' lists metrics, and mean(frameTime) decides on frame rates"
    )
  }
}

import FrameAnalysis
import FrameStatistics
import FrameTrace

/// A figure that a history keeps, identified by name: a statistic of a metric, such as
/// `p95(frameTime)`, or a single figure, such as `droppedShare`.
public struct HistoryMetric: Hashable, Sendable {
  /// The metric's name.
  public let name: String
  /// The unit of the metric's values.
  public let unit: String

  /// A metric with the unit of its values.
  public init(_ name: String, unit: String) {
    self.name = name
    self.unit = unit
  }

  /// The statistic, such as `p95` in `p95(frameTime)`; `nil` for a single figure.
  package var statistic: String? { FigureName(name).statistic }

  /// The metric, such as `frameTime` in `p95(frameTime)`.
  package var base: String { FigureName(name).base }

  /// Whether larger values are worse; `nil` if neither direction is worse.
  public var higherIsWorse: Bool? {
    if let stated = StatedMetric(ofFigure: base) { return stated.higherIsWorse }
    return switch Metrics.entries.first(where: { $0.name == base })?.direction {
    case .higherIsBetter: false
    case .neither: nil
    case .lowerIsBetter, nil: true
    }
  }

  /// The smallest change worth acting on: a share of the value for times and rates; for others, an amount in the unit,
  /// but at least a tenth of the level.
  var threshold: (size: Double, isShare: Bool) {
    switch unit {
    case "%": return (RunMetric.missedRefreshShare.usualThreshold, false)
    case "ms/s": return (RunMetric.intervalHitchRatio.usualThreshold, false)
    case MetricUnit.perMinute.rawValue: return (1, false)
    default: break
    }
    guard base == "frameTime", let known = statistic.flatMap(RunMetric.init(rawValue:)) else {
      return (statistic == "p99" ? RunMetric.p99.usualThreshold : 0.05, true)
    }
    return (known.usualThreshold, true)
  }

  /// The figures that `check` judges by default: those that decide comparisons.
  public static let gating: Set<String> = Set(
    [
      "p50(frameTime)", "p95(frameTime)", "p99(frameTime)", "missedRefreshShare",
      "intervalHitchRatio", "stuttersPerMinute", "stopsPerMinute", "p50(touchToPhoton)",
      "p95(touchToPhoton)", "p50(clickToPhoton)",
      "p95(clickToPhoton)", "p50(inputToPhoton)", "p95(inputToPhoton)",
    ] + LaunchMeasure.all.map { "p50(\($0.name))" })
}

/// The scale on which the values of a series are analyzed.
struct HistoryScale: Sendable {
  /// Whether values are analyzed as logarithms.
  let isLogarithmic: Bool
  private let metric: HistoryMetric

  init(_ metric: HistoryMetric, isPositive: Bool) {
    self.metric = metric
    isLogarithmic = isPositive && metric.threshold.isShare
  }

  func scaled(_ value: Double) -> Double { isLogarithmic ? Elementary.log(value) : value }
  func unscaled(_ value: Double) -> Double { isLogarithmic ? Elementary.exp(value) : value }

  /// The smallest change from a level worth acting on; level and change are scaled.
  func threshold(at level: Double) -> Double {
    let (size, isShare) = metric.threshold
    if isLogarithmic { return Elementary.log(1 + size) }
    // A share of a level of 0 is 0, so a minimum applies.
    let part = (isShare ? size : RunMetric.shareOfBaseline) * abs(level)
    return max(part, isShare ? 1e-6 : size)
  }

  /// A difference of scaled values, converted for display in `effectUnit`.
  func effect(_ difference: Double) -> Double {
    isLogarithmic ? 100 * (Elementary.exp(difference) - 1) : difference
  }

  var effectUnit: String {
    isLogarithmic ? "%" : metric.unit == "%" ? "pp" : metric.unit
  }
}

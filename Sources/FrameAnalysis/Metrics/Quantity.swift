import FrameStatistics
import FrameTrace

/// A number and its unit.
public struct Quantity: Hashable, Sendable {
  /// The number.
  public let value: Double
  /// The unit of the number.
  public let unit: MetricUnit

  /// A number in a unit.
  public init(_ value: Double, _ unit: MetricUnit) {
    self.value = value
    self.unit = unit
  }

  /// The number with that many decimals, and its unit: `4.04 ms`.
  package func text(decimals: Int) -> String {
    "\(FixedNumber.text(value, decimals: decimals)) \(unit.rawValue)"
  }
}

extension MetricResult {
  /// A statistic of a metric with many values, identified by its name in ``Summary/names``.
  /// - Returns: `nil` for a metric that is one figure or was not measured, and for unknown names.
  public subscript(statistic: String) -> Quantity? {
    guard case .summary(let summary) = figures else { return nil }
    return summary[statistic].map { Quantity($0, unit) }
  }

  /// The figure of a metric that has a single figure; `nil` for a metric with many values, or one that was not
  /// measured.
  public var figure: Quantity? {
    guard case .figure(let figure, _) = figures else { return nil }
    return Quantity(figure, unit)
  }
}

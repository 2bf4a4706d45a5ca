import FrameAnalysis
import FrameStatistics
import FrameTrace

/// The figure of a run that is used to search for a commit.
public struct SearchedFigure: Hashable, Sendable {
  /// The name of the figure and the unit of its values.
  public let name, unit: String
  /// The unit of changes.
  public let effectUnit: String
  /// The smallest change worth acting on, on the scale that comparisons use.
  let threshold: Double
  private let metric: RunMetric
  private let kind: ComparisonOptions.Kind

  /// - Parameters:
  ///   - kind: What is measured.
  ///   - words: The figure that the user named, or empty for the default one.
  ///   - size: The smallest change that matters, in %, pp or ms/s; `nil` for the default of comparisons.
  public init(
    _ kind: ComparisonOptions.Kind, _ words: [String], threshold size: Double? = nil
  ) throws(ComparisonRefusal) {
    let figures = try ComparedFigures(kind == .launch ? [] : words)
    let chosen = figures.chosen ?? []
    guard words.count < 2, chosen.count < 2 else {
      throw ComparisonRefusal.unknownFigure(
        words.joined(separator: ", "), expected: "one figure, as a search has one")
    }
    self.kind = kind
    switch kind {
    case .frames, .reported:
      metric = chosen.first ?? .mean
      name = metric.isTime ? "\(metric.rawValue)(\(figures.metric))" : metric.rawValue
    case .latency:
      metric = .p50
      name = "p50(latency)"
    case .launch:
      metric = .p50
      name = words.first ?? LaunchMeasure(kind: .warm, until: .exited, isFromTap: false).name
    }
    let usual = kind.threshold(of: metric)
    threshold =
      metric.isTime ? Elementary.log(1 + (size.map { $0 / 100 } ?? usual)) : size ?? usual
    (unit, effectUnit) = (metric.unit, metric.effectUnit)
  }

  /// The figure's value for a run, in its unit; `nil` if the run has none.
  public func value(of run: RunSummary) -> Double? {
    switch kind {
    case .frames, .reported:
      guard run.count > 0, metric.isTime || run.refresh != nil else { return nil }
      return run.value(metric)
    case .latency: return Self.median(run.latencies)
    case .launch: return Self.median(run.launches.map(\.time))
    }
  }

  private static func median(_ times: [Int64]) -> Double? {
    times.isEmpty ? nil : RealQuantile.type7(times.map { Nanoseconds($0).milliseconds }, 0.5)
  }

  /// A value on the scale that is used to compare values.
  func scaled(_ value: Double) -> Double { metric.scaled(value) }
  /// A difference on that scale, converted to the unit of changes.
  func effect(_ difference: Double) -> Double { metric.effect(difference) }
}

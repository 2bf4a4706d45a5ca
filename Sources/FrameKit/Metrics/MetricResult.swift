/// What a metric gave for a surface, described.
public struct MetricResult: Hashable, Sendable {
  /// The figures that describe the measurement.
  public enum Figures: Hashable, Sendable {
    /// Of values of frames, in the metric's unit.
    case summary(Summary)
    /// One figure made of `n` frames.
    case figure(Double, n: Int)
    /// Nothing, and why.
    case unavailable(String)
  }

  public private(set) var name: String
  public let unit: MetricUnit
  public let figures: Figures
  public private(set) var definition: String?
  /// Why a better definition was passed over; `nil` where none was.
  public private(set) var passedOver: String?
  public let missing: Int
  public let exclusions: [Measurement.Exclusion]
  public let isInferred: Bool

  init(_ metric: any Metric, _ measurement: Measurement) {
    name = metric.name
    unit = metric.unit
    definition = measurement.definition
    passedOver = measurement.passedOver
    missing = measurement.missing
    exclusions = measurement.exclusions
    isInferred = measurement.isInferred
    figures =
      switch measurement.content {
      case .sample(let sample): Summary(sample).map { .summary($0) } ?? .unavailable("no values")
      case .figure(let figure, let n): .figure(figure, n: n)
      case .unavailable(let why): .unavailable(why)
      }
  }

  /// The result of a metric that has the same values under another name.
  func renamed(_ name: String, _ use: MeasurementBasis.Use) -> MetricResult {
    var result = self
    result.name = name
    result.definition = use.definition
    result.passedOver = use.passedOver
    return result
  }
}

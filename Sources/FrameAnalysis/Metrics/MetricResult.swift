public import FrameStatistics

/// The result of a metric for a surface: values, one figure, or the reason why there is none.
public struct Measurement: Sendable {
  /// The figures of a measurement.
  public enum Content: Sendable {
    /// One value for each of a number of frames or inputs; durations in nanoseconds.
    case sample(Sample)
    /// One figure computed from `n` frames.
    case figure(Double, n: Int)
    /// No figure, and the reason.
    case unavailable(String)
  }

  /// Frames that were deliberately left out.
  public struct Exclusion: Hashable, Sendable {
    /// Why they were left out.
    public let reason: String
    /// The number of these frames.
    public let count: Int
  }

  /// The values, or why there are none.
  public internal(set) var content: Content
  /// Which of the metric's definitions the source allowed; `nil` if the metric has only one.
  public var definition: String?
  /// Why a better definition was not used: how few frames have the required data. `nil` if none was passed over.
  public var passedOver: String?
  /// How many frames should have a value but do not.
  public var missing = 0
  /// Frames that were left out on purpose, by reason.
  public var exclusions: [Exclusion] = []
  /// How many lengths of more than 10 s count as 10 s.
  public var shortened = 0
  /// Whether a value was inferred instead of recorded.
  public var isInferred = false

  static func unavailable(_ reason: String) -> Measurement {
    Measurement(content: .unavailable(reason))
  }
}

/// A metric's result for a surface, summarized.
public struct MetricResult: Hashable, Sendable {
  /// The figures that describe the measurement.
  public enum Figures: Hashable, Sendable {
    /// A summary of the frames' values, in millionths of the metric's unit: nanoseconds for
    /// milliseconds.
    case summary(Summary)
    /// One figure computed from `n` frames.
    case figure(Double, n: Int)
    /// No figure, and the reason.
    case unavailable(String)
  }

  /// The metric's name.
  public private(set) var name: String
  /// The unit that the figures are shown in.
  public let unit: MetricUnit
  /// The result of the metric, or why there is none.
  public let figures: Figures
  /// Which of the metric's definitions the source allowed; `nil` if the metric has only one.
  public private(set) var definition: String?
  /// Why a better definition was not used; `nil` if none was passed over.
  public private(set) var passedOver: String?
  /// How many frames should have a value but do not.
  public let missing: Int
  /// Frames that were left out on purpose, by reason.
  public let exclusions: [Measurement.Exclusion]
  /// How many lengths of more than 10 s count as 10 s.
  public let shortened: Int
  /// Whether a value was inferred instead of recorded.
  public let isInferred: Bool

  init(_ metric: any Metric, _ measurement: Measurement) {
    name = metric.name
    unit = metric.unit
    definition = measurement.definition
    passedOver = measurement.passedOver
    missing = measurement.missing
    exclusions = measurement.exclusions
    shortened = measurement.shortened
    isInferred = measurement.isInferred
    figures =
      switch measurement.content {
      case .sample(let sample):
        Summary(millionths: sample).map { .summary($0) } ?? .unavailable("no values")
      case .figure(let figure, let n): .figure(figure, n: n)
      case .unavailable(let why): .unavailable(why)
      }
  }

  /// Whether frames were left out because their times contradict each other.
  var leavesOutContradictions: Bool {
    if case .unavailable(Contradictions.reason) = figures { return true }
    return exclusions.contains { $0.reason == Contradictions.reason }
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

package import FrameTrace

/// Something that is measured on a surface: its name, its definition and how it is computed.
package protocol Metric: Sendable {
  /// The name in JSON, on the command line and in tables.
  var name: String { get }
  var unit: MetricUnit { get }
  /// Which way is better.
  var direction: MetricDirection { get }
  /// One sentence that says what the metric is.
  var summary: String { get }
  /// How the metric is computed.
  var formula: String { get }
  /// Where the formula comes from; `nil` if the formula is the plain meaning of the name.
  var source: String? { get }

  /// What has to be read from a trace to measure the metric.
  var demand: TraceDemand { get }

  /// Whether the pipeline has to be rebuilt to measure the metric.
  var needsReconstruction: Bool { get }

  /// Measures a surface.
  func measure(_ surface: MeasuredSurface) -> Measurement

  /// What the metric's values are based on for a surface, and the name of that definition; `nil` if the metric has no
  /// values, or none shared with other metrics.
  func basis(on surface: MeasuredSurface) -> MeasurementBasis.Use?
}

extension Metric {
  package var needsReconstruction: Bool { false }

  package func basis(on surface: MeasuredSurface) -> MeasurementBasis.Use? {
    nil
  }
}

/// Which way a metric is better.
public enum MetricDirection: String, Sendable, CaseIterable {
  case lowerIsBetter, higherIsBetter, neither
}

/// The unit of a metric's figures.
///
/// The values of a sample are integers in millionths of the unit; for milliseconds these are nanoseconds.
public enum MetricUnit: String, Sendable, CaseIterable {
  case milliseconds = "ms"
  case framesPerSecond = "fps"
  /// Intervals of the display.
  case frames = "frames"
  case refreshes = "refreshes"
  case points = "pt"
  case samples = "samples"
  case percent = "%"
  case millisecondsPerSecond = "ms/s"
  case perMinute = "/min"
}

/// The unit of a metric's figures.
///
/// The values of a sample are whole numbers: millionths of the unit, which of milliseconds
/// are nanoseconds.
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
}

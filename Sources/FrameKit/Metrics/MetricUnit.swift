/// The unit of a metric's figures.
public enum MetricUnit: String, Sendable, CaseIterable {
  case milliseconds = "ms"
  case framesPerSecond = "fps"
}

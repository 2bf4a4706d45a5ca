/// A metric that is one rate made of a surface's frame times.
struct FrameRateMetric: Metric {
  /// The times that a rate is made of.
  enum Base: Sendable { case frameTime, displayStep }

  let name: String
  let unit = MetricUnit.framesPerSecond
  let direction = MetricDirection.higherIsBetter
  let summary: String
  let formula: String
  let source: String?
  var base = Base.frameTime
  /// The fewest frames that the figure means anything for.
  let fewestFrames: Int
  /// The length, in nanoseconds, of the frame whose rate the figure is.
  let frameLength: @Sendable ([Int64]) -> Double?

  func measure(_ surface: MeasuredSurface) -> Measurement {
    let frameTimes = base == .frameTime ? surface.frameTimes : surface.displaySteps
    guard case .values(let values) = frameTimes.content else { return frameTimes }
    guard values.count >= fewestFrames else {
      return .unavailable("a figure of \(values.count) means nothing, it takes \(fewestFrames)")
    }
    guard let length = frameLength(values), length > 0 else {
      return .unavailable("the frame times add up to nothing")
    }
    return Measurement(
      content: .figure(1e9 / length, n: values.count), definition: frameTimes.definition,
      missing: frameTimes.missing, exclusions: frameTimes.exclusions)
  }
}

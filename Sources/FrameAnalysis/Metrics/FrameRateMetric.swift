import FrameStatistics
import FrameTrace

/// A metric that is a single rate computed from a surface's frame times.
struct FrameRateMetric: Metric {
  /// The times that a rate is computed from.
  enum Base: Hashable, Sendable, CaseIterable { case frameTime, displayStep, renderedStep }

  let name: String
  let unit = MetricUnit.framesPerSecond
  let direction = MetricDirection.higherIsBetter
  let summary: String
  let formula: String
  let source: String?
  var base = Base.frameTime
  /// The minimum number of frames for which the figure is meaningful.
  let fewestFrames: Int
  /// The length, in nanoseconds, of the frame whose rate the figure is.
  let frameLength: @Sendable (SlowestFrames) -> Double

  /// The shortest time, in nanoseconds, for which a rate is meaningful: two commits of a cursor
  /// within a millisecond are not 1000 frames per second.
  private static let shortestTime = 1e8

  var demand: TraceDemand { FrameMetric.base(base).demand }

  func measure(_ surface: MeasuredSurface) -> Measurement {
    let base = surface.base(base)
    guard let slowest = base.slowest else { return base.measurement }
    guard slowest.count >= fewestFrames else {
      return .unavailable(
        "\(slowest.count) frame times are too few, at least \(fewestFrames) are needed")
    }
    let time = slowest.overallMean * Double(slowest.count)
    guard time >= Self.shortestTime else {
      let milliseconds = FixedNumber.text(Millionths.value(time), decimals: 1)
      return .unavailable("\(milliseconds) ms is too short for a rate, at least 100 ms is needed")
    }
    let length = frameLength(slowest)
    guard length > 0 else { return .unavailable("the frame times add up to 0 ms") }
    var measurement = base.measurement
    measurement.content = .figure(1e9 / length, n: slowest.count)
    return measurement
  }
}

extension FrameMetric {
  /// The metric whose values a rate is computed from.
  static func base(_ base: FrameRateMetric.Base) -> FrameMetric {
    switch base {
    case .frameTime: .frameTime
    case .displayStep: .displayStep
    case .renderedStep: .renderedStep
    }
  }
}

/// The latencies of inputs that are no touches, each with the time at which it was seen.
struct InputSeries {
  private let values: [(time: Int64, value: Int64)]

  /// - Returns: `nil` for a metric that is none of inputs.
  init?(_ name: String, of surface: MeasuredSurface) {
    guard let metric = Metrics.all.first(where: { $0.name == name }) as? InputLatencyMetric else {
      return nil
    }
    let frames = surface.surface.frames
    values = metric.earliest(on: surface).compactMap { frame, made in
      frames[frame, .displayed].map { ($0, $0 - made) }
    }
  }

  /// Goes through the values in order of the frames.
  func visit(_ body: (_ time: Int64, _ value: Int64) -> Void) {
    for (time, value) in values { body(time, value) }
  }
}

import FrameAnalysis
import FrameStatistics
import FrameTrace

/// A metric of a surface with all its values, for plots of values.
struct PlottedMetric {
  let name: String
  let unit: MetricUnit
  let measurement: Measurement
  let sample: Sample
  let summary: Summary

  /// Measures the first of several metrics for which a surface has values.
  /// - Parameter names: The metrics to try, in order of preference; the user's choice replaces
  ///   them.
  init(
    _ names: [String], of surface: PlottedSurface, _ options: PlotOptions
  ) throws(PlotRefusal) {
    let names = options.metric.map { [$0] } ?? names
    var why = ""
    for name in names {
      guard let metric = Metrics.all.first(where: { $0.name == name }) else { continue }
      let measurement = metric.measure(surface.measured)
      switch measurement.content {
      case .sample(let sample):
        guard let summary = Summary(millionths: sample) else { continue }
        self.name = name
        unit = metric.unit
        self.measurement = measurement
        self.sample = sample
        self.summary = summary
        return
      case .figure: why = "it is one figure, not a series of values"
      case .unavailable(let reason): why = reason
      }
    }
    throw PlotRefusal(
      "\(surface.path): no \(names.joined(separator: " or ")) to draw: \(why)",
      help: "'frametool analyze \(surface.path)' shows the available metrics")
  }

  /// The label of an axis for the metric's values.
  var axis: String { "\(Self.words(name)) in \(unit.rawValue)" }

  /// The metric's name in words: `frameTime` becomes "frame time".
  static func words(_ name: String) -> String {
    name.reduce(into: "") { words, character in
      words += character.isUppercase ? " \(character.lowercased())" : String(character)
    }
  }

  /// A statistic of the metric's summary, in the metric's unit.
  func figure(_ name: String) -> Double { summary[name] ?? 0 }

  /// The number of values, how they were measured, and what was excluded.
  var notes: String {
    PlotText.line([
      "n \(summary.n)", measurement.missing > 0 ? "\(measurement.missing) missing" : nil,
      measurement.definition.map { "measured \($0)" },
      measurement.passedOver.map { "only \($0)" },
      measurement.isInferred ? "inferred" : nil,
      measurement.exclusions.map { "without \($0.count) \($0.reason)" }.joined(separator: ", "),
    ])
  }
}

/// The latencies of inputs other than touches, each with its display time.
struct InputSeries {
  private let values: [(time: Timestamp, value: Nanoseconds)]

  /// - Returns: `nil` if the metric is not an input latency.
  init?(_ name: String, of surface: MeasuredSurface) {
    guard let metric = Metrics.all.first(where: { $0.name == name }) as? InputLatencyMetric else {
      return nil
    }
    let frames = surface.surface.frames
    values = metric.earliest(on: surface).compactMap { frame, made in
      frames.time(frame, .displayed).map { ($0, $0 - made) }
    }
  }

  /// Visits the values in order of the frames.
  func visit(_ body: (_ time: Timestamp, _ value: Nanoseconds) -> Void) {
    for (time, value) in values { body(time, value) }
  }
}

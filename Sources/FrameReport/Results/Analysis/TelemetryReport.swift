import FrameAnalysis
import FrameTrace

/// The readings of sensors and counters in the analyzed part of a trace.
struct TelemetryReport {
  /// The readings of one sensor or counter.
  struct Figure {
    let series: TelemetrySeries
    let n: Int
    let minimum, mean, maximum: Double

    /// - Returns: `nil` without a reading.
    init?(_ series: TelemetrySeries, in range: Range<Timestamp>) {
      let values = zip(series.times, series.values).filter { range.contains($0.0) }.map(\.1)
      guard let low = values.min(), let high = values.max() else { return nil }
      self.series = series
      (n, minimum, maximum) = (values.count, low, high)
      mean = values.reduce(0, +) / Double(values.count)
    }

    var words: String {
      let unit = series.unit.map { " \($0)" } ?? ""
      let text = { (value: Double) in
        FixedNumber.text(value, decimals: value.magnitude < 1000 ? 1 : 0)
      }
      guard minimum < maximum else { return "\(series.name) \(text(mean))\(unit)" }
      return "\(series.name) \(text(mean))\(unit) (\(text(minimum)) to \(text(maximum)))"
    }
  }

  static let columns: [ResultColumn<Figure>] = [
    .text("name", "the sensor's or counter's name in the source", \.series.name),
    .text("unit", "its unit in the source", \.series.unit).ifAny,
    .text("source", "where it was read", \.series.source).ifAny,
    .integer("n", "how many readings") { $0.n },
    .real("min", "the lowest", \.minimum), .real("mean", "the mean", \.mean),
    .real("max", "the highest", \.maximum),
  ]

  let figures: [Figure]

  /// The maximum number of figures to name for people; the others are in JSON.
  private static let mostNamed = 12

  init(_ analysis: TraceAnalysis) {
    let range = analysis.options.region?.range ?? .always
    figures = analysis.trace.telemetry.compactMap { Figure($0, in: range) }
  }

  /// One line about graphics and one about everything else; figures without a unit are omitted.
  var lines: [String] {
    let named = figures.filter { $0.series.unit != nil }
    let shown = named.prefix(Self.mostNamed)
    let groups = [
      shown.filter { $0.series.name.lowercased().contains("gpu") },
      shown.filter { !$0.series.name.lowercased().contains("gpu") },
    ].filter { !$0.isEmpty }
    var lines = groups.map { group in
      let count = Set(group.map(\.n))
      let n = count.count == 1 ? "n \(group[0].n)" : "n \(count.min() ?? 0) to \(count.max() ?? 0)"
      return "mean (range): \(group.map(\.words).joined(separator: ", ")); \(n)"
    }
    if named.count > shown.count, let last = lines.popLast() {
      lines.append("\(last); \(named.count - shown.count) more in JSON")
    }
    return lines
  }
}

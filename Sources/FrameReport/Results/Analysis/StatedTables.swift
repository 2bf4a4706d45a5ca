import FrameAnalysis
import FrameStatistics
import FrameTrace

/// The figures that a source states, as tables.
struct StatedTables {
  private let series: [StatedFigures]
  private let histograms: [FieldHistogram]
  private let isField: Bool

  init(_ trace: Trace) {
    series = StatedFigures.all(trace)
    histograms = trace.bins.histograms
    isField = trace.setting.origin == .field
  }

  var isEmpty: Bool { series.isEmpty && histograms.isEmpty }

  /// What the source states about jank or late frames, or else the subject of the tables.
  var headline: String {
    if let jank = JankReport(series) { return jank.sentence }
    if let late = LateFrameReport(series) { return late.sentence }
    return isField
      ? "figures from devices in the field, as reported by the source"
      : "figures from runs, as reported by the source"
  }

  /// The maximum number of rows in an answer.
  private static let mostRows = 24

  private func shown(_ detail: AnalysisDetail) -> ArraySlice<StatedFigures> {
    series.prefix(detail == .all ? .max : Self.mostRows)
  }

  /// A sentence about the figures that are not in the table.
  func more(_ detail: AnalysisDetail) -> String? {
    let rest = series.count - shown(detail).count
    return rest > 0 ? "and \(rest) more (--all shows them)" : nil
  }

  /// One row for each metric of a scene.
  func figures(_ detail: AnalysisDetail) -> TextTable? {
    guard !series.isEmpty else { return nil }
    // If each metric has only one run, only the value is shown.
    let areSingle = series.allSatisfy { $0.values.count == 1 }
    let quantiles = Self.quantiles(shown(detail))
    let names =
      areSingle ? ["value"] : ["n", "median", "min"] + quantiles.map(\.name) + ["max"]
    let columns = names.map { ($0, TextTable.Alignment.right) }
    var table = TextTable([("scene", .left), ("metric", .left), ("unit", .left)] + columns)
    for series in shown(detail) {
      let sorted = series.values.sorted()
      let bound = series.isLowerBound ? "≥ " : ""
      let tail = quantiles.map { quantile in
        quantile.isKnown(sorted.count) ? Self.text(RealQuantile.type7(sorted, quantile.share)) : ""
      }
      let figures =
        [
          "\(sorted.count)", bound + Self.text(RealQuantile.type7(sorted, 0.5)),
          bound + Self.text(sorted[0]),
        ] + tail + [bound + Self.text(sorted[sorted.count - 1])]
      table.append(
        [series.scene ?? "", series.metric, series.unit] + (areSingle ? [figures[1]] : figures))
    }
    return table.withoutEmptyColumns
  }

  /// A quantile of samples, with one sample per frame.
  private struct Quantile {
    let name: String
    let share: Double

    /// Whether a sample has a value beyond the quantile.
    func isKnown(_ count: Int) -> Bool { Double(count) * (1 - share) >= 1 }
  }

  /// The quantiles between the median and the longest frame, if runs have samples of their frames.
  private static func quantiles(_ series: ArraySlice<StatedFigures>) -> [Quantile] {
    let samples = series.filter { $0.values.count > $0.runs.count }.map(\.values.count).max() ?? 0
    return [("p90", 0.9), ("p95", 0.95), ("p99", 0.99)].map { Quantile(name: $0, share: $1) }
      .filter { $0.isKnown(samples) }
  }

  /// One row per histogram.
  func counts() -> TextTable? {
    guard !histograms.isEmpty else { return nil }
    var table = TextTable([
      ("histogram", .left), ("unit", .left), ("n", .right), ("p50", .right), ("p95", .right),
      ("from", .right), ("to", .right),
    ])
    for histogram in histograms {
      table.append([
        histogram.metric, histogram.unit, "\(histogram.count)",
        Self.text(histogram, 0.5), Self.text(histogram, 0.95),
        Self.text(histogram.bins.first?.low ?? 0),
        histogram.isOpen ? "open" : Self.text(histogram.bins.map(\.high).max() ?? 0),
      ])
    }
    return table
  }

  private static func text(_ histogram: FieldHistogram, _ share: Double) -> String {
    (histogram.isLowerBound(share) ? "≥ " : "") + text(histogram.quantile(share))
  }

  private static func text(_ value: Double) -> String { FixedNumber.text(value, decimals: 2) }
}

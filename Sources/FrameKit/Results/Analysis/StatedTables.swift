/// The figures that a source states itself, as tables.
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

  /// What the tables are of.
  var headline: String {
    isField
      ? "figures from devices in the field, as stated by the source"
      : "figures from runs, as stated by the source"
  }

  /// A row a metric of a scene.
  func figures() -> TextTable? {
    guard !series.isEmpty else { return nil }
    var table = TextTable([
      ("of", .left), ("metric", .left), ("unit", .left), ("n", .right), ("median", .right),
      ("min", .right), ("max", .right),
    ])
    for series in series {
      let sorted = series.values.sorted()
      table.append([
        series.scene ?? "", series.metric, series.unit, "\(sorted.count)",
        Self.text(RealQuantile.type7(sorted, 0.5)), Self.text(sorted[0]),
        Self.text(sorted[sorted.count - 1]),
      ])
    }
    return table.withoutEmptyColumns
  }

  /// A row a histogram.
  func counts() -> TextTable? {
    guard !histograms.isEmpty else { return nil }
    var table = TextTable([
      ("histogram", .left), ("unit", .left), ("n", .right), ("p50", .right), ("p95", .right),
      ("from", .right), ("to", .right),
    ])
    for histogram in histograms {
      table.append([
        histogram.metric, histogram.unit, "\(histogram.count)",
        Self.text(histogram.quantile(0.5)), Self.text(histogram.quantile(0.95)),
        Self.text(histogram.bins.first?.low ?? 0),
        Self.text(histogram.bins.map(\.high).max() ?? 0),
      ])
    }
    return table
  }

  private static func text(_ value: Double) -> String { FixedNumber.text(value, decimals: 2) }
}

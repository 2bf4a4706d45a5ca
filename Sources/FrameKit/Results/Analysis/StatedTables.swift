/// The figures that a source states itself, as tables and as JSON.
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
      ? "figures of devices in the field, as the source states them"
      : "figures of runs, as the source states them"
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

extension StatedTables {
  /// The rows of a table for spreadsheets.
  func rows() -> [AnalysisRow] {
    series.map { series in
      let sorted = series.values.sorted()
      return AnalysisRow(
        name: series.metric, unit: series.unit,
        definition: ["stated", series.scene].compactMap { $0 }.joined(separator: ", "),
        n: sorted.count, value: "\(RealQuantile.type7(sorted, 0.5))")
    }
      + histograms.map { histogram in
        AnalysisRow(
          name: "p50(\(histogram.metric))", unit: histogram.unit, definition: "stated, of bins",
          n: Int(histogram.count), value: "\(histogram.quantile(0.5))")
      }
  }

  /// Writes the members `figures` and `histograms`, those that there are.
  func write(to json: inout JSONWriter) {
    if !series.isEmpty {
      json.key("figures")
      json.array { json in
        for series in series { json.object { Self.write(series, to: &$0) } }
      }
    }
    if !histograms.isEmpty {
      json.key("histograms")
      json.array { json in
        for histogram in histograms { json.object { Self.write(histogram, to: &$0) } }
      }
    }
  }

  private static func write(_ series: StatedFigures, to json: inout JSONWriter) {
    json.member("scene", series.scene)
    json.member("metric", series.metric)
    json.member("unit", series.unit)
    json.member("label", series.label)
    json.member("n", series.values.count)
    json.member("p50", RealQuantile.type7(series.values.sorted(), 0.5))
    json.key("runs")
    json.array { json in
      for run in series.runs {
        json.array { json in for value in run { json.value(value) } }
      }
    }
    var reasons: [(String, String)] = []
    if series.scene == nil { reasons.append(("scene", "the source does not tell")) }
    if series.label == nil { reasons.append(("label", "the source does not tell")) }
    json.writeReasons(reasons)
  }

  private static func write(_ histogram: FieldHistogram, to json: inout JSONWriter) {
    json.member("metric", histogram.metric)
    json.member("unit", histogram.unit)
    json.member("n", histogram.count)
    json.member("p50", histogram.quantile(0.5))
    json.member("p95", histogram.quantile(0.95))
    json.key("bins")
    json.array { json in
      for bin in histogram.bins {
        json.object { json in
          json.member("from", bin.low)
          json.member("to", bin.high)
          json.member("count", bin.count)
        }
      }
    }
  }
}

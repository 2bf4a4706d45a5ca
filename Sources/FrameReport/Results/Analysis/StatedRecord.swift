import FrameAnalysis
import FrameStatistics
import FrameTrace
import FrameVerdicts

extension FieldRecord {
  /// Adds the figures and histograms that the source of a trace states, if any.
  mutating func add(statedBy trace: Trace) {
    let series = StatedFigures.all(trace)
    let histograms = trace.bins.histograms
    if !series.isEmpty {
      add(StatedKey.figures, rows: series) { series, record in record = FieldRecord(series) }
    }
    if !histograms.isEmpty {
      add(StatedKey.histograms, rows: histograms) { histogram, record in
        record = FieldRecord(histogram)
      }
    }
  }

  private init(_ series: StatedFigures) {
    add(StatedKey.scene, series.scene, else: "the source does not say")
    add(StatedKey.metric, series.metric)
    add(StatedKey.unit, series.unit)
    add("label", series.label, else: "the source does not say")
    add("n", series.values.count)
    add("p50", RealQuantile.type7(series.values.sorted(), 0.5))
    if series.isLowerBound { add("at_least", true) }
    add(StatedKey.runs, lists: series.runs)
  }

  private init(_ histogram: FieldHistogram) {
    add(StatedKey.metric, histogram.metric)
    add(StatedKey.unit, histogram.unit)
    add("n", histogram.count)
    add("p50", histogram.quantile(0.5))
    add("p95", histogram.quantile(0.95))
    if histogram.isOpen { add("open", true) }
    add(StatedKey.bins, rows: histogram.bins) { bin, record in
      record.add(StatedKey.from, bin.low)
      record.add(StatedKey.to, bin.high)
      record.add(StatedKey.count, bin.count)
    }
  }
}

/// The keys of stated figures and histograms that are read back.
private enum StatedKey {
  static let figures = "figures"
  static let histograms = "histograms"
  static let scene = "scene"
  static let metric = "metric"
  static let unit = "unit"
  static let runs = "runs"
  static let bins = "bins"
  static let from = "from"
  static let to = "to"
  static let count = "count"
}

extension HistoryResult {
  /// Reads what a `FieldRecord` was written to: the figures of each scene, and the histograms.
  static func stated(
    _ node: JSONNode, _ setting: Setting
  ) throws(JSONScanner.Problem) -> [HistoryResult] {
    var order: [String?] = []
    var runs: [String?: [[HistoryValue]]] = [:]
    for figure in node[StatedKey.figures]?.array ?? [] {
      guard let metric = figure[StatedKey.metric]?.text, let unit = figure[StatedKey.unit]?.text
      else { continue }
      let scene = figure[StatedKey.scene]?.text
      if runs[scene] == nil { order.append(scene) }
      for (run, node) in (figure[StatedKey.runs]?.array ?? []).enumerated() {
        if runs[scene, default: []].count <= run { runs[scene, default: []].append([]) }
        let values = (node.array ?? []).compactMap(\.number).map {
          HistoryValue(metric: metric, unit: unit, value: $0, n: 1)
        }
        runs[scene]?[run] += values.withoutSamples
      }
    }
    var results = order.map { scene -> HistoryResult in
      var result = HistoryResult()
      (result.scene, result.runs) = (scene, runs[scene] ?? [])
      return result
    }
    let histograms = try (node[StatedKey.histograms]?.array ?? []).map {
      node throws(JSONScanner.Problem) in try FieldHistogram(reading: node)
    }
    if !histograms.isEmpty {
      var result = HistoryResult()
      result.histograms = histograms
      results.append(result)
    }
    for place in results.indices {
      results[place].isField = setting.origin == .field
      results[place].take(setting)
    }
    return results
  }
}

extension FieldHistogram {
  /// Reads a histogram.
  init(reading node: JSONNode) throws(JSONScanner.Problem) {
    let bins = (node[StatedKey.bins]?.array ?? []).map(Bin.init(reading:))
    let known = bins.compactMap { $0 }
    guard let metric = node[StatedKey.metric]?.text, let unit = node[StatedKey.unit]?.text,
      !bins.isEmpty, known.count == bins.count,
      let made = FieldHistogram(metric: metric, unit: unit, bins: known)
    else {
      throw JSONScanner.Problem(
        offset: node.offset,
        expected: "a histogram with its metric, unit and bins, each with from, to and count")
    }
    self = made
  }
}

extension FieldHistogram.Bin {
  fileprivate init?(reading node: JSONNode) {
    guard let low = node[StatedKey.from]?.number, let high = node[StatedKey.to]?.number,
      let count = node[StatedKey.count]?.count, low <= high
    else { return nil }
    self.init(low: low, high: high, count: Int64(count))
  }
}

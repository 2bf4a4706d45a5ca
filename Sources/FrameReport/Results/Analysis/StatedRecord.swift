import FrameAnalysis
import FrameStatistics
import FrameTrace
import FrameVerdicts

extension StatedFigures {
  /// The figures that the source of a trace states.
  static let fields: [ResultColumn<StatedFigures>] = [
    .text(StatedKey.scene, "what was done", \.scene).otherwise("the source does not say"),
    .text(StatedKey.metric, "what is stated", \.metric),
    .text(StatedKey.unit, "its unit", \.unit),
    .text("label", "the source's name for it", \.label).otherwise("the source does not say"),
    .integer("n", "how many values there are", \.values.count),
    .real("p50", "their median") { RealQuantile.type7($0.values.sorted(), 0.5) },
    .flag("at_least", "whether values may be larger: the bin has no upper bound") {
      $0.isLowerBound ? true : nil
    }.ifAny,
    .lists(StatedKey.runs, "the values of each run", \.runs),
  ]
}

extension FieldHistogram {
  /// The histograms that the source of a trace states.
  static let fields: [ResultColumn<FieldHistogram>] = [
    .text(StatedKey.metric, "what is stated", \.metric), .text(StatedKey.unit, "its unit", \.unit),
    .integer("n", "how many values there are", \.count),
    .real("p50", "their median") { $0.quantile(0.5) },
    .real("p95", "their quantile of 95 %") { $0.quantile(0.95) },
    .flag("open", "whether the last bin has no upper bound") { $0.isOpen ? true : nil }.ifAny,
    .rows(
      StatedKey.bins,
      [
        .real(StatedKey.from, "its lower end", \.low), .real(StatedKey.to, "its upper end", \.high),
        .integer(StatedKey.count, "how many values are in it", \.count),
      ], "each bin", \.bins),
  ]
}

/// The keys of stated figures and histograms that are read back.
enum StatedKey {
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
  /// Reads the output of a `FieldRecord`: the figures of each scene, and the histograms.
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
    for position in results.indices {
      results[position].isField = setting.origin == .field
      results[position].consume(setting)
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

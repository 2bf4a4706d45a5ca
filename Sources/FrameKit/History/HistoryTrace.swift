/// What a trace gives for a history: what its runs show, and the figures that its source states.
extension HistoryResult {
  /// The results of a trace, one for each thing that was done.
  /// - Parameter run: What is measured of it; `nil` when nothing can be.
  public static func results(of trace: Trace, _ run: RunSummary?) -> [HistoryResult] {
    var results: [HistoryResult] = []
    if let run { results.append(HistoryResult(run)) }
    for scene in trace.figures.scenes {
      var result = HistoryResult()
      result.scene = scene
      result.runs = trace.figures.runs(of: scene)
      results.append(result)
    }
    let histograms = trace.bins.histograms
    if !histograms.isEmpty {
      // What the field sends of one time and version is one job.
      if results.isEmpty { results.append(HistoryResult()) }
      results[0].histograms = histograms
    }
    for place in results.indices {
      results[place].isField = trace.setting.origin == .field
      results[place].version = trace.setting.version
      results[place].device = trace.setting.device
      results[place].system = trace.setting.system
      results[place].date = trace.setting.date.flatMap { JobDate($0) }
    }
    return results
  }
}

extension Table<FigureColumn> {
  /// What figures were taken of, each once and in order; `nil` where the source does not tell.
  var scenes: [String?] {
    var scenes: [String?] = []
    for row in 0..<count where !scenes.contains(text(row, .scene)) {
      scenes.append(text(row, .scene))
    }
    return scenes
  }

  /// The figures of a scene by their runs, in order.
  fileprivate func runs(of scene: String?) -> [[HistoryValue]] {
    var runs: [Int64: [HistoryValue]] = [:]
    for row in 0..<count where text(row, .scene) == scene {
      guard let metric = text(row, .metric), let unit = text(row, .unit),
        let value = real(row, .value), value.isFinite
      else { continue }
      let n = self[row, .count].flatMap { $0 > 0 && $0 < 1 << 40 ? Int($0) : nil } ?? 1
      runs[self[row, .run] ?? 0, default: []].append(
        HistoryValue(metric: metric, unit: unit, value: value, n: n))
    }
    return runs.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension Table<BinColumn> {
  /// The histograms by their metrics, in order.
  public var histograms: [FieldHistogram] {
    var order: [MetricAndUnit] = []
    var bins: [MetricAndUnit: [FieldHistogram.Bin]] = [:]
    for row in 0..<count {
      guard let metric = text(row, .metric), let unit = text(row, .unit),
        let low = real(row, .low), let high = real(row, .high), let count = self[row, .count],
        (0..<(1 << 40)).contains(count)
      else { continue }
      let key = MetricAndUnit(metric: metric, unit: unit)
      if bins[key] == nil { order.append(key) }
      bins[key, default: []].append(.init(low: low, high: high, count: count))
    }
    return order.compactMap {
      FieldHistogram(metric: $0.metric, unit: $0.unit, bins: bins[$0] ?? [])
    }
  }
}

/// What bins of one histogram have in common.
private struct MetricAndUnit: Hashable {
  let metric, unit: String
}

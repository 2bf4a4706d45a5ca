/// What a result of another command gives for a history: the figures of its runs.
public struct HistoryResult: Sendable {
  public var runs: [[HistoryValue]] = []
  public var histograms: [FieldHistogram] = []
  /// What was done, where the result itself tells; `nil` for what its job says.
  public var scene: String?
  /// Whether devices of users sent it.
  public var isField = false
  /// What the result itself says of its job, where it does.
  public var version: String?
  public var device: String?
  public var system: String?
  public var date: JobDate?

  init() {}

  /// The figures of a run that was summarized.
  public init(_ run: RunSummary) { runs = [run.historyValues] }
}

extension RunSummary {
  /// The figures that comparisons are about, and those beside them.
  fileprivate var historyValues: [HistoryValue] {
    var values: [HistoryValue] = []
    if count > 0 {
      for metric in RunMetric.allCases {
        let name = metric.isTime ? "\(metric.rawValue)(frameTime)" : metric.rawValue
        values.append(
          HistoryValue(metric: name, unit: metric.unit, value: value(metric), n: Int(count)))
      }
    }
    for (name, unit, figure) in [
      ("droppedShare", "%", droppedShare), ("hitchRatio", "ms/s", hitchRatio),
    ] {
      guard let figure else { continue }
      values.append(HistoryValue(metric: name, unit: unit, value: figure, n: Int(count)))
    }
    if let latencyName, !latencies.isEmpty {
      for (name, share) in [("p50", 0.5), ("p95", 0.95)] {
        values.append(
          HistoryValue(
            metric: "\(name)(\(latencyName))", unit: "ms",
            value: RealQuantile.type7(latencies.map { Double($0) / 1e6 }, share),
            n: latencies.count))
      }
    }
    // Times under a profiler are no measurement.
    if !areProfiled {
      values +=
        LaunchValues(
          launches.map { .init(measure: $0.measure, total: Double($0.time) / 1e6) }
        ).all
    }
    return values
  }
}

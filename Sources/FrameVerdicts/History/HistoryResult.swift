package import FrameAnalysis
import FrameStatistics
package import FrameTrace

/// The result of another command in the form that a history stores: the figures of its runs.
package struct HistoryResult: Sendable {
  package var runs: [[HistoryValue]] = []
  package var histograms: [FieldHistogram] = []
  /// The scene, if the result contains it; `nil` to use the job's scene.
  package var scene: String?
  /// Whether users' devices sent the result.
  package var isField = false
  /// The properties of the job, if the result contains them.
  package var version: String?
  package var device: String?
  package var system: String?
  package var date: JobDate?

  package init() {}

  /// The figures of a run that was summarized.
  package init(_ run: RunSummary) { runs = [run.historyValues] }

  /// The figures of a run with its trace: all metrics of the selected surface, and all launches.
  init(_ run: RunSummary, _ study: Study) {
    let surface = study.meant.map { SurfaceAnalysis(study.surface($0), .all) }
    let launches = study.launches.ofOneProcess(nil).filter(\.isMeasurement)
    let measured =
      (surface?.historyValues ?? [])
      + LaunchValues(launches.compactMap(LaunchValues.Launch.init)).all
    // A source that only reports counts has no surface.
    runs = [measured.isEmpty ? run.historyValues : measured]
  }
}

extension SurfaceAnalysis {
  /// The mean and the quantiles of each metric, or its single figure.
  fileprivate var historyValues: [HistoryValue] {
    metrics.flatMap { metric -> [HistoryValue] in
      switch metric.figures {
      case .unavailable: return []
      case .figure(let value, let n):
        return [
          HistoryValue(metric: metric.name, unit: metric.unit.rawValue, value: value, n: n)
        ]
      case .summary(let summary):
        return zip(Summary.names, summary.figures).compactMap { name, value in
          guard HistoryValue.keeps(name, n: summary.n) else { return nil }
          return HistoryValue(
            metric: "\(name)(\(metric.name))", unit: metric.unit.rawValue,
            value: value, n: summary.n)
        }
      }
    }
  }
}

extension RunSummary {
  /// The figures that comparisons use, and the figures that comparisons only show.
  fileprivate var historyValues: [HistoryValue] {
    var values: [HistoryValue] = []
    if count > 0 {
      for metric in RunMetric.allCases where metric != .p90 && isKnown(metric) {
        let name = metric.isTime ? "\(metric.rawValue)(\(self.metric))" : metric.rawValue
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
            value: RealQuantile.type7(latencies.map { Nanoseconds($0).milliseconds }, share),
            n: latencies.count))
      }
    }
    // Times under a profiler are not measurements.
    if !areProfiled {
      values +=
        LaunchValues(
          launches.map { .init(measure: $0.measure, total: Nanoseconds($0.time).milliseconds) }
        ).all
    }
    return values
  }
}

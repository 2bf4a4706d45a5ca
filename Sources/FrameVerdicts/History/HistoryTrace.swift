package import FrameAnalysis
import FrameStatistics
package import FrameTrace

/// Conversion of a trace for a history: the figures of its runs, and the figures that its source reports.
extension HistoryResult {
  /// The results of a trace, one for each scene.
  /// - Parameter run: The summary of the trace; `nil` if it has neither frames nor launches of a
  ///   single process.
  package static func results(of study: Study, _ run: RunSummary?) -> [HistoryResult] {
    let trace = study.trace
    var results = run.map { [HistoryResult($0, study)] } ?? launches(of: study)
    results += stated(
      trace.figures, trace.bins.histograms, isField: trace.setting.origin == .field)
    for position in results.indices { results[position].consume(trace.setting) }
    return results
  }

  /// The launches of a trace that records scenes; each process gives a separate result.
  private static func launches(of study: Study) -> [HistoryResult] {
    guard study.trace.launches.has(.scene) else { return [] }
    var processes: [String?] = []
    for launch in study.launches where !processes.contains(launch.process) {
      processes.append(launch.process)
    }
    return processes.compactMap { process -> HistoryResult? in
      let launches = LaunchTimes(study.launches, of: process)
      guard !launches.times.isEmpty, !launches.areProfiled else { return nil }
      var result = HistoryResult()
      let own = study.launches.filter { $0.process == process && $0.isMeasurement }
      result.runs = [LaunchValues(own.compactMap(LaunchValues.Launch.init)).all]
      result.scene = process
      return result
    }
  }

  /// Figures grouped by scene, and histograms. Field data of one time and version forms one job.
  static func stated(
    _ figures: Table<FigureColumn>, _ histograms: [FieldHistogram], isField: Bool
  ) -> [HistoryResult] {
    var results = figures.runs.map { scene, runs -> HistoryResult in
      var result = HistoryResult()
      result.scene = scene
      result.runs = runs
      result.isField = isField
      return result
    }
    guard !histograms.isEmpty else { return results }
    if let position = results.firstIndex(where: { $0.scene == nil }) {
      results[position].histograms = histograms
    } else {
      var result = HistoryResult()
      result.histograms = histograms
      result.isField = isField
      results.append(result)
    }
    return results
  }

  /// Reads the properties that the source reports about itself.
  package mutating func consume(_ setting: Setting) {
    version = setting.version
    device = setting.device
    system = setting.system
    date = setting.date.flatMap { JobDate($0) }
  }
}

extension Table<FigureColumn> {
  /// The figures grouped by scene and run, both in order.
  fileprivate var runs: [(scene: String?, runs: [[HistoryValue]])] {
    var order: [String?] = []
    var all: [String?: [Int64: [HistoryValue]]] = [:]
    for row in 0..<count {
      guard let metric = text(row, .metric), let unit = text(row, .unit),
        let value = real(row, .value), value.isFinite, self[row, .atLeast] != 1
      else { continue }
      let scene = text(row, .scene)
      if all[scene] == nil { order.append(scene) }
      let n = self[row, .count].flatMap { $0 > 0 && Int64.counts.contains($0) ? Int($0) : nil } ?? 1
      all[scene, default: [:]][self[row, .run] ?? 0, default: []].append(
        HistoryValue(metric: metric, unit: unit, value: value, n: n))
    }
    return order.map { scene in
      (scene, (all[scene] ?? [:]).sorted { $0.key < $1.key }.map { $0.value.withoutSamples })
    }
  }
}

extension [HistoryValue] {
  /// The same values, with quantiles instead of samples for metrics with several values in the run.
  package var withoutSamples: [HistoryValue] {
    var order: [String] = []
    var values: [String: [HistoryValue]] = [:]
    for value in self {
      if values[value.metric] == nil { order.append(value.metric) }
      values[value.metric, default: []].append(value)
    }
    return order.flatMap { metric -> [HistoryValue] in
      let own = values[metric] ?? []
      guard own.count > 1 else { return own }
      let sorted = own.map(\.value).sorted()
      // p99 needs at least a hundred values.
      // The worst moments of a rate are at its low end.
      let isRate = HistoryMetric(metric, unit: own[0].unit).higherIsWorse == false
      let shares =
        [("p50", 0.5), ("p95", 0.95)] + (sorted.count >= 100 ? [("p99", 0.99)] : [])
        + (isRate ? [("p5", 0.05)] : [])
      let quantiles = shares.map { name, share in
        HistoryValue(
          metric: "\(name)(\(metric))", unit: own[0].unit,
          value: RealQuantile.type7(sorted, share), n: sorted.count)
      }
      guard metric == StatedMetric.frameOverrun.rawValue else { return quantiles }
      let over = Double(sorted.count { $0 > 0 }) / Double(sorted.count)
      let share = StatedMetric.overrunShare
      return quantiles + [
        HistoryValue(
          metric: share.rawValue, unit: share.unit, value: 100 * over, n: sorted.count)
      ]
    }
  }
}

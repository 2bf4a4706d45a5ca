extension PlotKind {
  /// A figure over jobs.
  static let history = PlotKind(
    "history", "A figure of job after job, with the jobs at which its level changed.",
    .jobs { jobs, options throws(PlotRefusal) in try HistoryPlot(jobs, options).plot() })
}

/// A figure of jobs in order, their runs as marks, with levels and changes.
private struct HistoryPlot {
  private let metric: String
  private let unit: String
  /// The values of each job's runs.
  private let jobs: [[Double]]
  private let changes: [Int]

  /// A figure of a run that can be drawn, by name: one of frame times, or the time of launches.
  private static let names = RunMetric.allCases.map(\.rawValue) + ["launchTime"]

  init(_ jobs: [[RunSummary]], _ options: PlotOptions) throws(PlotRefusal) {
    let isOfLaunches = jobs.allSatisfy { $0.allSatisfy { $0.count == 0 } }
    let metric = options.metric ?? (isOfLaunches ? "launchTime" : "p95")
    guard Self.names.contains(metric) else {
      throw PlotRefusal(
        "history shows no \(metric)", help: "there are: \(Self.names.joined(separator: ", "))")
    }
    self.metric = metric
    unit = RunMetric(rawValue: metric)?.unit ?? "ms"
    let values = jobs.map { runs in
      runs.flatMap { run -> [Double] in
        guard let known = RunMetric(rawValue: metric) else {
          return run.launches.map { Double($0.time) / 1e6 }
        }
        return run.count > 0 ? [run.value(known)] : []
      }
    }
    guard values.contains(where: { !$0.isEmpty }) else {
      throw PlotRefusal("no job has a \(metric)")
    }
    // A job without values has no level; the others stand for themselves.
    let known = values.indices.filter { !values[$0].isEmpty }
    let means = known.map { RealQuantile.type7(values[$0].sorted(), 0.5) }
    self.jobs = values
    changes = ChangePoints(means, seed: 1).places.map { known[$0] }
  }

  func plot() -> Plot {
    let runs = jobs.enumerated().flatMap { place, values in
      values.map { [Double(place + 1), $0] }
    }
    let values = runs.map { $0[1] }
    let low = values.min() ?? 0
    let high = values.max() ?? 1
    let room = max((high - low) * 0.15, high * 0.02, 0.001)
    let y = PlotAxis("\(name) in \(unit)", (low - room)...(high + room))
    let x = PlotAxis("job, in order", 0.5...(Double(jobs.count) + 0.5))
    let levels = self.levels
    let layers = [
      PlotLayer(.segments, "level", .series(1), levels).with(.strong),
      PlotLayer(.points, "run", .series(0), runs).with(.strong),
      PlotLayer.verticals(
        "level changes", .fault, at: changes.map { Double($0) + 0.5 }, y.range
      ).with(.normal, isBroken: true),
    ].filter { !$0.rows.isEmpty }
    var panel = PlotPanel(x: x, y: y, layers: layers)
    panel.labels = changes.map {
      PlotLabel(
        x: Double($0) + 0.6, y: y.range.upperBound - room * 0.4, text: "job \($0 + 1)",
        alignment: .left)
    }
    let words =
      changes.isEmpty
      ? "no change of level" : "level changes at \(PlotText.list(changes.map { "job \($0 + 1)" }))"
    return Plot(
      "history", title: "History of \(name)",
      subtitle: PlotText.line([
        "n \(PlotText.count(jobs.count, "job", "jobs")), \(count(values.count))",
        words, "E-divisive, one false change in 100 series",
      ]),
      description:
        "The \(name) of \(PlotText.count(jobs.count, "job", "jobs")) in order: \(words)\(levelWords(levels)).",
      panels: [panel])
  }

  private func count(_ values: Int) -> String {
    metric == "launchTime"
      ? PlotText.count(values, "launch", "launches") : PlotText.count(values, "run", "runs")
  }

  private var name: String {
    switch RunMetric(rawValue: metric) {
    case nil: "launch time"
    case .missedRefreshShare, .intervalHitchRatio: PlottedMetric.words(metric)
    default: "\(metric) of frame times"
    }
  }

  private func levelWords(_ levels: [[Double]]) -> String {
    "; levels "
      + levels.map { "\(FixedNumber.text($0[1], decimals: 2)) \(unit)" }.joined(separator: ", ")
  }

  /// The median of the jobs between two changes, from the first of them to the last.
  private var levels: [[Double]] {
    let bounds = [0] + changes + [jobs.count]
    return zip(bounds, bounds.dropFirst()).compactMap { start, end in
      let values = jobs[start..<end].flatMap { $0 }.sorted()
      guard !values.isEmpty else { return nil }
      let level = RealQuantile.type7(values, 0.5)
      return [Double(start) + 0.6, level, Double(end) + 0.4, level]
    }
  }
}

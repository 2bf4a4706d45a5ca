import FrameStatistics
import FrameTrace
import FrameVerdicts

extension JobsPlot {
  /// A figure over jobs.
  public static let history = JobsPlot(
    name: "history",
    summary: "A figure over successive jobs, with the jobs at which its level changed."
  ) { excerpt, options throws(PlotRefusal) in try HistoryPlot(excerpt).plot(options) }
}

/// A figure of jobs in order, with their runs as marks, and with levels and changes.
private struct HistoryPlot {
  private let jobs: [HistoryJob]
  private let checks: [HistoryCheck]
  private let metric: HistoryMetric
  /// The position of each job, from 1.
  private let indices: [Int64: Double]

  /// The maximum number of series with distinct colors.
  private static let most = 8
  /// The maximum number of dates that fit on the axis.
  private static let dates = 6

  init(_ excerpt: HistoryExcerpt) throws(PlotRefusal) {
    guard let first = excerpt.series.first else { throw PlotRefusal("no job has values to draw") }
    guard excerpt.series.allSatisfy({ $0.key.metric == first.key.metric }) else {
      throw PlotRefusal(
        "history shows one metric in one unit, found \(Set(excerpt.series.map(\.key.metric)).count)",
        help: "choose one with --metric, --scene or --device")
    }
    guard excerpt.series.count <= Self.most else {
      throw PlotRefusal(
        "expected at most \(Self.most) series, found \(excerpt.series.count)",
        help: "choose fewer with --scene or --device")
    }
    jobs = excerpt.jobs
    metric = first.key.metric
    checks = HistoryCheck.all(excerpt.series)
    indices = Dictionary(
      uniqueKeysWithValues: excerpt.jobs.enumerated().map { ($1.number, Double($0 + 1)) })
  }

  func plot(_ options: PlotOptions) -> Plot {
    let values = checks.flatMap { $0.series.points.flatMap(\.values) }
    let low = values.min() ?? 0
    let high = values.max() ?? 1
    let room = max((high - low) * 0.15, abs(high) * 0.02, 0.001)
    let y = PlotAxis("\(name) in \(metric.unit)", (low - room)...(high + room))
    let layers =
      checks.enumerated().flatMap { self.layers($1, $0) } + [versions(y.range)]
      + [changes(y.range)]
    var panel = PlotPanel(x: xAxis, y: y, layers: layers.filter { !$0.rows.isEmpty })
    panel.labels = labels(y.range, room)
    return Plot(
      "history", title: "History of \(name)", subtitle: subtitle, description: description,
      panels: [panel])
  }

  private var isStored: Bool { jobs.contains { !$0.scene.isEmpty } }

  private var xAxis: PlotAxis {
    var axis = PlotAxis("job, in order", 0.5...(Double(jobs.count) + 0.5))
    guard isStored, !jobs.isEmpty else { return axis }
    // Ticks are at the centers of equal parts, so that no date extends beyond the panel.
    let count = min(Self.dates, jobs.count)
    let marked = (0..<count).map { (2 * $0 + 1) * jobs.count / (2 * count) }
    axis.ticks = marked.map {
      PlotAxis.Tick(position: Double($0 + 1), text: jobs[$0].date.dayText)
    }
    return axis
  }

  private func index(_ job: HistoryJob) -> Double { indices[job.number] ?? 0 }

  private func layers(_ check: HistoryCheck, _ number: Int) -> [PlotLayer] {
    let series = check.series
    let runs = series.points.flatMap { point in
      point.values.map { [index(point.job), $0] }
    }
    let isOnly = checks.count == 1
    return [
      PlotLayer(.segments, isOnly ? "level" : nil, .series(isOnly ? 1 : number), levels(check))
        .with(.strong),
      PlotLayer(.points, isOnly ? "run" : series.key.owner, .series(isOnly ? 0 : number), runs)
        .with(.strong),
    ]
  }

  /// The median of the jobs between two changes, from the first job to the last.
  private func levels(_ check: HistoryCheck) -> [[Double]] {
    let series = check.series
    let bounds = [0] + check.changes.map(\.position) + [series.points.count]
    return zip(bounds, bounds.dropFirst()).compactMap { start, end in
      let values = (start..<end).map { series.value($0) }
      guard !values.isEmpty else { return nil }
      let level = RealQuantile.type7(values, 0.5)
      return [
        index(series.points[start].job) - 0.4, level, index(series.points[end - 1].job) + 0.4,
        level,
      ]
    }
  }

  private func changes(_ y: ClosedRange<Double>) -> PlotLayer {
    let found = checks.flatMap(\.changes).map { index($0.first) - 0.5 }
    return PlotLayer.verticals("level changes", .fault, at: found, y).with(.normal, isBroken: true)
  }

  /// The jobs at which the app's version changed.
  private func versions(_ y: ClosedRange<Double>) -> PlotLayer {
    PlotLayer.verticals("new version", .muted, at: newVersions.map { index($0) - 0.5 }, y)
      .with(.faint)
  }

  private var newVersions: [HistoryJob] {
    zip(jobs.dropFirst(), jobs).filter { $0.version != nil && $0.version != $1.version }.map(\.0)
  }

  private func labels(_ y: ClosedRange<Double>, _ room: Double) -> [PlotLabel] {
    let changes = checks.flatMap(\.changes).map { change in
      PlotLabel(
        x: index(change.first) - 0.4, y: y.upperBound - room * 0.4, text: title(change.first),
        alignment: .left)
    }
    let versions = newVersions.prefix(12).map { job in
      PlotLabel(
        x: index(job) - 0.4, y: y.lowerBound + room * 0.4, text: job.version ?? "",
        alignment: .left)
    }
    return changes + versions
  }

  private func title(_ job: HistoryJob) -> String {
    isStored ? String(job.name.prefix(12)) : "job \(job.number)"
  }

  private var name: String {
    metric.statistic.map { "\($0) of \(metric.words)" } ?? metric.words
  }

  private var words: String {
    let found = checks.flatMap(\.changes)
    return found.isEmpty
      ? "no change of level" : "level changes at \(PlotText.list(found.map { title($0.first) }))"
  }

  private var subtitle: String {
    let runs = checks.reduce(0) { $0 + $1.series.points.reduce(0) { $0 + $1.values.count } }
    let owner = checks.count == 1 && isStored ? checks[0].series.key.owner : nil
    return PlotText.line([
      owner,
      "n \(PlotText.count(jobs.count, "job", "jobs")), \(PlotText.count(runs, "run", "runs"))",
      words, "E-divisive, 1 % false positives per series",
    ])
  }

  private var description: String {
    let levels = checks.map { check in
      let own = self.levels(check).map { "\(FixedNumber.text($0[1], decimals: 2)) \(metric.unit)" }
      return (checks.count == 1 ? "" : "\(check.series.key.owner): ") + own.joined(separator: ", ")
    }
    return
      "The \(name) of \(PlotText.count(jobs.count, "job", "jobs")) in order: \(words); levels \(levels.joined(separator: "; "))."
  }
}

extension HistoryMetric {
  /// The name of the figure's metric, in words.
  var words: String { base == "frameTime" ? "frame times" : PlottedMetric.words(base) }
}

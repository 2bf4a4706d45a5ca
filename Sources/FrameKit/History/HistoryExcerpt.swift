/// Jobs in order, with series of their figures: a part of a history, to be drawn or listed.
public struct HistoryExcerpt: Sendable {
  /// In order of time.
  public let jobs: [HistoryJob]
  public let series: [HistorySeries]

  /// The series with all jobs that have values in any of them.
  public init(_ series: [HistorySeries]) {
    var jobs: [Int64: HistoryJob] = [:]
    for point in series.flatMap(\.points) { jobs[point.job.number] = point.job }
    self.jobs = jobs.values.sorted { ($0.date, $0.number) < ($1.date, $1.number) }
    self.series = series
  }

  /// A figure of jobs that are in no store, in order; a job without runs keeps its place.
  /// - Parameter metric: Names the figure that is wanted.
  init(_ runs: [[RunSummary]], metric isWanted: (HistoryMetric) -> Bool) {
    jobs = runs.indices.map { place in
      var job = HistoryJob(date: JobDate(seconds: Int64(place)), scene: "")
      job.number = Int64(place + 1)
      return job
    }
    var key: HistorySeries.Key?
    var points: [HistorySeries.Point] = []
    for (job, runs) in zip(jobs, runs) {
      let values = runs.flatMap { HistoryResult($0).runs.flatMap { $0 } }.filter { value in
        let metric = HistoryMetric(value.metric, unit: value.unit)
        // Of several that are wanted the first is shown.
        guard isWanted(metric), key.map({ $0.metric == metric }) ?? true else { return false }
        key = HistorySeries.Key(scene: "", device: nil, source: .measured, metric: metric)
        return true
      }
      guard !values.isEmpty else { continue }
      points.append(.init(job, values: values.map(\.value), n: values.reduce(0) { $0 + $1.n }))
    }
    series = key.map { [HistorySeries($0, points)] } ?? []
  }
}

import FrameAnalysis
public import FrameTrace

/// Queries of a history.
extension HistoryStore {
  /// The jobs in order of time.
  /// - Parameter last: The maximum number of jobs; the latest ones are used.
  public func jobs(
    _ filter: HistoryFilter = .init(), last: Int = .max
  ) throws(ParseError) -> [HistoryJob] {
    var jobs: [HistoryJob] = []
    let question = SQLQuestion(
      "SELECT job, date, \"commit\", version, device, system, scene, source FROM jobs",
      filter.jobConditions, end: "ORDER BY date DESC, job DESC LIMIT \(Int64(clamping: last))")
    try question.rows(in: database) { row throws(ParseError) in
      var job = HistoryJob(date: JobDate(seconds: row.integer(1)), scene: row.text(6) ?? "")
      job.number = row.integer(0)
      (job.commit, job.version, job.device) = (row.text(2), row.text(3), row.text(4))
      job.system = row.text(5)
      job.source = row.text(7).flatMap(HistoryJob.Source.init) ?? .measured
      jobs.append(job)
    }
    try addTags(to: &jobs)
    return jobs.reversed()
  }

  private func jobsByNumber(_ filter: HistoryFilter) throws(ParseError) -> [Int64: HistoryJob] {
    Dictionary(uniqueKeysWithValues: try jobs(filter).map { ($0.number, $0) })
  }

  private func addTags(to jobs: inout [HistoryJob]) throws(ParseError) {
    guard try database.number("SELECT count(*) FROM (SELECT 1 FROM tags LIMIT 1)") > 0 else {
      return
    }
    let statement = try SQLiteStatement("SELECT name, value FROM tags WHERE job = ?", in: database)
    for position in jobs.indices {
      try statement.rows([.integer(jobs[position].number)]) { row throws(ParseError) in
        jobs[position].tags[row.text(0) ?? ""] = row.text(1)
      }
    }
  }

  /// The number of jobs.
  public func count(_ filter: HistoryFilter = .init()) throws(ParseError) -> Int {
    var count = 0
    try SQLQuestion("SELECT count(*) FROM jobs", filter.jobConditions)
      .rows(in: database) { row throws(ParseError) in count = Int(row.integer(0)) }
    return count
  }

  /// The keys of the series, ordered by scene, device and metric.
  public func series(_ filter: HistoryFilter = .init()) throws(ParseError) -> [HistorySeries.Key] {
    try rows(filter).map(\.key)
  }

  private func rows(
    _ filter: HistoryFilter
  ) throws(ParseError) -> [(number: Int64, key: HistorySeries.Key)] {
    var found: [(Int64, HistorySeries.Key)] = []
    let question = SQLQuestion(
      "SELECT series, scene, device, source, metric, unit FROM series", filter.seriesConditions,
      end: "ORDER BY scene, device, source, metric")
    try question.rows(in: database) { row throws(ParseError) in
      let device = row.text(2) ?? ""
      found.append(
        (
          row.integer(0),
          HistorySeries.Key(
            scene: row.text(1) ?? "", device: device.isEmpty ? nil : device,
            source: row.text(3).flatMap(HistoryJob.Source.init) ?? .measured,
            metric: HistoryMetric(row.text(4) ?? "", unit: row.text(5) ?? ""))
        ))
    }
    return found
  }

  /// The series with the values of their latest jobs.
  /// - Parameter last: The maximum number of jobs of each series; the latest ones are used.
  public func values(
    _ filter: HistoryFilter, last: Int
  ) throws(ParseError) -> [HistorySeries] {
    let jobs = try jobsByNumber(filter)
    let accepted = try acceptances()
    let statement = try SQLiteStatement(
      "SELECT job, value, n FROM runs WHERE series = ? ORDER BY job, run", in: database)
    var all: [HistorySeries] = []
    for (number, key) in try rows(filter) {
      var points: [Int64: (values: [Double], n: Int)] = [:]
      try statement.rows([.integer(number)]) { row throws(ParseError) in
        let job = row.integer(0)
        guard jobs[job] != nil else { return }
        points[job, default: ([], 0)].values.append(row.real(1))
        points[job]?.n &+= Int(row.integer(2))
      }
      let ordered = points.compactMap { number, point in
        jobs[number].map { HistorySeries.Point($0, values: point.values, n: point.n) }
      }.sorted { ($0.job.date, $0.job.number) < ($1.job.date, $1.job.number) }
      guard !ordered.isEmpty else { continue }
      let latest = Array(ordered.suffix(last))
      all.append(HistorySeries(key, latest, accepted: .init(key, latest, among: accepted)))
    }
    return all
  }

  /// The series by the app's version, both measured series and those from devices in the field.
  public func versions(_ filter: HistoryFilter) throws(ParseError) -> [HistoryVersion] {
    HistoryVersion.all(try values(filter, last: .max))
      + (try fieldVersions(filter)).map(HistoryVersion.init)
  }

  /// The data from devices in the field, with the histograms of each version on a device merged.
  private func fieldVersions(_ filter: HistoryFilter) throws(ParseError) -> [FieldVersion] {
    let jobs = try jobsByNumber(filter)
    var filter = filter
    // Bins are stored with the median's series.
    filter.metrics = filter.metrics.map { "p50(\(HistoryMetric($0, unit: "").base))" }
    let statement = try SQLiteStatement(
      "SELECT job, low, high, count FROM bins WHERE series = ? ORDER BY job, bin", in: database)
    var found: [FieldVersion] = []
    for (number, key) in try rows(filter) where key.source == .field {
      var bins: [String?: [FieldHistogram.Bin]] = [:]
      var dates: [String?: JobDate] = [:]
      try statement.rows([.integer(number)]) { row throws(ParseError) in
        guard let job = jobs[row.integer(0)] else { return }
        bins[job.version, default: []].append(
          .init(low: row.real(1), high: row.real(2), count: row.integer(3)))
        dates[job.version] = min(dates[job.version] ?? job.date, job.date)
      }
      let versions = dates.sorted { ($0.value, $0.key ?? "") < ($1.value, $1.key ?? "") }
      for version in versions.map(\.key) {
        let histogram = FieldHistogram(
          metric: key.metric.base, unit: key.metric.unit, bins: bins[version] ?? [])
        guard let histogram else { continue }
        found.append(FieldVersion(key: key, version: version, histogram: histogram))
      }
    }
    return found
  }

  /// Passes every value of every run with its job to a closure, series by series.
  public func export(
    _ filter: HistoryFilter,
    _ body: (HistorySeries.Key, HistoryJob, _ run: Int, _ value: Double, _ n: Int) ->
      Void
  ) throws(ParseError) {
    let jobs = try jobsByNumber(filter)
    let statement = try SQLiteStatement(
      "SELECT job, run, value, n FROM runs WHERE series = ? ORDER BY job, run", in: database)
    for (number, key) in try rows(filter) {
      try statement.rows([.integer(number)]) { row throws(ParseError) in
        guard let job = jobs[row.integer(0)] else { return }
        body(key, job, Int(row.integer(1)), row.real(2), Int(row.integer(3)))
      }
    }
  }
}

/// The data that one kind of device sent for one version.
struct FieldVersion {
  let key: HistorySeries.Key
  /// The version; `nil` if unknown.
  let version: String?
  let histogram: FieldHistogram
}

import FrameAnalysis
import FrameStatistics
import FrameTrace

/// A figure over the jobs of a scene on a device.
public struct HistorySeries: Sendable {
  /// The properties that identify a series.
  public struct Key: Hashable, Sendable {
    /// The scenario that was measured.
    public let scene: String
    /// The device; `nil` when not known.
    public let device: String?
    /// Whether the figures were measured or come from the field.
    public let source: HistoryJob.Source
    /// The metric of the values.
    public let metric: HistoryMetric

    package init(scene: String, device: String?, source: HistoryJob.Source, metric: HistoryMetric) {
      (self.scene, self.device) = (scene, device)
      (self.source, self.metric) = (source, metric)
    }

    /// The scene, the device and the source, in words.
    public var owner: String {
      let field = source == .field ? "in the field" : nil
      return [scene, device.map { "on \($0)" }, field].compactMap { $0 }.joined(separator: " ")
    }
  }

  /// A job with the values of its runs.
  public struct Point: Sendable {
    /// The job.
    public let job: HistoryJob
    /// The values, one for each run, in the metric's unit.
    public let values: [Double]
    /// The number of values that all these values were computed from.
    public let n: Int

    package init(_ job: HistoryJob, values: [Double], n: Int) {
      (self.job, self.values, self.n) = (job, values, n)
    }
  }

  /// A user's acceptance of a series up to a job.
  public struct Acceptance: Sendable {
    /// The index of the job in the series.
    public let position: Int
    /// The user's reason; `nil` if none was given.
    public let note: String?
  }

  /// The key that identifies the series.
  public let key: Key
  /// The points in order of time.
  public let points: [Point]
  /// The last job up to which the level was accepted; `nil` if there is none.
  public let accepted: Acceptance?
  /// The scaled value of each job: the mean over its runs, of logarithms if the series has positive
  /// times or rates.
  let scaled: [Double]
  let scale: HistoryScale

  package init(_ key: Key, _ points: [Point], accepted: Acceptance? = nil) {
    self.key = key
    self.points = points
    self.accepted = accepted
    let scale = HistoryScale(
      key.metric, isPositive: points.allSatisfy { $0.values.allSatisfy { $0 > 0 } })
    self.scale = scale
    scaled = points.map { point in Moments(point.values.map(scale.scaled)).mean }
  }

  /// The value of a job, in the metric's unit.
  public func value(_ position: Int) -> Double { scale.unscaled(scaled[position]) }
}

/// Jobs in order, with series of their figures: a part of a history, for plots and lists.
public struct HistoryExcerpt: Sendable {
  /// The jobs in order of time.
  public let jobs: [HistoryJob]
  /// The series that were found.
  public let series: [HistorySeries]

  /// The series, with all jobs that have values in at least one of them.
  public init(_ series: [HistorySeries]) {
    var jobs: [Int64: HistoryJob] = [:]
    for point in series.flatMap(\.points) { jobs[point.job.number] = point.job }
    self.jobs = jobs.values.sorted { ($0.date, $0.number) < ($1.date, $1.number) }
    self.series = series
  }

  /// A figure of jobs outside a store, in order; a job without runs keeps its position.
  /// - Parameter metric: Selects the figure.
  package init(_ runs: [[RunSummary]], metric isWanted: (HistoryMetric) -> Bool) {
    jobs = runs.indices.map { position in
      var job = HistoryJob(date: JobDate(seconds: Int64(position)), scene: "")
      job.number = Int64(position + 1)
      return job
    }
    var key: HistorySeries.Key?
    var points: [HistorySeries.Point] = []
    for (job, runs) in zip(jobs, runs) {
      let values = runs.flatMap { HistoryResult($0).runs.flatMap { $0 } }.filter { value in
        let metric = HistoryMetric(value.metric, unit: value.unit)
        // If several figures are selected, the first one is shown.
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

/// A figure grouped by the app's version and the device instead of by time.
public struct HistoryVersion: Sendable {
  /// The series from which the values come.
  public let key: HistorySeries.Key
  /// The version; `nil` if unknown.
  public let version: String?
  /// The median, and the 5th and 95th percentiles.
  public let median, low, high: Double
  /// The number of values: from devices in the field, or from runs.
  public let n: Int

  init(_ field: FieldVersion) {
    (key, version) = (field.key, field.version)
    median = field.histogram.quantile(0.5)
    (low, high) = (field.histogram.quantile(0.05), field.histogram.quantile(0.95))
    n = Int(field.histogram.count)
  }

  private init(_ key: HistorySeries.Key, _ version: String?, _ values: [Double]) {
    (self.key, self.version) = (key, version)
    let sorted = values.sorted()
    median = RealQuantile.type7(sorted, 0.5)
    (low, high) = (RealQuantile.type7(sorted, 0.05), RealQuantile.type7(sorted, 0.95))
    n = values.count
  }

  /// The versions of measured series, in the order in which they first appear.
  static func all(_ series: [HistorySeries]) -> [HistoryVersion] {
    series.filter { $0.key.source == .measured }.flatMap { series in
      var order: [String?] = []
      var values: [String?: [Double]] = [:]
      for point in series.points {
        if values[point.job.version] == nil { order.append(point.job.version) }
        values[point.job.version, default: []] += point.values
      }
      return order.map { HistoryVersion(series.key, $0, values[$0] ?? []) }
    }
  }
}

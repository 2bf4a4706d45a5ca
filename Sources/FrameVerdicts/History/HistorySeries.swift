import FrameAnalysis
import FrameStatistics
import FrameTrace

/// A figure over the jobs of a scene on a device.
public struct HistorySeries: Sendable {
  /// What tells a series from others.
  public struct Key: Hashable, Sendable {
    /// What was measured.
    public let scene: String
    /// `nil` when not known.
    public let device: String?
    /// Whether somebody measured, or it is data from the field.
    public let source: HistoryJob.Source
    /// The metric whose values these are.
    public let metric: HistoryMetric

    package init(scene: String, device: String?, source: HistoryJob.Source, metric: HistoryMetric) {
      (self.scene, self.device) = (scene, device)
      (self.source, self.metric) = (source, metric)
    }

    /// Whose figures they are, in words.
    public var owner: String {
      let field = source == .field ? "in the field" : nil
      return [scene, device.map { "on \($0)" }, field].compactMap { $0 }.joined(separator: " ")
    }
  }

  /// A job with the values of its runs.
  public struct Point: Sendable {
    /// The job.
    public let job: HistoryJob
    /// A value for each of its runs, in the metric's unit.
    public let values: [Double]
    /// How many values all of them are made of.
    public let n: Int

    package init(_ job: HistoryJob, values: [Double], n: Int) {
      (self.job, self.values, self.n) = (job, values, n)
    }
  }

  /// What somebody said of a series: that it is well up to a job.
  public struct Acceptance: Sendable {
    /// The place of the job in the series, and why it is well.
    public let place: Int
    /// Why it is well; `nil` when nobody said.
    public let note: String?
  }

  /// What tells the series from others.
  public let key: Key
  /// In order of time.
  public let points: [Point]
  /// The last job up to which its level was accepted; `nil` where none was.
  public let accepted: Acceptance?
  /// The value of each job as it is computed with: the mean of its runs, of their logarithms where
  /// the series is one of positive times or rates.
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

  /// The value of a job in its unit.
  public func value(_ place: Int) -> Double { scale.unscaled(scaled[place]) }
}

/// Jobs in order, with series of their figures: a part of a history, to be drawn or listed.
public struct HistoryExcerpt: Sendable {
  /// In order of time.
  public let jobs: [HistoryJob]
  /// The series that were found.
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
  package init(_ runs: [[RunSummary]], metric isWanted: (HistoryMetric) -> Bool) {
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

/// A figure by the app's version and the device, instead of over time.
public struct HistoryVersion: Sendable {
  /// The series that the part is of.
  public let key: HistorySeries.Key
  /// `nil` when not known.
  public let version: String?
  /// The median, and what nine in ten values are between.
  public let median, low, high: Double
  /// How many values there are: of devices in the field, or of runs.
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

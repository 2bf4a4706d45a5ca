/// A figure over the jobs of a scene on a device.
public struct HistorySeries: Sendable {
  /// What tells a series from others.
  public struct Key: Hashable, Sendable {
    public let scene: String
    /// `nil` when not known.
    public let device: String?
    public let source: HistoryJob.Source
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
    public let job: HistoryJob
    public let values: [Double]
    /// How many values all of them are made of.
    public let n: Int

    package init(_ job: HistoryJob, values: [Double], n: Int) {
      (self.job, self.values, self.n) = (job, values, n)
    }
  }

  public let key: Key
  /// In order of time.
  public let points: [Point]
  /// The value of each job as it is computed with: the mean of its runs, of their logarithms where
  /// the series is one of positive times or rates.
  let scaled: [Double]
  let scale: HistoryScale

  package init(_ key: Key, _ points: [Point]) {
    self.key = key
    self.points = points
    let scale = HistoryScale(
      key.metric, isPositive: points.allSatisfy { $0.values.allSatisfy { $0 > 0 } })
    self.scale = scale
    scaled = points.map { point in Moments(point.values.map(scale.scaled)).mean }
  }

  /// The value of a job in its unit.
  public func value(_ place: Int) -> Double { scale.unscaled(scaled[place]) }
}

/// A figure by the app's version and the device, instead of over time.
public struct HistoryVersion: Sendable {
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

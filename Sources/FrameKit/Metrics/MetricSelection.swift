/// Which metrics are measured.
public struct MetricSelection: Sendable {
  let metrics: [any Metric]
  /// Whether it is all of them, and with them everything else that a trace can tell.
  public let isAll: Bool

  /// All metrics.
  public static let all = MetricSelection(metrics: Metrics.all, isAll: true)

  private init(metrics: [any Metric], isAll: Bool) {
    self.metrics = metrics
    self.isAll = isAll
  }

  /// The metrics with these names, in the order of the list of metrics; `nil` when there is
  /// none of some name.
  public init?(_ names: some Sequence<String>) {
    let wanted = Set(names)
    let metrics = Metrics.all.filter { wanted.contains($0.name) }
    guard metrics.count == wanted.count else { return nil }
    self.init(metrics: metrics, isAll: false)
  }

  /// What has to be read of a trace for them.
  public var demand: TraceDemand {
    isAll
      ? .everything : metrics.map(\.demand).reduce(TraceDemand(frameColumns: [])) { $0.union($1) }
  }

  /// Whether the pipeline has to be rebuilt for them.
  var needsReconstruction: Bool { isAll || metrics.contains(where: \.needsReconstruction) }
}

import FrameKit

/// What plots can show in place of their own metric.
enum PlotMetrics {
  static let names =
    Metrics.entries.map(\.name) + RunMetric.allCases.map(\.rawValue) + ["launchTime"]
}

/// The plots there are.
public enum Plots {
  /// All kinds, in the order in which they are listed.
  public static let all: [PlotKind] = [
    .pipeline,
    .occupancy,
    .frameTimes,
    .frameTimeHistogram,
    .frameTimeDistribution,
    .latency,
    .latencyHistogram,
    .latencyDistribution,
    .latencyWaterfall,
    .drops,
    .jitter,
    .compare,
    .launch,
    .history,
  ]

  /// The kind with that name; `nil` when there is none.
  public static func named(_ name: String) -> PlotKind? { all.first { $0.name == name } }

  /// A plot of a history over its jobs.
  public static func history(
    _ excerpt: HistoryExcerpt, _ options: PlotOptions = .init()
  ) throws(PlotRefusal) -> Plot {
    try PlotKind.history.draw(history: excerpt, options)
  }

  /// A plot of a history by version.
  public static func versions(
    _ versions: [HistoryVersion], _ options: PlotOptions = .init()
  ) throws(PlotRefusal) -> Plot {
    try VersionsPlot(versions).plot(options)
  }
}

/// The plots there are.
public enum Plots {
  /// All kinds, in the order in which they are listed.
  public static let all: [PlotKind] = [
    .traces(.pipeline),
    .traces(.occupancy),
    .traces(.frameTimes),
    .traces(.frameTimeHistogram),
    .traces(.frameTimeDistribution),
    .traces(.latency),
    .traces(.latencyHistogram),
    .traces(.latencyDistribution),
    .traces(.latencyWaterfall),
    .traces(.drops),
    .traces(.jitter),
    .comparison(.compare),
    .traces(.launch),
    .jobs(.history),
  ]

  /// The kind with that name; `nil` when there is none.
  public static func named(_ name: String) -> PlotKind? { all.first { $0.name == name } }

  /// A plot of a history by version.
  public static func versions(
    _ versions: [HistoryVersion], _ options: PlotOptions = .init()
  ) throws(PlotRefusal) -> Plot {
    try VersionsPlot(versions).plot(options)
  }
}

/// A trace on its way into plots, with what was put together of it once for all of them.
public struct PlottedTrace: Sendable {
  public let trace: Trace
  let pipeline: Pipeline
  /// From the first to the last instant of the trace; `nil` when it has no times.
  let timeRange: ClosedRange<Timestamp>?

  /// - Parameter kinds: The plots that it is for.
  public init(_ trace: Trace, for kinds: [PlotKind] = Plots.all) {
    self.trace = trace
    let isRebuilt = kinds.contains(where: \.needsReconstruction)
    pipeline = Pipeline(reconstructing: trace, isRebuilt ? .whole : .outcomes)
    timeRange = trace.timeRange
  }
}

extension FrameRateMetric {
  /// The rate that 99.9 % of the frames keep.
  static let pointOnePercentLowPercentile = FrameRateMetric(
    name: "pointOnePercentLowPercentile",
    summary: "The rate that 99.9 % of the frames keep.",
    formula: "1000 / the 99.9th percentile of frame time (type 7)",
    source: nil,
    fewestFrames: 1000,
    frameLength: { $0.quantile(slowest: 0.001) })
}

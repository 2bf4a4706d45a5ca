extension FrameRateMetric {
  /// The rate that 99 % of the frames keep.
  static let onePercentLowPercentile = FrameRateMetric(
    name: "onePercentLowPercentile",
    summary: "The rate that 99 % of the frames keep.",
    formula: "1000 / the 99th percentile of frame time (type 7)",
    source: "PresentMon capture application, 1st percentile",
    fewestFrames: 100,
    frameLength: { $0.quantile(slowest: 0.01) })
}

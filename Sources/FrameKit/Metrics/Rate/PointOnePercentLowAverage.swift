extension FrameRateMetric {
  /// The rate of the slowest 0.1 % of the frames, on average.
  static let pointOnePercentLowAverage = FrameRateMetric(
    name: "pointOnePercentLowAverage",
    summary: "The rate of the slowest 0.1 % of the frames, on average.",
    formula: "1000 / mean of the frame times at or above their 99.9th percentile (type 7)",
    source: "CapFrameX, FrametimeStatisticProvider",
    fewestFrames: 1000,
    frameLength: { $0.mean(slowest: 0.001) })
}

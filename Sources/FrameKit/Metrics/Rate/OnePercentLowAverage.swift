extension FrameRateMetric {
  /// The rate of the slowest 1 % of the frames, on average.
  static let onePercentLowAverage = FrameRateMetric(
    name: "onePercentLowAverage",
    summary: "The rate of the slowest 1 % of the frames, on average.",
    formula: "1000 / mean of the frame times at or above their 99th percentile (type 7)",
    source: "CapFrameX, FrametimeStatisticProvider",
    fewestFrames: 100,
    frameLength: { $0.mean(slowest: 0.01) })
}

extension FrameRateMetric {
  /// Frames per second over the whole time; never the mean of momentary rates.
  static let averageFrameRate = FrameRateMetric(
    name: "averageFrameRate",
    summary: "Frames per second over the whole time; never the mean of momentary rates.",
    formula: "1000 · n / Σ frame time",
    source: nil,
    fewestFrames: 1,
    frameLength: { $0.overallMean })
}

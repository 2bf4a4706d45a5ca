extension FrameRateMetric {
  /// Displayed frames per second, generated ones included; never the mean of momentary rates.
  static let displayedFrameRate = FrameRateMetric(
    name: "displayedFrameRate",
    summary:
      "Displayed frames per second, generated ones included; never the mean of momentary rates.",
    formula: "1000 · n / Σ time from display to display",
    source: nil,
    base: .displayStep,
    fewestFrames: 1,
    frameLength: { $0.overallMean })
}

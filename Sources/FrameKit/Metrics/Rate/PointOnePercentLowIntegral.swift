extension FrameRateMetric {
  /// The rate at which the slowest frames, taken together, fill 0.1 % of the time.
  static let pointOnePercentLowIntegral = FrameRateMetric(
    name: "pointOnePercentLowIntegral",
    summary: "The rate at which the slowest frames, taken together, fill 0.1 % of the time.",
    formula:
      "1000 / the frame time at which the longest frame times, added up, reach 0.1 % of Σ frame time",
    source: "CapFrameX, FrametimeStatisticProvider; MSI Afterburner",
    fewestFrames: 1000,
    frameLength: { $0.integral(slowest: 0.001) })
}

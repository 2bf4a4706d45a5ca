extension FrameRateMetric {
  /// The rate at which the slowest frames, taken together, fill 1 % of the time.
  static let onePercentLowIntegral = FrameRateMetric(
    name: "onePercentLowIntegral",
    summary: "The rate at which the slowest frames, taken together, fill 1 % of the time.",
    formula:
      "1000 / the frame time at which the longest frame times, added up, reach 1 % of Σ frame time",
    source: "CapFrameX, FrametimeStatisticProvider; MSI Afterburner",
    fewestFrames: 100,
    frameLength: { $0.integral(slowest: 0.01) })
}

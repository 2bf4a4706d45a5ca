extension FrameRateMetric {
  /// Frames per second over the whole time; never the mean of instantaneous rates.
  static let averageFrameRate = FrameRateMetric(
    name: "averageFrameRate",
    summary: "Frames per second over the whole time; never the mean of instantaneous rates.",
    formula: "1000 · n / Σ frame time",
    source: nil,
    fewestFrames: 1,
    frameLength: { $0.overallMean })

  /// Displayed frames per second, generated ones included; never the mean of instantaneous rates.
  static let displayedFrameRate = FrameRateMetric(
    name: "displayedFrameRate",
    summary:
      "Displayed frames per second, generated ones included; never the mean of instantaneous rates.",
    formula: "1000 · n / Σ time from display to display",
    source: nil,
    base: .displayStep,
    fewestFrames: 1,
    frameLength: { $0.overallMean })

  /// Displayed frames per second that the app rendered itself.
  static let renderedFrameRate = FrameRateMetric(
    name: "renderedFrameRate",
    summary:
      "Displayed frames per second that the app rendered itself, without those that a driver generated.",
    formula: "1000 · n / Σ time from display to display of the app's frames",
    source: nil,
    base: .renderedStep,
    fewestFrames: 1,
    frameLength: { $0.overallMean })

  /// The average rate of the 1 % of displayed frames that took longest to arrive.
  static let displayedOnePercentLow = FrameRateMetric(
    name: "displayedOnePercentLow",
    summary:
      "The rate of the slowest 1 % of the displayed frames, on average, generated ones included: what a viewer sees where frames are generated or never shown.",
    formula:
      "1000 / mean of the times from display to display at or above their 99th percentile (type 7)",
    source: nil,
    base: .displayStep,
    fewestFrames: 100,
    frameLength: { $0.mean(slowest: 0.01) })

  /// The average rate of the 0.1 % of displayed frames that took longest to arrive.
  static let displayedPointOnePercentLow = FrameRateMetric(
    name: "displayedPointOnePercentLow",
    summary:
      "The rate of the slowest 0.1 % of the displayed frames, on average, generated ones included.",
    formula:
      "1000 / mean of the times from display to display at or above their 99.9th percentile (type 7)",
    source: nil,
    base: .displayStep,
    fewestFrames: 1000,
    frameLength: { $0.mean(slowest: 0.001) })

  /// The average rate of the slowest 1 % of the frames.
  static let onePercentLowAverage = FrameRateMetric(
    name: "onePercentLowAverage",
    summary: "The rate of the slowest 1 % of the frames, on average.",
    formula: "1000 / mean of the frame times at or above their 99th percentile (type 7)",
    source: "CapFrameX, FrametimeStatisticProvider",
    fewestFrames: 100,
    frameLength: { $0.mean(slowest: 0.01) })

  /// The rate at which the slowest frames, taken together, fill 1 % of the time.
  static let onePercentLowIntegral = FrameRateMetric(
    name: "onePercentLowIntegral",
    summary: "The rate at which the slowest frames, taken together, fill 1 % of the time.",
    formula:
      "1000 / the frame time at which the longest frame times, added up, reach 1 % of Σ frame time",
    source: "CapFrameX, FrametimeStatisticProvider; MSI Afterburner",
    fewestFrames: 100,
    frameLength: { $0.integral(slowest: 0.01) })

  /// The rate that 99 % of the frames reach.
  static let onePercentLowPercentile = FrameRateMetric(
    name: "onePercentLowPercentile",
    summary: "The rate that 99 % of the frames reach.",
    formula: "1000 / the 99th percentile of frame time (type 7)",
    source: "PresentMon capture application, 1st percentile",
    fewestFrames: 100,
    frameLength: { $0.quantile(slowest: 0.01) })

  /// The average rate of the slowest 0.1 % of the frames.
  static let pointOnePercentLowAverage = FrameRateMetric(
    name: "pointOnePercentLowAverage",
    summary: "The rate of the slowest 0.1 % of the frames, on average.",
    formula: "1000 / mean of the frame times at or above their 99.9th percentile (type 7)",
    source: "CapFrameX, FrametimeStatisticProvider",
    fewestFrames: 1000,
    frameLength: { $0.mean(slowest: 0.001) })

  /// The rate at which the slowest frames, taken together, fill 0.1 % of the time.
  static let pointOnePercentLowIntegral = FrameRateMetric(
    name: "pointOnePercentLowIntegral",
    summary: "The rate at which the slowest frames, taken together, fill 0.1 % of the time.",
    formula:
      "1000 / the frame time at which the longest frame times, added up, reach 0.1 % of Σ frame time",
    source: "CapFrameX, FrametimeStatisticProvider; MSI Afterburner",
    fewestFrames: 1000,
    frameLength: { $0.integral(slowest: 0.001) })

  /// The rate that 99.9 % of the frames reach.
  static let pointOnePercentLowPercentile = FrameRateMetric(
    name: "pointOnePercentLowPercentile",
    summary: "The rate that 99.9 % of the frames reach.",
    formula: "1000 / the 99.9th percentile of frame time (type 7)",
    source: nil,
    fewestFrames: 1000,
    frameLength: { $0.quantile(slowest: 0.001) })
}

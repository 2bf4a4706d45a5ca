import FrameStatistics

/// A figure of a run used in comparisons.
public enum RunMetric: String, Sendable, CaseIterable {
  case mean, p50, p90, p95, p99
  /// The refreshes missed by frames longer than their neighbors, as a share of all refreshes.
  case missedRefreshShare
  /// The time that such frames take beyond their neighbors, per second.
  case intervalHitchRatio
  /// The missed refreshes relative to most frames of the run, so that stretches at a lower rate
  /// count.
  case missedRefreshShareOfRun
  case intervalHitchRatioOfRun
  /// How often frames took much longer than the surrounding ones, and how much time that cost.
  case stuttersPerMinute, stutterTimeShare, worstStutter
  /// How often no new frame arrived for more than 500 ms, and for what share of the time.
  case stopsPerMinute, stopTimeShare

  /// Whether values are frame times, which are compared as logarithms.
  package var isTime: Bool { self == .mean || probability != nil }
  /// Whether the figure is about stutters or stops.
  var isInterruption: Bool { Self.interruptions.contains(self) }
  /// The figures of stutters and stops.
  package static let interruptions: [RunMetric] = [
    .stuttersPerMinute, .stutterTimeShare, .worstStutter, .stopsPerMinute, .stopTimeShare,
  ]
  /// Whether the figure counts stretches at a lower rate as missed refreshes.
  var isOfRun: Bool { self == .missedRefreshShareOfRun || self == .intervalHitchRatioOfRun }

  /// The corresponding figure that also counts stretches at a lower rate; `nil` if there is none.
  var ofRun: RunMetric? {
    switch self {
    case .missedRefreshShare: .missedRefreshShareOfRun
    case .intervalHitchRatio: .intervalHitchRatioOfRun
    default: nil
    }
  }

  /// The figure of the complete run that explains a change in the opposite direction. If stretches keep a higher rate
  /// than before, there is more to miss, and frames that were like all others stand out as stutters. `nil` if there is
  /// no such figure.
  var explainedBy: RunMetric? {
    switch self {
    case .stuttersPerMinute, .stutterTimeShare, .worstStutter: .intervalHitchRatioOfRun
    default: ofRun
    }
  }

  /// The figures that decide a comparison unless others are chosen.
  ///
  /// Quantiles of frame times that are bound to refreshes stay constant until they jump. If some stretches keep a lower
  /// rate than others, misses are counted against the neighboring frames and against the complete run: a slowdown shows
  /// in the latter, because more time is spent at the lower rate.
  static func deciding(isQuantized: Bool, countsOfRun: Bool) -> [RunMetric] {
    let times: [RunMetric] = isQuantized ? [.mean] : [.mean, .p50, .p95, .p99]
    let misses: [RunMetric] = [.missedRefreshShare, .intervalHitchRatio]
    return times + misses + (countsOfRun ? misses.compactMap(\.ofRun) : [])
      + [.stuttersPerMinute, .stutterTimeShare, .stopsPerMinute]
  }

  /// The unit of the figure's values.
  public var unit: String {
    switch self {
    case .missedRefreshShare, .missedRefreshShareOfRun, .stutterTimeShare, .stopTimeShare: "%"
    case .stuttersPerMinute, .stopsPerMinute: "/min"
    case .intervalHitchRatio, .intervalHitchRatioOfRun: "ms/s"
    default: "ms"
    }
  }

  /// The unit of a difference of two values.
  public var effectUnit: String {
    switch self {
    case .missedRefreshShare, .missedRefreshShareOfRun, .stutterTimeShare, .stopTimeShare: "pp"
    case .stuttersPerMinute, .stopsPerMinute: "/min"
    case .worstStutter: "ms"
    case .intervalHitchRatio, .intervalHitchRatioOfRun: "ms/s"
    default: "%"
    }
  }

  /// The probability of the quantile; `nil` if the figure is not a quantile.
  var probability: Double? {
    switch self {
    case .p50: 0.5
    case .p90: 0.9
    case .p95: 0.95
    case .p99: 0.99
    default: nil
    }
  }

  /// The default smallest change worth acting on: a share of the value for times, percentage points or ms/s for other
  /// figures.
  package var usualThreshold: Double {
    switch self {
    case .mean, .p50: 0.03
    case .p90: 0.04
    case .p95: 0.05
    case .p99: 0.1
    case .missedRefreshShare, .missedRefreshShareOfRun: 0.3
    case .intervalHitchRatio, .intervalHitchRatioOfRun: 2.5
    case .stuttersPerMinute: 2
    case .stopsPerMinute: 0.5
    case .stutterTimeShare, .stopTimeShare: 0.3
    case .worstStutter: 50
    }
  }

  /// The assumed random variation between runs if there is only one: the standard deviation, which is that of
  /// logarithms for times. Measured on pairs of game captures.
  var assumedNoise: Double {
    switch self {
    case .p99: 0.03
    case .missedRefreshShare, .missedRefreshShareOfRun: 0.15
    case .intervalHitchRatio, .intervalHitchRatioOfRun: 1.5
    case .stuttersPerMinute, .stopsPerMinute: 2
    case .stutterTimeShare, .stopTimeShare: 0.3
    case .worstStutter: 50
    default: 0.025
    }
  }

  /// Thresholds and assumed noise of shares and ratios grow with the baseline value.
  static let shareOfBaseline = 0.1
  /// The corresponding factor for this figure: how often a program stutters varies more from run to run than how much
  /// it misses.
  var shareOfBaseline: Double { isInterruption ? 0.5 : Self.shareOfBaseline }

  /// The value on the scale that comparisons use.
  func scaled(_ value: Double) -> Double { isTime ? Elementary.log(max(value, 1e-12)) : value }

  /// The inverse of `scaled`.
  func unscaled(_ value: Double) -> Double { isTime ? Elementary.exp(value) : value }

  /// A difference of scaled values, converted for display.
  func effect(_ difference: Double) -> Double {
    isTime ? 100 * (Elementary.exp(difference) - 1) : difference
  }
}

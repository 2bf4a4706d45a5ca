import FrameStatistics

/// A figure that a run has for a comparison.
public enum RunMetric: String, Sendable, CaseIterable {
  case mean, p50, p90, p95, p99
  /// Refreshes that frame times went past beyond those that the frames around them take, as a share of all.
  case missedRefreshShare
  /// The time that such frames take beyond those around them, for each second.
  case intervalHitchRatio
  /// The same beyond what most frames of the run take, so that stretches at a lower rate count.
  case missedRefreshShareOfRun
  case intervalHitchRatioOfRun

  /// Whether values are lengths of time, which are compared by their logarithms.
  package var isTime: Bool { unit == "ms" }
  /// Whether it counts stretches at a lower rate as missed refreshes.
  var isOfRun: Bool { self == .missedRefreshShareOfRun || self == .intervalHitchRatioOfRun }

  /// The figure of the same that counts stretches at a lower rate too; `nil` for one that is of none.
  var ofRun: RunMetric? {
    switch self {
    case .missedRefreshShare: .missedRefreshShareOfRun
    case .intervalHitchRatio: .intervalHitchRatioOfRun
    default: nil
    }
  }

  /// The unit of its values.
  public var unit: String {
    switch self {
    case .missedRefreshShare, .missedRefreshShareOfRun: "%"
    case .intervalHitchRatio, .intervalHitchRatioOfRun: "ms/s"
    default: "ms"
    }
  }

  /// The unit of a difference of two values.
  public var effectUnit: String {
    switch self {
    case .missedRefreshShare, .missedRefreshShareOfRun: "pp"
    case .intervalHitchRatio, .intervalHitchRatioOfRun: "ms/s"
    default: "%"
    }
  }

  /// The probability of the quantile that it is; `nil` when it is none.
  var probability: Double? {
    switch self {
    case .p50: 0.5
    case .p90: 0.9
    case .p95: 0.95
    case .p99: 0.99
    default: nil
    }
  }

  /// The smallest change worth acting on, when nobody says otherwise: a share of the value for
  /// times, percentage points or ms/s for the others.
  package var usualThreshold: Double {
    switch self {
    case .mean, .p50: 0.03
    case .p90: 0.04
    case .p95: 0.05
    case .p99: 0.1
    case .missedRefreshShare, .missedRefreshShareOfRun: 0.3
    case .intervalHitchRatio, .intervalHitchRatioOfRun: 2.5
    }
  }

  /// How much runs are taken to differ by chance when there is but one: the standard
  /// deviation, of logarithms for times. Measured on pairs of captures of games.
  var assumedNoise: Double {
    switch self {
    case .p99: 0.03
    case .missedRefreshShare, .missedRefreshShareOfRun: 0.15
    case .intervalHitchRatio, .intervalHitchRatioOfRun: 1.5
    default: 0.025
    }
  }

  /// Thresholds and assumed noise of shares and ratios grow with what is there already.
  static let shareOfBaseline = 0.1

  /// The value as comparisons compute with it.
  func scaled(_ value: Double) -> Double { isTime ? Elementary.log(max(value, 1e-12)) : value }

  /// The value that a scaled one stands for.
  func unscaled(_ value: Double) -> Double { isTime ? Elementary.exp(value) : value }

  /// A difference of scaled values as people read it.
  func effect(_ difference: Double) -> Double {
    isTime ? 100 * (Elementary.exp(difference) - 1) : difference
  }
}

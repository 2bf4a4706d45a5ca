/// What a user chooses about a comparison.
public struct ComparisonOptions: Sendable {
  /// The probability of a false "regressed", to one side, over all gating metrics.
  public var level = 0.05
  /// Thresholds that replace the usual ones: shares for times, percentage points or ms/s.
  public var thresholds: [RunMetric: Double] = [:]
  /// Whether runs of different refresh intervals are compared all the same.
  public var allowsDifferentRefresh = false
  /// Earlier jobs of the same scene on the same device, each with its runs.
  public var history: [[RunSummary]] = []
  /// At how many runs a side the comparison is looked at, where it is looked at more than once.
  public var looks: [Int] = []
  /// Which kind of values are compared.
  public var kind = Kind.frames

  /// What is compared of runs.
  public enum Kind: String, Sendable, CaseIterable {
    /// Frame times.
    case frames
    /// Latencies of touches or clicks.
    case latency
    /// Times from a tap or a start to the first frame.
    case launch
  }

  public init() {}

  /// The level of one look where there are several, so that all together keep to 5 %; `nil`
  /// when nobody has worked it out for these looks.
  ///
  /// Found by simulation of the pooled t for these numbers of runs.
  static let levelsOfLooks: [[Int]: Double] = [
    [3, 5]: 0.0278, [5, 10]: 0.0292, [3, 5, 10]: 0.0197, [5, 10, 20]: 0.0198,
    [3, 5, 8, 10]: 0.0175, [3, 4, 5, 6, 7, 8, 9, 10]: 0.0131,
  ]

  /// The level of this look.
  var levelOfLook: Double { looks.isEmpty ? level : Self.levelsOfLooks[looks] ?? level }
}

/// Why runs cannot be compared.
public struct ComparisonRefusal: Error, Hashable, Sendable {
  public let message: String
  public let help: String?
}

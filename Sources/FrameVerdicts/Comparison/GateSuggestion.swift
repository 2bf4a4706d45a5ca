import FrameAnalysis
import FrameTrace

/// Limits that unchanged runs rarely fail, derived from runs of the same scene.
public struct GateSuggestion: Sendable {
  /// A limit on the median of a number of runs.
  public struct Limit: Sendable {
    /// How many runs the limit is for.
    public let runs: Int
    /// The limit as text for `gate --limit`.
    public let text: String
    /// The share by which the figure must worsen for nine in ten runs to fail; `nil` if the figure is 0.
    public let notices: Double?
  }

  /// One figure of a surface.
  public struct Item: Sendable {
    /// The surface's name.
    public let surface: String
    /// The figure as text for `gate --limit`.
    public let figure: String
    /// The unit of the values.
    public let unit: String
    /// The value of each run.
    public let values: [Double]
    /// The median of the values.
    public let median: Double
    /// The standard deviation between runs, in the unit.
    public let spread: Double
    /// The limits for one run and for the medians of three and five; empty if all runs are equal.
    public let limits: [Limit]
  }

  /// The runs from which the limits were derived.
  public let files: [String]
  /// The figures with their limits.
  public let items: [Item]
  /// A figure without a suggested limit.
  public struct LeftOut: Hashable, Sendable {
    /// The figure.
    public let figure: String
    /// The first reason.
    public let why: String
  }

  /// Figures that only some of the runs have, each with the first reason.
  public let leftOut: [LeftOut]

  /// The minimum number of runs for which limits are suggested.
  public static let fewestRuns = 3
  /// The chance that an unchanged run fails a suggested limit.
  public static let chance = 0.01
  package static let runCounts = [1, 3, 5]

  /// Limits on the figures that decide comparisons and histories; the limits' values do not matter.
  public static var candidates: [GateLimit] {
    let latencies = ["touchToPhoton", "clickToPhoton", "inputToPhoton"]
    let figures =
      ["p50", "p95", "p99"].map { "\($0)(frameTime)" }
      + ["missedRefreshShare", "intervalHitchRatio", "droppedShare", "hitchRatio"]
      + latencies.flatMap { name in ["p50(\(name))", "p95(\(name))"] }
      + LaunchMeasure.all.map { "p50(\($0.name))" }
    return figures.compactMap { try? GateLimit("\($0)<=0") }
  }

  /// - Parameter traces: Runs of one scene, checked against `candidates`.
  /// - Throws: If there are fewer than three runs.
  public init(_ traces: [GatedTrace]) throws(ComparisonRefusal) {
    guard traces.count >= Self.fewestRuns else {
      throw ComparisonRefusal.fewRunsToSuggest(found: traces.count, needed: Self.fewestRuns)
    }
    let runs = GatedRuns(traces)
    files = runs.files
    leftOut = runs.items.compactMap { item in
      guard !item.values.isEmpty else { return nil }
      let figure = item.limit.figure
      if let why = item.why { return LeftOut(figure: figure, why: why) }
      return item.values.count < Self.fewestRuns
        ? LeftOut(
          figure: figure, why: "only \(item.values.count) of the runs have \(item.surface)") : nil
    }
    items = runs.items.compactMap { item in
      guard item.values.count >= Self.fewestRuns, item.why == nil, let median = item.median,
        let noise = item.noise
      else { return nil }
      let isUpper = item.limit.relation.isUpper
      let figure = item.limit.figure
      return Item(
        surface: item.surface, figure: figure, unit: item.unit, values: item.values,
        median: median, spread: noise.spread,
        limits: Self.runCounts.compactMap { count in
          guard let exact = noise.limit(past: Self.chance, isUpper: isUpper, runs: count)
          else { return nil }
          let limit = Self.rounded(max(exact, 0), up: isUpper)
          let relation = item.limit.relation.rawValue
          let level = noise.level(noticedBy: limit.value, isUpper: isUpper, runs: count)
          return Limit(
            runs: count, text: "\(figure)\(relation)\(limit.text)\(item.unit)",
            notices: median > 0
              ? level.map { isUpper ? $0 / median - 1 : 1 - $0 / median } : nil)
        })
    }
  }

  /// A limit of three significant digits, rounded to the more lenient side.
  private static func rounded(_ value: Double, up: Bool) -> (value: Double, text: String) {
    var step = 0.001
    var decimals = 3
    while decimals > 0, value >= step * 1000 { (step, decimals) = (step * 10, decimals - 1) }
    while value >= step * 1000 { step *= 10 }
    let text = FixedNumber.text(
      (value / step).rounded(up ? .up : .down) * step, decimals: decimals)
    return (Double(text) ?? value, text)
  }
}

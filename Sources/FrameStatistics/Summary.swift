/// The figures that describe a sample: its limits, mean and quantiles, in the unit that the initializer states.
public struct Summary: Hashable, Sendable {
  /// The number of values.
  public let n: Int
  /// The smallest value.
  public let minimum: Double
  /// The arithmetic mean, computed from an exact sum.
  public let mean: Double
  /// The median, and the quantiles of 90, 95 and 99 %, interpolated as in type 7 of Hyndman and Fan (1996).
  public let p50: Double
  /// The 90 % quantile.
  public let p90: Double
  /// The 95 % quantile.
  public let p95: Double
  /// The 99 % quantile.
  public let p99: Double
  /// The largest value.
  public let maximum: Double

  /// Describes whole numbers, in linear time; `nil` if there are none.
  public init?(_ sample: Sample) { self.init(sample, dividedBy: 1) }

  /// Describes values kept in millionths of a unit, by figures in that unit; `nil` if there are none.
  public init?(millionths sample: Sample) {
    self.init(sample, dividedBy: Millionths.perUnit)
  }

  private init?(_ sample: Sample, dividedBy scale: Double) {
    guard let limits = sample.limits,
      let quantiles = Quantile.type7(sample.values, [0.5, 0.9, 0.95, 0.99], limits: limits)
    else { return nil }
    n = sample.values.count
    minimum = Double(limits.low) / scale
    mean = Double(sample.sum) / Double(n) / scale
    (p50, p90) = (quantiles[0] / scale, quantiles[1] / scale)
    (p95, p99) = (quantiles[2] / scale, quantiles[3] / scale)
    maximum = Double(limits.high) / scale
  }

  /// The names of the figures wherever they are written, in the order of `figures`.
  public static let names = ["min", "mean", "p50", "p90", "p95", "p99", "max"]

  /// The figures in the order of `names`.
  public var figures: [Double] { [minimum, mean, p50, p90, p95, p99, maximum] }

  /// The figure of that name; `nil` if there is none.
  public subscript(name: String) -> Double? {
    Self.names.firstIndex(of: name).map { figures[$0] }
  }
}

/// Quantiles of a sample by linear interpolation between the two nearest values.
///
/// Type 7 of Hyndman and Fan, "Sample quantiles in statistical packages", The American
/// Statistician 50 (1996): for n values in order x₀ … xₙ₋₁ and h = (n − 1)p it is
/// x⌊h⌋ + (h − ⌊h⌋)(x⌊h⌋₊₁ − x⌊h⌋). The default of R, NumPy and spreadsheets.
package enum Quantile {
  /// The quantiles at `probabilities`, from 0 to 1 and in order, in time linear in the
  /// number of values; `nil` for a sample without values.
  package static func type7(_ values: [Int64], _ probabilities: [Double]) -> [Double]? {
    RankSelection.limits(values).flatMap { type7(values, probabilities, limits: $0) }
  }

  /// The quantiles of values with known limits.
  static func type7(
    _ values: [Int64], _ probabilities: [Double], limits: (low: Int64, high: Int64)
  ) -> [Double]? {
    guard !values.isEmpty else { return nil }
    let positions = probabilities.map { Double(values.count - 1) * $0 }
    var ranks: [Int] = []
    for position in positions {
      let rank = Int(position)
      ranks.append(rank)
      ranks.append(min(rank + 1, values.count - 1))
    }
    let found = RankSelection.select(ranks.sorted(), of: values, limits: limits)
    let byRank = Dictionary(zip(ranks.sorted(), found)) { first, _ in first }
    return positions.map { position in
      let rank = Int(position)
      let lower = Double(byRank[rank] ?? 0)
      let upper = Double(byRank[min(rank + 1, values.count - 1)] ?? 0)
      return lower + (position - Double(rank)) * (upper - lower)
    }
  }
}

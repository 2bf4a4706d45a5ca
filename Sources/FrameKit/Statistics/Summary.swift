/// The figures that describe a sample: its ends, its mean and its quantiles, in the unit of
/// its values.
public struct Summary: Hashable, Sendable {
  /// How many values there are.
  public let n: Int
  public let minimum: Double
  /// The arithmetic mean, of a sum without rounding.
  public let mean: Double
  public let p50: Double
  public let p90: Double
  public let p95: Double
  public let p99: Double
  public let maximum: Double

  /// Describes whole numbers, in time linear in their number; `nil` when there are none.
  public init?(_ sample: Sample) {
    guard let limits = sample.limits,
      let quantiles = Quantile.type7(sample.values, [0.5, 0.9, 0.95, 0.99], limits: limits)
    else { return nil }
    n = sample.values.count
    minimum = Double(limits.low)
    mean = Double(sample.sum) / Double(n)
    (p50, p90, p95, p99) = (quantiles[0], quantiles[1], quantiles[2], quantiles[3])
    maximum = Double(limits.high)
  }

  /// The names of the figures wherever they are written, in the order of `figures`.
  public static let names = ["min", "mean", "p50", "p90", "p95", "p99", "max"]

  /// The figures in the order of `names`, in the unit of the values.
  public var figures: [Double] { [minimum, mean, p50, p90, p95, p99, maximum] }

  /// The figure of that name; `nil` when there is none.
  public subscript(name: String) -> Double? {
    Self.names.firstIndex(of: name).map { figures[$0] }
  }
}

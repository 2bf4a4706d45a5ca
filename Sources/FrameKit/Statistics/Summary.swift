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
  public init?(_ values: [Int64]) {
    guard let (low, high) = RankSelection.limits(values),
      let quantiles = Quantile.type7(values, [0.5, 0.9, 0.95, 0.99], limits: (low, high))
    else { return nil }
    n = values.count
    minimum = Double(low)
    mean = Double(Summary.sum(values)) / Double(values.count)
    (p50, p90, p95, p99) = (quantiles[0], quantiles[1], quantiles[2], quantiles[3])
    maximum = Double(high)
  }

  /// The sum of whole numbers, which may go past 64 bits.
  static func sum(_ values: [Int64]) -> Int128 {
    var total = Int128(0)
    for start in stride(from: 0, to: values.count, by: 4096) {
      // Numbers of up to 51 bits cannot overflow in a block, and larger ones are rare.
      var partial = Int64(0)
      var overflowed = false
      let block = values[start..<min(start + 4096, values.count)]
      for value in block {
        let (sum, overflow) = partial.addingReportingOverflow(value)
        partial = sum
        overflowed = overflowed || overflow
      }
      total += overflowed ? block.reduce(Int128(0)) { $0 + Int128($1) } : Int128(partial)
    }
    return total
  }
}

/// Quantiles of a sample of real numbers, by the estimators in use.
package enum RealQuantile {
  /// Type 7 of Hyndman and Fan: linear between the values around (n − 1)p.
  /// - Precondition: There is at least one value.
  package static func type7(_ values: [Double], _ p: Double) -> Double {
    interpolated(values.sorted(), at: Double(values.count - 1) * p)
  }

  /// Type 8 of Hyndman and Fan, which is nearly unbiased for medians: linear between the values
  /// around (n + 1/3)p + 1/3 − 1, counted from 0.
  /// - Precondition: There is at least one value.
  package static func type8(_ values: [Double], _ p: Double) -> Double {
    interpolated(values.sorted(), at: (Double(values.count) + 1 / 3) * p + 1 / 3 - 1)
  }

  private static func interpolated(_ sorted: [Double], at position: Double) -> Double {
    let position = min(max(position, 0), Double(sorted.count - 1))
    let rank = Int(position)
    let upper = sorted[min(rank + 1, sorted.count - 1)]
    return sorted[rank] + (position - Double(rank)) * (upper - sorted[rank])
  }

  /// A quantile of values rounded to a grid, such as the frames of a camera. The values of a grid point are assumed to
  /// be spread evenly in the cell of width `step` around it. A type 7 median jumps from one point to the next; this
  /// estimate moves with the share of the values.
  /// - Parameter points: The values as multiples of the step.
  /// - Precondition: There is at least one value.
  package static func onGrid(_ points: [Int64], step: Double, _ p: Double) -> Double {
    let sorted = points.sorted()
    let position = Double(sorted.count - 1) * p
    let value = sorted[Int(position)]
    let before = Double(sorted.firstIndex(of: value) ?? 0)
    let count = Double(sorted.count { $0 == value })
    return Double(value) * step - step + step * ((position - before + 0.5) / count)
  }
}

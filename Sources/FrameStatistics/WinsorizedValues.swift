/// Values with the smallest and the largest of them replaced by the nearest that is left.
struct WinsorizedValues {
  /// The mean of the remaining values.
  let mean: Double
  /// The sum of the squares of all around their mean.
  let squares: Double
  /// How many are left.
  let left: Int

  /// - Parameter cut: How many are replaced at each end; some have to be left.
  init(_ values: [Double], cut: Int) {
    let sorted = values.sorted()
    let middle = sorted[cut..<(sorted.count - cut)]
    left = middle.count
    mean = middle.reduce(0, +) / Double(left)
    let all =
      [Double](repeating: sorted[cut], count: cut) + middle
      + [Double](repeating: sorted[sorted.count - cut - 1], count: cut)
    squares = Moments(all).squares
  }
}

/// Values whose smallest and largest ones are replaced by the nearest remaining value.
struct WinsorizedValues {
  /// The mean of the remaining values.
  let mean: Double
  /// The sum of the squared distances of all values from their mean.
  let squares: Double
  /// The number of remaining values.
  let left: Int

  /// - Parameter cut: The number of values replaced at each end; some values must remain.
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

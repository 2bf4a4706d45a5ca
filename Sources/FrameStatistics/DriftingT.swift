extension TwoSampleT {
  /// Compares the groups if the order of the runs is known: the measured difference, and the remaining difference with
  /// a term for a steady drift from run to run, both with the noise that remains in addition to such a drift. Ordinary
  /// least squares on a constant, the side, and the position in the order of runs.
  /// - Parameters:
  ///   - positions: The position of each run of the first group, then of each run of the second, from 0.
  /// - Returns: `nil` if the effect of the side cannot be separated from the drift.
  package static func ordered(
    _ first: [Double], _ second: [Double], positions: [Int]
  ) -> (measured: TwoSampleT, withoutDrift: TwoSampleT)? {
    let values = first + second
    let n = Double(values.count)
    guard values.count > 3, positions.count == values.count else { return nil }
    let middle = Double(positions.reduce(0, +)) / n
    let drift = positions.map { Double($0) - middle }
    let share = Double(second.count) / n
    let side = values.indices.map { ($0 < first.count ? 0 : 1) - share }
    let dot = { (one: [Double], other: [Double]) in
      zip(one, other).reduce(0) { $0 + $1.0 * $1.1 }
    }
    // Both are centered, so that two equations remain.
    let (ss, dd, sd) = (dot(side, side), dot(drift, drift), dot(side, drift))
    let determinant = ss * dd - sd * sd
    guard determinant > 1e-9 * ss * dd else { return nil }
    let mean = values.reduce(0, +) / n
    let centered = values.map { $0 - mean }
    let (sy, dy) = (dot(side, centered), dot(drift, centered))
    let effect = (dd * sy - sd * dy) / determinant
    let slope = (ss * dy - sd * sy) / determinant
    let rest = values.indices.map { centered[$0] - effect * side[$0] - slope * drift[$0] }
    let degrees = n - 3
    let variance = dot(rest, rest) / degrees
    return (
      TwoSampleT(
        difference: sy / ss, standardError: (variance / ss).squareRoot(), degrees: degrees),
      TwoSampleT(
        difference: effect, standardError: (variance * dd / determinant).squareRoot(),
        degrees: degrees)
    )
  }
}

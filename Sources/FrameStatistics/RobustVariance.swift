/// A variance computed from the middle values, so that a few outliers do not affect it.
///
/// J. W. Tukey and D. H. McLaughlin, "Less vulnerable confidence and significance procedures for
/// location based on a single sample", Sankhyā A 25 (1963): a fifth of the values at each end is
/// replaced by the nearest remaining value. The sum of squares is then divided by its expected
/// value for normal values.
package struct RobustVariance {
  package let variance: Double
  /// The number of degrees of freedom, as for normal values.
  package let degrees: Double

  private static let share = 0.2
  /// The degrees of freedom for each remaining value except one; found by simulation for 5 to 50 values.
  private static let degreesEach = 0.78

  /// - Precondition: There are at least five values.
  package init(_ values: [Double]) {
    let cut = max(1, Int(Self.share * Double(values.count)))
    let winsorized = WinsorizedValues(values, cut: cut)
    let left = Double(winsorized.left - 1)
    variance = winsorized.squares / left / Self.ofNormal(cut: Double(cut) / Double(values.count))
    degrees = Self.degreesEach * left
  }

  /// The expected sum of squares of standard normal values, for each remaining value.
  private static func ofNormal(cut: Double) -> Double {
    let end = StandardNormal.quantile(1 - cut)
    let density = Elementary.exp(-end * end / 2) / (2 * Double.pi).squareRoot()
    let middle = 1 - 2 * cut
    return (2 * cut * end * end + middle - 2 * end * density) / middle
  }
}

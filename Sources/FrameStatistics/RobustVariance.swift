/// The variance of values by those in their middle, so that one that strayed, or a few, decide nothing.
///
/// J. W. Tukey and D. H. McLaughlin, "Less vulnerable confidence and significance procedures for location based on a
/// single sample", Sankhyā A 25 (1963): the squares of the values with a fifth of the smallest and of the largest replaced
/// by the nearest that is left, divided by what that makes of normal values.
package struct RobustVariance {
  package let variance: Double
  /// How many degrees of freedom it has, as for normal values.
  package let degrees: Double

  private static let share = 0.2
  /// How many degrees there are for each value that is left, less one; found by simulation for 5 to 50 values.
  private static let degreesEach = 0.78

  /// - Precondition: There are at least five values.
  package init(_ values: [Double]) {
    let cut = max(1, Int(Self.share * Double(values.count)))
    let winsorized = WinsorizedValues(values, cut: cut)
    let left = Double(winsorized.left - 1)
    variance = winsorized.squares / left / Self.ofNormal(cut: Double(cut) / Double(values.count))
    degrees = Self.degreesEach * left
  }

  /// What the squares, for each value that is left, come to of standard normal values.
  private static func ofNormal(cut: Double) -> Double {
    let end = StandardNormal.quantile(1 - cut)
    let density = Elementary.exp(-end * end / 2) / (2 * Double.pi).squareRoot()
    let middle = 1 - 2 * cut
    return (2 * cut * end * end + middle - 2 * end * density) / middle
  }
}

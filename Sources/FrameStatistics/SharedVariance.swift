/// The common part of the variances of many groups, used where one group has few values: a
/// variance, and how many degrees of freedom it is worth in addition to those of a group.
///
/// G. K. Smyth, "Linear models and empirical Bayes methods for assessing differential expression in
/// microarray experiments", Statistical Applications in Genetics and Molecular Biology 3 (2004). If
/// the variances of groups differ by more than chance, it is worth little; if not, at most as much
/// as all groups together.
package struct SharedVariance: Hashable {
  package let variance: Double
  package let degrees: Double

  /// Fewer groups cannot show how much their variances differ.
  static let fewest = 3

  /// - Returns: `nil` with too few groups that have a variance.
  package init?(_ groups: [(variance: Double, degrees: Double)]) {
    let known = groups.filter { $0.variance > 0 && $0.degrees >= 1 }
    guard known.count >= Self.fewest else { return nil }
    let logs = known.map { group in
      Elementary.log(group.variance) - LogGamma.first(group.degrees / 2)
        + Elementary.log(group.degrees / 2)
    }
    let moments = Moments(logs)
    let byChance = known.reduce(0) { $0 + LogGamma.second($1.degrees / 2) } / Double(known.count)
    let beyond = moments.variance - byChance
    let most = known.reduce(0) { $0 + $1.degrees }
    let found = beyond > 0 ? 2 * Self.inverse(beyond) : most
    degrees = min(found, most)
    let correction =
      beyond > 0 ? LogGamma.first(degrees / 2) - Elementary.log(degrees / 2) : 0
    variance = Elementary.exp(moments.mean + correction)
    guard variance.isFinite, degrees.isFinite, degrees > 0 else { return nil }
  }

  /// The argument at which the second derivative of the logarithm of the gamma function has a
  /// value, by Newton's method on its inverse.
  private static func inverse(_ value: Double) -> Double {
    if value > 1e7 { return 1 / value.squareRoot() }
    if value < 1e-6 { return 1 / value }
    var x = 0.5 + 1 / value
    for _ in 0..<50 {
      let second = LogGamma.second(x)
      let step = second * (1 - second / value) / LogGamma.third(x)
      x += step
      if -step / x < 1e-10 { break }
    }
    return x
  }
}

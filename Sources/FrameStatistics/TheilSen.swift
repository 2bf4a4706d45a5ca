/// A straight line through points that outliers hardly move: the median of the slopes between all pairs of points, with
/// its 95 % confidence interval.
///
/// P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau", Journal of the
/// American Statistical Association 63 (1968); the variance with ties as in M. Hollander and
/// D. Wolfe, "Nonparametric Statistical Methods", 8.5.
public struct TheilSen: Hashable, Sendable {
  /// The median slope of all pairs of points.
  public private(set) var slope: Double
  /// The ends of the slope's 95 % confidence interval.
  public private(set) var low, high: Double
  /// The number of points used for the line.
  public let n: Int

  /// The largest number of points used for pairs; if there are more, evenly spaced points are chosen.
  public static let most = 600

  /// - Returns: `nil` for fewer than three points, or if all have the same `x`.
  package init?(_ points: [(x: Double, y: Double)]) {
    let step = max(1, (points.count + Self.most - 1) / Self.most)
    let points = stride(from: 0, to: points.count, by: step).map { points[$0] }
    guard points.count >= 3 else { return nil }
    var slopes: [Double] = []
    for (index, one) in points.enumerated() {
      for other in points[(index + 1)...] where other.x != one.x {
        slopes.append((other.y - one.y) / (other.x - one.x))
      }
    }
    slopes.sort()
    guard let middle = slopes.middle else { return nil }
    n = points.count
    slope = (middle.lower + middle.upper) / 2
    let spread = 1.959963984540054 * Self.variance(points.map(\.x)).squareRoot()
    let count = Double(slopes.count)
    let below = Int(((count - spread) / 2).rounded(.down))
    let above = Int(((count + spread) / 2).rounded(.up))
    low = slopes[max(0, min(below, slopes.count - 1))]
    high = slopes[max(0, min(above, slopes.count - 1))]
  }

  /// The same line through points whose `y` was kept in millionths of a unit, expressed in that unit.
  package var fromMillionths: TheilSen {
    var line = self
    line.slope = Millionths.value(slope)
    (line.low, line.high) = (Millionths.value(low), Millionths.value(high))
    return line
  }

  /// The variance of Kendall's statistic for points with ties in `x`.
  private static func variance(_ xs: [Double]) -> Double {
    let term = { (n: Double) in n * (n - 1) * (2 * n + 5) }
    var ties: [Double: Double] = [:]
    for x in xs { ties[x, default: 0] += 1 }
    return ties.keys.sorted().reduce(term(Double(xs.count))) { $0 - term(ties[$1] ?? 0) } / 18
  }
}

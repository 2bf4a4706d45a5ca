/// The position in a sequence at which a level changed, from noisy values measured at some positions: the probability
/// that each position is the first with the new level.
///
/// Each position after the first is equally probable beforehand. The two levels and the spread are unknown; they are
/// integrated out and not estimated: with estimates instead, answers stated at 90 % are right far less often. Noise has
/// Student's t distribution, so that stray values count little. Each value may inherit a part of the previous value's
/// deviation, as on a machine that warms up. The levels are integrated out by Laplace's method, the spread and the
/// inherited part on a grid.
///
/// K. L. Lange, R. J. A. Little and J. M. G. Taylor, "Robust statistical modeling using the t distribution", Journal
/// of the American Statistical Association 84 (1989); L. Tierney and J. B. Kadane, "Accurate approximations for
/// posterior moments and marginal densities", Journal of the American Statistical Association 81 (1986).
package struct ChangePosterior: Sendable {
  /// A value, and the position where it was measured.
  package struct Value: Hashable, Sendable {
    package let position: Int
    package let value: Double

    package init(position: Int, value: Double) { (self.position, self.value) = (position, value) }
  }

  /// The probability of each position after the first, beginning with position 1.
  package let chances: [Double]
  /// The probability that values deviate together in one of the considered ways.
  package let togetherness: Double

  /// The number of steps toward the most probable levels at each spread; they start from the levels of the previous
  /// spread.
  fileprivate static let steps = 3
  /// How values may deviate together: the correlation of successive values, or how far a common level moves from one
  /// value to the next, as a share of the variance of a value.
  private enum Sharing {
    case correlation(Double)
    case drift(Double)
  }
  private static let sharings: [Sharing] = [
    .correlation(0), .correlation(0.3), .correlation(0.6), .correlation(0.85),
    .drift(0.01), .drift(0.1), .drift(0.5), .drift(4),
  ]

  /// - Parameters:
  ///   - last: The last position; the first is 0. Both positions have values.
  ///   - values: The values in the order of measurement.
  ///   - floor: The smallest conceivable spread, above 0.
  /// - Complexity: O(positions with values · values).
  package init(last: Int, values: [Value], floor: Double) {
    let groups = Dictionary(grouping: values, by: \.position).mapValues { $0.map(\.value).sorted() }
    let noise = Noise(Array(groups.values), floor: floor)
    let positions = groups.keys.sorted()
    var logs: [Double] = []
    var alone: [Double] = []
    for (position, next) in zip(positions, positions.dropFirst()) {
      let evidence = Self.sharings.map { Self.evidence(values, changedFrom: next, noise, $0) }
      // Between two measured positions, values cannot show where the change is.
      logs += [Double](repeating: Self.logSum(evidence), count: next - position)
      alone.append(Self.logSum(Array(evidence.prefix(2))) + Elementary.log(Double(next - position)))
    }
    let sum = Self.logSum(logs)
    chances = logs.map { Elementary.exp($0 - sum) }
    togetherness = max(0, 1 - Elementary.exp(Self.logSum(alone) - sum))
  }

  /// The logarithm of the probability density of the values, if the values from a position onward have another level.
  private static func evidence(
    _ values: [Value], changedFrom position: Int, _ noise: Noise, _ sharing: Sharing
  ) -> Double {
    switch sharing {
    case .correlation(let correlation):
      var levels = TwoLevels(values, changedFrom: position, correlation)
      return noise.weight * logSum(noise.spreads.map { levels.density(noise, spread: $0) })
    case .drift(let share):
      var levels = DriftingLevels(values, changedFrom: position, drift: share)
      return noise.weight * logSum(noise.spreads.map { levels.density(noise, spread: $0) })
    }
  }

  private static func logSum(_ logs: [Double]) -> Double {
    let most = logs.max() ?? 0
    return most + Elementary.log(logs.reduce(0) { $0 + Elementary.exp($1 - most) })
  }
}

/// The noise of values: how heavy its tails may be, and the spreads that are integrated over.
private struct Noise {
  /// The degrees of freedom of Student's t, whose distribution is nearly normal if there are many.
  let degrees: Double
  let spreads: [Double]
  /// The density of that distribution at its center, with spread 1.
  private let center: Double
  /// The weight of the values: real noise has no known shape, and skewed noise would make answers too certain. Chosen
  /// by simulating a dozen kinds of noise, so that answers stated at 95 % are right at least that often for each.
  let weight: Double

  /// If the typical distance from the middle of a position is below this share of the root mean square, values form
  /// clusters, like counts of misses, or times of a program that is slow in every fifth run. Then no value is an
  /// outlier, and the levels are means.
  private static let heaps = 0.3
  /// The minimum spread as a share of the root mean square. With one value in ten five deviations away, this minimum
  /// changes nothing.
  private static let leastShare = 0.6
  /// Factors of a spread, for a range of steps.
  private static func factors(_ steps: ClosedRange<Int>) -> [Double] {
    steps.map { Elementary.exp(0.3 * Double($0)) }
  }

  init(_ groups: [[Double]], floor: Double) {
    var distances: [Double] = []
    var (squares, freedom) = (0.0, 0)
    for group in groups where group.count > 1 {
      let middle = RealQuantile.type7(group, 0.5)
      // The median of a group uses up one value.
      let correction = (Double(group.count) / Double(group.count - 1)).squareRoot()
      distances += group.map { abs($0 - middle) * correction }
      squares += Moments(group).squares
      freedom += group.count - 1
    }
    let typical = distances.isEmpty ? 0 : RealQuantile.type7(distances, 0.5) / 0.6745
    let root = freedom > 0 ? (squares / Double(freedom)).squareRoot() : 0
    if typical < Self.heaps * root {
      (degrees, center, weight) = (100, 0.398, 0.55)
      // Spreads much below the observed spread are not considered.
      spreads = Self.factors(-1...3).map { max($0 * root, floor) }
    } else {
      (degrees, center, weight) = (4, 0.375, 0.85)
      spreads = Self.factors(-4...3).map { $0 * max(typical, Self.leastShare * root, floor) }
    }
  }

  /// The constants of the density of values, and of integrating over levels by Laplace's method. They matter if the
  /// compared models differ in the number of values or levels.
  func constants(_ count: Int, levels: Int) -> Double {
    Double(count) * Elementary.log(center) + Double(levels) / 2 * Elementary.log(2 * .pi)
  }
}

/// Values that each have one of two levels, without the part that each inherits from the previous value.
private struct TwoLevels {
  /// A value, and the share of each level in the value.
  private struct Row {
    let value, first, second: Double
  }

  private let rows: [Row]
  private let correlation: Double
  private var first, second: Double

  init(_ values: [ChangePosterior.Value], changedFrom position: Int, _ correlation: Double) {
    self.correlation = correlation
    var before = (value: 0.0, first: 0.0, second: 0.0)
    // The first value has no predecessor, and varies as much as all values together.
    var scale = (1 - correlation * correlation).squareRoot()
    rows = values.map { value in
      let isSecond = value.position >= position
      let now = (value: value.value, first: isSecond ? 0.0 : 1.0, second: isSecond ? 1.0 : 0.0)
      defer { (before, scale) = (now, 1) }
      return Row(
        value: scale * (now.value - correlation * before.value),
        first: scale * (now.first - correlation * before.first),
        second: scale * (now.second - correlation * before.second))
    }
    let sides = [true, false].map { isSecond in
      values.filter { ($0.position >= position) == isSecond }.map(\.value)
    }
    (second, first) = (RealQuantile.type7(sides[0], 0.5), RealQuantile.type7(sides[1], 0.5))
  }

  /// The logarithm of the density of the values for a spread, averaged over the levels.
  mutating func density(_ noise: Noise, spread: Double) -> Double {
    let variance = noise.degrees * spread * spread * (1 - correlation * correlation)
    for _ in 0..<ChangePosterior.steps { approach(variance) }
    let power = noise.degrees + 1
    var log =
      -Double(rows.count) / 2 * Elementary.log(variance / noise.degrees)
      + Elementary.log(1 - correlation * correlation) / 2
      + noise.constants(rows.count, levels: 2)
    // The curvature, and a minimum curvature: between two clusters of values, the density may have no peak.
    var (curved, weighted) = (Symmetric(), Symmetric())
    for row in rows {
      let rest = row.value - first * row.first - second * row.second
      let sum = variance + rest * rest
      log -= power / 2 * Elementary.log(sum / variance)
      curved.add(power * (variance - rest * rest) / (sum * sum), row.first, row.second)
      weighted.add(power / sum, row.first, row.second)
    }
    return log - Elementary.log(max(curved.peak, weighted.determinant / 16)) / 2
  }

  /// A step toward the most probable levels: a regression in which values count less, the farther away they are.
  private mutating func approach(_ variance: Double) {
    var matrix = Symmetric()
    var (one, two) = (0.0, 0.0)
    for row in rows {
      let rest = row.value - first * row.first - second * row.second
      let weight = 1 / (variance + rest * rest)
      matrix.add(weight, row.first, row.second)
      one += weight * row.first * row.value
      two += weight * row.second * row.value
    }
    let determinant = matrix.determinant
    guard determinant > 0 else { return }
    first = (matrix.d * one - matrix.b * two) / determinant
    second = (matrix.a * two - matrix.b * one) / determinant
  }

  /// The matrix (a b; b d).
  private struct Symmetric {
    var a = 0.0, b = 0.0, d = 0.0

    mutating func add(_ weight: Double, _ x: Double, _ y: Double) {
      a += weight * x * x
      b += weight * x * y
      d += weight * y * y
    }

    var determinant: Double { a * d - b * b }
    /// The determinant if the matrix is that of a peak, or else 0.
    var peak: Double { a > 0 && d > 0 ? max(determinant, 0) : 0 }
  }
}

/// Values that each have one of two levels, both of which drift: what remains of each value after the common level
/// predicted from the previous values.
///
/// J. Durbin and S. J. Koopman, "Time Series Analysis by State Space Methods", 2nd edition, 2012, chapter 2.
private struct DriftingLevels {
  /// A value minus its prediction, the share of the change in the value, and the square root of its variance.
  private struct Row {
    let value, change, scale: Double
  }

  private var rows: [Row] = []
  /// The logarithm of the product of the scales.
  private var scales = 0.0
  private var change = 0.0

  /// - Parameter drift: The variance of a step of the common level, as a share of a value's variance.
  init(_ values: [ChangePosterior.Value], changedFrom position: Int, drift: Double) {
    var (level, share, variance) = (0.0, 0.0, 1.0)
    for (number, value) in values.enumerated() {
      let isChanged = value.position >= position ? 1.0 : 0.0
      // Nothing is known before the first value.
      guard number > 0 else {
        (level, share) = (value.value, isChanged)
        continue
      }
      let before = variance + drift
      let total = before + 1
      let row = Row(
        value: value.value - level, change: isChanged - share, scale: total.squareRoot())
      rows.append(row)
      scales += Elementary.log(row.scale)
      let gain = before / total
      level += gain * row.value
      share += gain * row.change
      variance = before * (1 - gain)
    }
  }

  /// The logarithm of the density of the values for a spread, averaged over the common level and the change.
  mutating func density(_ noise: Noise, spread: Double) -> Double {
    let variance = noise.degrees * spread * spread
    let power = noise.degrees + 1
    for _ in 0..<ChangePosterior.steps {
      var (sum, weight) = (0.0, 0.0)
      for row in rows {
        let rest = (row.value - change * row.change) / row.scale
        let part = row.change / row.scale / (variance + rest * rest)
        sum += part * row.value / row.scale
        weight += part * row.change / row.scale
      }
      if weight > 0 { change = sum / weight }
    }
    var log =
      -Double(rows.count) * Elementary.log(spread) - scales
      + noise.constants(rows.count, levels: 1)
    var (curvature, weight) = (0.0, 0.0)
    for row in rows {
      let rest = (row.value - change * row.change) / row.scale
      let share = row.change / row.scale
      let sum = variance + rest * rest
      log -= power / 2 * Elementary.log(sum / variance)
      curvature += power * (variance - rest * rest) / (sum * sum) * share * share
      weight += power / sum * share * share
    }
    return log - Elementary.log(max(curvature, weight / 4)) / 2
  }
}

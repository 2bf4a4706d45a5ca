/// Where a series of values changes its level, by the energy distance between what is before
/// and behind, each change tested by permutation.
///
/// D. Matteson and N. James, "A nonparametric approach for multiple change point analysis of
/// multivariate data", Journal of the American Statistical Association 109 (2014), with
/// exponent 1. Values that depend on the ones before are permuted in blocks.
public struct ChangePoints: Hashable, Sendable {
  /// The places at which a new level begins, in order.
  public private(set) var places: [Int] = []
  /// How long the blocks were that were permuted; 1 when values did not depend on each other.
  public let block: Int
  /// By how much neighbouring values depend on each other once levels are taken off: the
  /// correlation of each with the one before.
  public let correlation: Double

  /// The fewest values of a level.
  static let shortest = 3

  /// - Parameters:
  ///   - seed: What the permutations are drawn from: with the same one they are the same.
  ///   - level: The probability of a change found in a stretch that has none.
  public init(_ values: [Double], seed: UInt64, level: Double = 0.01, permutations: Int = 499) {
    var first = Segmentation(values, block: 1, level: 0.05, permutations: 199)
    let rough = first.places(seed: seed ^ 1)
    let dependence = Dependence(values, changes: rough)
    block = dependence.block
    correlation = dependence.correlation
    var second = Segmentation(
      values, block: dependence.block, level: level, permutations: permutations)
    places = second.places(seed: seed)
  }

  /// The split of a stretch that divides it best; `nil` when it is too short.
  /// - Returns: The place at which the second part begins, and the energy distance there.
  public static func bestSplit(_ values: [Double]) -> (place: Int, distance: Double)? {
    profile(values).max { ($0.distance, $1.place) < ($1.distance, $0.place) }
  }

  /// The energy distance of each split that leaves enough values on both sides, in time
  /// quadratic in the number of values.
  static func profile(
    _ values: [Double], shortest: Int = shortest
  ) -> [(place: Int, distance: Double)] {
    let count = values.count
    guard count >= 2 * shortest else { return [] }
    var within = (left: 0.0, right: 0.0)
    var between = 0.0
    for first in values.indices {
      for second in (first + 1)..<max(first + 1, count) {
        within.right += abs(values[first] - values[second])
      }
    }
    var profile: [(place: Int, distance: Double)] = []
    for moved in 0..<count - 1 {
      let left = values[..<moved].reduce(0) { $0 + abs($1 - values[moved]) }
      let right = values[(moved + 1)...].reduce(0) { $0 + abs($1 - values[moved]) }
      between += right - left
      within.left += left
      within.right -= right
      let (n1, n2) = (Double(moved + 1), Double(count - moved - 1))
      guard min(n1, n2) >= Double(max(shortest, 2)) else { continue }
      let sum = n1 + n2
      let distance =
        2 / sum * between - 2 * n2 / (sum * (n1 - 1)) * within.left - 2 * n1 / (sum * (n2 - 1))
        * within.right
      profile.append((moved + 1, distance))
    }
    return profile
  }
}

/// Splits a series and its parts as long as a split is more than chance.
private struct Segmentation {
  private let values: [Double]
  private let block: Int
  private let level: Double
  private let permutations: Int

  init(_ values: [Double], block: Int, level: Double, permutations: Int) {
    self.values = values
    self.block = block
    self.level = level
    self.permutations = permutations
  }

  mutating func places(seed: UInt64) -> [Int] {
    var found: [Int] = []
    var open = [0..<values.count]
    while let range = open.popLast() {
      let part = Array(values[range])
      guard let split = ChangePoints.bestSplit(part) else { continue }
      // A stretch has its own permutations, whatever was looked at before.
      let own = seed &+ UInt64(range.lowerBound) &* 0x9e37_79b9 &+ UInt64(range.upperBound)
      guard isMoreThanChance(split.distance, part, seed: own) else { continue }
      let place = range.lowerBound + split.place
      found.append(place)
      open += [range.lowerBound..<place, place..<range.upperBound]
    }
    return found.sorted()
  }

  private func isMoreThanChance(_ distance: Double, _ part: [Double], seed: UInt64) -> Bool {
    var random = SplitMix64(seed: seed)
    var exceedances = 1
    // Once so many permutations divide as well, the rest need not be looked at.
    let most = Int(level * Double(permutations + 1)) + 5
    for _ in 0..<permutations {
      let permuted = permuted(part, &random)
      let best = ChangePoints.bestSplit(permuted)?.distance ?? 0
      if best >= distance * (1 - 1e-12) { exceedances += 1 }
      if exceedances > most { return false }
    }
    return Double(exceedances) / Double(permutations + 1) <= level
  }

  private func permuted(_ part: [Double], _ random: inout SplitMix64) -> [Double] {
    if block == 1 { return random.shuffled(part) }
    let offset = random.below(part.count)
    let starts = random.shuffled(Array(stride(from: 0, to: part.count, by: block)))
    return starts.flatMap { start in
      (start..<min(start + block, part.count)).map { part[($0 + offset) % part.count] }
    }
  }
}

/// How much neighbouring values depend on each other.
private struct Dependence {
  let correlation: Double
  /// How long blocks have to be for them to be nearly independent.
  let block: Int

  init(_ values: [Double], changes: [Int]) {
    let bounds = [0] + changes + [values.count]
    var rest = values
    for (start, end) in zip(bounds, bounds.dropFirst()) where start < end {
      let median = RealQuantile.type7(Array(values[start..<end]), 0.5)
      for place in start..<end { rest[place] -= median }
    }
    let n = Double(values.count)
    let mean = rest.reduce(0, +) / max(1, n)
    let squares = rest.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let products = zip(rest.dropFirst(), rest).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) }
    correlation = squares > 0 ? products / squares : 0
    guard correlation > 1.645 / n.squareRoot() else {
      block = 1
      return
    }
    let q = min(correlation + 1 / n.squareRoot(), 0.8)
    let length = Elementary.power(2 * q / (1 - q * q), 2 / 3) * Elementary.power(n, 1 / 3)
    block = min(max(Int(length.rounded(.up)), 2), max(2, values.count / 8))
  }
}

/// The points at which a series of values changes level, found by the energy distance between the values before and
/// after. Each change is tested by permutation.
///
/// D. Matteson and N. James, "A nonparametric approach for multiple change point analysis of
/// multivariate data", Journal of the American Statistical Association 109 (2014), with exponent 1.
/// Values that depend on earlier ones are permuted in blocks.
package struct ChangePoints: Hashable, Sendable {
  /// The indices at which a new level begins, in order.
  package private(set) var positions: [Int] = []
  /// The length of the permuted blocks; 1 if values were independent.
  package let block: Int
  /// The dependence between neighboring values after levels are subtracted: the correlation of each value with the
  /// previous one.
  package let correlation: Double

  /// The minimum number of values in a level.
  static let shortest = 3

  /// - Parameters:
  ///   - seed: The seed of the permutations; equal seeds give equal permutations.
  ///   - level: The probability of finding a change in a stretch without one.
  package init(_ values: [Double], seed: UInt64, level: Double = 0.01, permutations: Int = 499) {
    var first = Segmentation(values, block: 1, level: 0.05, permutations: 199)
    let rough = first.positions(seed: seed ^ 1)
    let dependence = Dependence(values, changes: rough)
    block = dependence.block
    correlation = dependence.correlation
    var second = Segmentation(
      values, block: dependence.block, level: level, permutations: permutations)
    positions = second.positions(seed: seed)
  }

  /// The best split of a stretch; `nil` if the stretch is too short.
  /// - Returns: The index at which the second part begins, and the energy distance there.
  package static func bestSplit(_ values: [Double]) -> (position: Int, distance: Double)? {
    EnergyProfile(values).best(in: Array(values.indices))
  }

  /// The energy distance of each split that leaves enough values on both sides.
  static func profile(
    _ values: [Double], shortest: Int = shortest
  ) -> [(position: Int, distance: Double)] {
    var profile: [(position: Int, distance: Double)] = []
    EnergyProfile(values).walk(Array(values.indices), shortest: shortest) {
      profile.append(($0, $1))
    }
    return profile
  }
}

/// Splits a series and its parts for as long as a split is statistically significant.
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

  mutating func positions(seed: UInt64) -> [Int] {
    var found: [Int] = []
    var open = [0..<values.count]
    while let range = open.popLast() {
      let part = EnergyProfile(Array(values[range]))
      guard let split = part.best(in: Array(0..<range.count)) else { continue }
      // Each stretch has separate permutations, independent of earlier ones.
      let own = seed &+ UInt64(range.lowerBound) &* 0x9e37_79b9 &+ UInt64(range.upperBound)
      guard isMoreThanChance(split.distance, part, seed: own) else { continue }
      let position = range.lowerBound + split.position
      found.append(position)
      open += [range.lowerBound..<position, position..<range.upperBound]
    }
    return found.sorted()
  }

  private func isMoreThanChance(
    _ distance: Double, _ part: EnergyProfile, seed: UInt64
  ) -> Bool {
    var random = SplitMix64(seed: seed)
    var exceedances = 1
    // Once this many permutations split equally well, the test can stop.
    let most = Int(level * Double(permutations + 1)) + 5
    for _ in 0..<permutations {
      let best = part.best(in: permuted(part.count, &random))?.distance ?? 0
      // Sums in a different order differ in their last digits.
      if best >= distance * (1 - 1e-9) { exceedances += 1 }
      if exceedances > most { return false }
    }
    return Double(exceedances) / Double(permutations + 1) <= level
  }

  /// The positions of a stretch in another order.
  private func permuted(_ count: Int, _ random: inout SplitMix64) -> [Int] {
    if block == 1 { return random.shuffled(Array(0..<count)) }
    let offset = random.below(count)
    let starts = random.shuffled(Array(stride(from: 0, to: count, by: block)))
    return starts.flatMap { start in
      (start..<min(start + block, count)).map { ($0 + offset) % count }
    }
  }
}

/// The dependence between neighboring values.
private struct Dependence {
  let correlation: Double
  /// The block length at which blocks are nearly independent.
  let block: Int

  init(_ values: [Double], changes: [Int]) {
    let bounds = [0] + changes + [values.count]
    var rest = values
    for (start, end) in zip(bounds, bounds.dropFirst()) where start < end {
      let median = RealQuantile.type7(Array(values[start..<end]), 0.5)
      for position in start..<end { rest[position] -= median }
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

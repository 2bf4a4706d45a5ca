/// The evidence in pairs of values that the second of each tends to be greater, valid however often it is looked at.
///
/// If both values of a pair come from the same distribution, and chance decides which side went first, the sign of
/// their difference is that of a fair coin, whatever the noise: it may have outliers, drift, or depend on the values
/// before. A player who bets on each sign, with stakes that depend on earlier pairs only, then does not win on
/// average, and ever multiplies the capital by 1/α with a probability of at most α (Ville's inequality).
///
/// J. Ville, "Étude critique de la notion de collectif", 1939; V. H. de la Peña, "A general class of exponential
/// inequalities for martingales and ratios", Annals of Probability 27 (1999); A. Ramdas, J. Ruf, M. Larsson and W.
/// Koolen, "Admissible anytime-valid sequential inference must rely on nonnegative martingales", arXiv:2009.03167.
package struct PairedEvidence: Sendable {
  /// The differences, the second value minus the first.
  package let differences: [Double]
  /// For each difference, the spread of those before it; `nil` where there are too few.
  private let scales: [Double?]
  /// Whether at least half of the distances between differences are nothing, as where a program misses no refresh in
  /// most runs. The typical difference is then known at once, and says little of what happens in few runs.
  package let isTied: Bool

  /// The capital is divided among players who stake different shares of theirs at most: a change as large as the noise
  /// is found soonest by high stakes, but whoever stakes too much loses on a small one. Six pairs decide at 2.5 % only if
  /// the first has at least 0.862 of it.
  private static let players: [(capital: Double, stake: Double)] = [
    (0.87, 0.95), (0.09, 0.5), (0.04, 0.15),
  ]
  /// How soon a difference reaches the stake: simulated for normal, heavy-tailed and skewed noise and for one outlier in
  /// ten, of 0.8 to 2 this needs the fewest pairs for differences of one to five standard deviations.
  private static let steepness = 1.2

  package init(_ differences: [Double]) {
    self.differences = differences
    var spread = PairwiseSpread()
    scales = differences.map { difference in
      defer { spread.add(difference) }
      return spread.scale
    }
    isTied = spread.scale == 0
  }

  /// Whether bounds may rule anything out: twice as many pairs where most differences are the same.
  package func canRuleOut(error: Double) -> Bool { differences.count >= fewestToRuleOut(error) }

  private func fewestToRuleOut(_ error: Double) -> Int {
    Self.fewest(error: error) * (isTied ? 2 : 1)
  }

  /// The logarithm of the capital won by betting that differences are greater than a limit.
  /// - Complexity: O(n).
  package func log(above limit: Double) -> Double { log { $0 - limit } }

  /// The logarithm of the capital won by betting that differences are less than a limit.
  package func log(below limit: Double) -> Double { log { limit - $0 } }

  private func log(_ excess: (Double) -> Double) -> Double {
    let bets = zip(differences, scales).map { Self.bet(excess($0), $1) }
    return Self.logTotal { stake in
      bets.reduce(0) { $0 + Elementary.log(1 + stake * $1) }
    }
  }

  /// The logarithm of the capital of all players.
  /// - Parameter log: The logarithm of what a player makes of one, with a stake.
  private static func logTotal(_ log: (Double) -> Double) -> Double {
    let logs = players.map { Elementary.log($0.capital) + log($0.stake) }
    let most = logs.max() ?? 0
    return most + Elementary.log(logs.reduce(0) { $0 + Elementary.exp($1 - most) })
  }

  /// The share of the stake that a difference wins, from -1 to 1.
  private static func bet(_ excess: Double, _ scale: Double?) -> Double {
    if excess == 0 { return 0 }
    guard let scale else { return excess > 0 ? tanh(steepness) : -tanh(steepness) }
    // Where earlier differences were all the same, only the sign is left.
    guard scale > 0 else { return excess > 0 ? 1 : -1 }
    return tanh(steepness * excess / scale)
  }

  private static func tanh(_ x: Double) -> Double {
    1 - 2 / (1 + Elementary.exp(2 * min(max(x, -20), 20)))
  }

  /// The typical difference: the median of the means of all pairs of differences.
  ///
  /// J. Hodges and E. Lehmann, "Estimates of location based on rank tests", Annals of Mathematical Statistics 34 (1963).
  package var center: Double {
    let means = differences.indices.flatMap { one in
      differences[...one].map { (differences[one] + $0) / 2 }
    }
    return means.isEmpty ? 0 : RealQuantile.type7(means, 0.5)
  }

  /// The fewest pairs that can rule anything out at an error: the first two bet less, as no spread is known.
  package static func fewest(error: Double) -> Int {
    let needed = -Elementary.log(error)
    return (2...1000).first { count in
      needed
        <= logTotal { stake in
          2 * Elementary.log(1 + stake * tanh(steepness))
            + Double(count - 2) * Elementary.log(1 + stake)
        }
    } ?? 1000
  }

  /// How many pairs would probably find a difference of a size, and how many would decide about the one seen, if the
  /// next are like those so far: show it if it is as large, or else rule that size out. `nil` above 200.
  /// - Parameters:
  ///   - error: The probability of a false finding.
  ///   - doubt: The probability of ruling out falsely.
  package func sizes(
    toFind size: Double, error: Double, doubt: Double
  ) -> (toFind: Int?, toDecide: Int?) {
    let (center, needed) = (center, -Elementary.log(error))
    let find = pairs(winning: needed, by: log(above: center - size))
    guard center < size else { return (find, pairs(winning: needed, by: log(above: 0))) }
    let ruleOut = pairs(winning: -Elementary.log(doubt), by: log(below: size))
    return (find, ruleOut.map { max($0, fewestToRuleOut(doubt)) })
  }

  /// How many pairs win an amount, if so many have won another one.
  private func pairs(winning needed: Double, by won: Double) -> Int? {
    guard won > 0 else { return nil }
    let count = (needed / won * Double(differences.count)).rounded(.up)
    return count <= 200 ? Int(count) : nil
  }

  /// The greatest typical difference that is not ruled out at an error, over all looks; `nil` if none is ruled out.
  /// Where most differences are the same, the greatest one that was seen is not ruled out.
  package func upperBound(error: Double) -> Double? {
    let bound = limit(from: differences.max(), step: 1, error) { log(below: $0) }
    return bound.map { isTied ? max($0, differences.max() ?? $0) : $0 }
  }

  /// The least typical difference that is not ruled out at an error, over all looks; `nil` if none is ruled out.
  package func lowerBound(error: Double) -> Double? {
    let bound = limit(from: differences.min(), step: -1, error) { log(above: $0) }
    return bound.map { isTied ? min($0, differences.min() ?? $0) : $0 }
  }

  /// The limit at which the evidence reaches what the error asks for, found by bisection between the median and one
  /// so far out that it is certain, if there are enough pairs.
  private func limit(
    from end: Double?, step: Double, _ error: Double, _ evidence: (Double) -> Double
  ) -> Double? {
    guard let end else { return nil }
    let needed = -Elementary.log(error)
    let reach = max(Spread.of(differences), 1e-9) * 100
    var inner = RealQuantile.type7(differences, 0.5)
    var outer = end + step * reach
    guard evidence(outer) >= needed else { return nil }
    guard evidence(inner) < needed else { return inner }
    for _ in 0..<60 {
      let middle = (inner + outer) / 2
      if evidence(middle) >= needed { outer = middle } else { inner = middle }
    }
    return outer
  }
}

/// The spread of values from the distances of all pairs of them.
private struct PairwiseSpread {
  private var values: [Double] = []
  private var distances: [Double] = []

  /// Where the median distance of two normal values is, in standard deviations, inverted: 1 / (√2 · 0.6745).
  private static let normal = 1.048

  mutating func add(_ value: Double) {
    for other in values {
      let distance = abs(value - other)
      distances.insert(distance, at: distances.partitioningIndex { $0 >= distance })
    }
    values.append(value)
  }

  /// The standard deviation if values are normal; `nil` for fewer than two.
  var scale: Double? {
    guard !distances.isEmpty else { return nil }
    let middle = distances.count / 2
    let median =
      distances.count.isMultiple(of: 2)
      ? (distances[middle - 1] + distances[middle]) / 2 : distances[middle]
    return Self.normal * median
  }
}

/// How far values lie apart.
private enum Spread {
  static func of(_ values: [Double]) -> Double {
    guard let least = values.min(), let most = values.max() else { return 0 }
    return most - least
  }
}

/// The evidence in pairs of values that the second value of a pair tends to be greater, valid however often it is
/// checked.
///
/// If both values of a pair come from the same distribution, and chance decides which side went first, the sign of
/// their difference is a fair coin toss, whatever the noise: it may have outliers, drift, or depend on earlier values.
/// A player who bets on each sign, with stakes that depend only on earlier pairs, then does not win on average. The
/// probability that the player ever multiplies the capital by 1/α is at most α (Ville's inequality).
///
/// J. Ville, "Étude critique de la notion de collectif", 1939; V. H. de la Peña, "A general class of exponential
/// inequalities for martingales and ratios", Annals of Probability 27 (1999); A. Ramdas, J. Ruf, M. Larsson and W.
/// Koolen, "Admissible anytime-valid sequential inference must rely on nonnegative martingales", arXiv:2009.03167.
package struct PairedEvidence: Sendable {
  /// The differences, the second value minus the first.
  package let differences: [Double]
  /// For each difference, the spread of the differences before it; `nil` if there are too few.
  private let scales: [Double?]
  /// Whether at least half of the distances between differences are zero, for example if a program misses no refresh in
  /// most runs. The typical difference is then known immediately, and says little about what happens in the other runs.
  package let isTied: Bool

  /// The capital is divided among players with different maximum stakes, as shares of their capital. High stakes find a
  /// change as large as the noise soonest, but too high a stake loses on a small change. Six pairs decide at 2.5 % only
  /// if the first player has at least 0.862 of the capital.
  private static let players: [(capital: Double, stake: Double)] = [
    (0.87, 0.95), (0.09, 0.5), (0.04, 0.15),
  ]
  /// How soon a difference reaches the stake. Among the values from 0.8 to 2, this one needs the fewest pairs for
  /// differences of one to five standard deviations, in simulations of normal, heavy-tailed and skewed noise and of one
  /// outlier in ten.
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

  /// Whether there are enough pairs for bounds to rule anything out: twice as many are needed if most differences are
  /// equal.
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
  /// - Parameter log: The logarithm of the final capital of a player who starts with one, for a stake.
  private static func logTotal(_ log: (Double) -> Double) -> Double {
    let logs = players.map { Elementary.log($0.capital) + log($0.stake) }
    let most = logs.max() ?? 0
    return most + Elementary.log(logs.reduce(0) { $0 + Elementary.exp($1 - most) })
  }

  /// The share of the stake that a difference wins, from −1 to 1.
  private static func bet(_ excess: Double, _ scale: Double?) -> Double {
    if excess == 0 { return 0 }
    guard let scale else { return excess > 0 ? tanh(steepness) : -tanh(steepness) }
    // If all earlier differences were equal, only the sign remains.
    guard scale > 0 else { return excess > 0 ? 1 : -1 }
    return tanh(steepness * excess / scale)
  }

  private static func tanh(_ x: Double) -> Double {
    1 - 2 / (1 + Elementary.exp(2 * min(max(x, -20), 20)))
  }

  /// The typical difference: the median of the means of all pairs of differences.
  ///
  /// J. Hodges and E. Lehmann, "Estimates of location based on rank tests", Annals of Mathematical Statistics 34
  /// (1963).
  package var center: Double {
    let means = differences.indices.flatMap { one in
      differences[...one].map { (differences[one] + $0) / 2 }
    }
    return means.isEmpty ? 0 : RealQuantile.type7(means, 0.5)
  }

  /// The minimum number of pairs that can rule anything out at an error: the first two pairs bet less, because no
  /// spread is known yet.
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

  /// The number of pairs that would probably find a difference of a size, and the number that would decide about the
  /// observed difference, if later pairs are like the pairs so far: to show the difference if it is that large, or else
  /// to rule that size out. `nil` above 200.
  /// - Parameters:
  ///   - error: The probability of a false finding.
  ///   - doubt: The probability of falsely ruling out a difference.
  package func sizes(
    toFind size: Double, error: Double, doubt: Double
  ) -> (toFind: Int?, toDecide: Int?) {
    let (center, needed) = (center, -Elementary.log(error))
    let find = pairs(winning: needed, by: log(above: center - size))
    guard center < size else { return (find, pairs(winning: needed, by: log(above: 0))) }
    let ruleOut = pairs(winning: -Elementary.log(doubt), by: log(below: size))
    return (find, ruleOut.map { max($0, fewestToRuleOut(doubt)) })
  }

  /// The number of pairs needed to win an amount, if the pairs so far have won another amount.
  private func pairs(winning needed: Double, by won: Double) -> Int? {
    guard won > 0 else { return nil }
    let count = (needed / won * Double(differences.count)).rounded(.up)
    return count <= 200 ? Int(count) : nil
  }

  /// The greatest typical difference that is not ruled out at an error, over all checks; `nil` if none is ruled out. If
  /// most differences are equal, the greatest observed difference is not ruled out.
  package func upperBound(error: Double) -> Double? {
    let bound = limit(from: differences.max(), step: 1, error) { log(below: $0) }
    return bound.map { isTied ? max($0, differences.max() ?? $0) : $0 }
  }

  /// The least typical difference that is not ruled out at an error, over all checks; `nil` if none is ruled out.
  package func lowerBound(error: Double) -> Double? {
    let bound = limit(from: differences.min(), step: -1, error) { log(above: $0) }
    return bound.map { isTied ? min($0, differences.min() ?? $0) : $0 }
  }

  /// The limit at which the evidence reaches what the error requires, found by bisection. The search lies between the
  /// median and a limit so far out that the evidence is certain, if there are enough pairs.
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

/// The spread of values, from the distances of all pairs of values.
private struct PairwiseSpread {
  private var values: [Double] = []
  private var distances: [Double] = []

  /// The inverse of the median distance between two normal values in standard deviations: 1 / (√2 · 0.6745).
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

/// How far apart values are.
private enum Spread {
  static func of(_ values: [Double]) -> Double {
    guard let least = values.min(), let most = values.max() else { return 0 }
    return most - least
  }
}

/// Adjusts the probabilities of several simultaneous tests for their number.
package enum MultipleTests {
  /// Adjusts probabilities so that the chance of any false finding stays within the level.
  ///
  /// S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
  /// of Statistics 6 (1979).
  package static func holm(_ probabilities: [Double]) -> [Double] {
    let order = ranked(probabilities)
    var adjusted = probabilities
    var largest = 0.0
    for (rank, place) in order.enumerated() {
      largest = max(largest, probabilities[place] * Double(order.count - rank))
      adjusted[place] = min(largest, 1)
    }
    return adjusted
  }

  /// Adjusts probabilities so that the chance of any false finding stays within the level, by the
  /// closed test of all groups of hypotheses. It uses the weighted harmonic mean of their
  /// probabilities and loses less power than Holm's method where several figures reflect the same
  /// change.
  ///
  /// D. J. Wilson, "The harmonic mean p-value for combining dependent tests", PNAS 116 (2019); R.
  /// Marcus, E. Peritz and K. R. Gabriel, "On closed testing procedures", Biometrika 63 (1976).
  /// Among all groups with a hypothesis, the one with the weakest evidence against it has the
  /// largest of the other probabilities, so only as many groups are examined as there are
  /// hypotheses.
  /// - Parameter weights: How much each probability counts, above 0.
  /// - Complexity: O(n²).
  package static func closedHarmonic(_ probabilities: [Double], weights: [Double]) -> [Double] {
    let bounded = probabilities.map { max($0, 1e-300) }
    let order = ranked(bounded).reversed()
    return bounded.indices.map { own in
      var sum = weights[own] / bounded[own]
      var weight = weights[own]
      var least = sum / weight
      for other in order where other != own {
        sum += weights[other] / bounded[other]
        weight += weights[other]
        least = min(least, sum / weight)
      }
      return min(1, 1 / least)
    }
  }

  /// Adjusts probabilities so that, on average, at most that share of the findings at a level is
  /// false.
  ///
  /// Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical Society B
  /// 57 (1995).
  package static func benjaminiHochberg(_ probabilities: [Double]) -> [Double] {
    var adjusted = probabilities
    var smallest = 1.0
    for (rank, place) in ranked(probabilities).enumerated().reversed() {
      smallest = min(
        smallest, probabilities[place] * Double(probabilities.count) / Double(rank + 1))
      adjusted[place] = smallest
    }
    return adjusted
  }

  private static func ranked(_ probabilities: [Double]) -> [Int] {
    probabilities.indices.sorted { (probabilities[$0], $0) < (probabilities[$1], $1) }
  }
}

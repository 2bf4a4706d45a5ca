/// A rank test of two sides with values of several kinds: only values of the same kind are compared.
///
/// With one kind, this is the test of Mann and Whitney with the shift of Hodges and Lehmann, exact up to `mostExact` pairs.
/// With several, the statistics of the kinds are added with weights that lose the least power (P. van Elteren, "On the
/// combination of independent two sample tests of Wilcoxon", Bulletin of the International Statistical Institute 37, 1960).
/// Their probabilities are those of the normal distribution, corrected for ties and continuity.
package struct StratifiedRanks: Hashable, Sendable {
  /// The shift at which neither side is ahead: the weighted median of the differences within kinds.
  package let shift: Double
  /// The bounds of the shift, each with one-sided 95 % confidence.
  package let low, high: Double
  /// If there is no shift, the probability of ranks that are at least as uneven in either direction.
  package let pRise, pFall: Double

  /// The most differences that are compared.
  package static let mostPairs = 1 << 16
  /// The most differences for which probabilities are exact; those of more are as good by the normal distribution.
  static let mostExact = 400

  /// - Returns: `nil` if no kind has values of both sides, or there are more than `mostPairs` pairs.
  package init?(_ kinds: [(before: [Double], after: [Double])]) {
    let common = kinds.filter { !$0.before.isEmpty && !$0.after.isEmpty }
    let pairs = common.reduce(0) { $0 + $1.before.count * $1.after.count }
    guard let first = common.first, pairs <= Self.mostPairs else { return nil }
    guard common.count > 1 || pairs > Self.mostExact else {
      let found = HodgesLehmann(first.before, first.after, confidence: 0.9)
      (shift, low, high) = (found.shift, found.low, found.high)
      pRise = MannWhitney(first.before, first.after).pSecondGreater
      pFall = MannWhitney(first.after, first.before).pSecondGreater
      return
    }
    let weights = common.map { 1 / Double($0.before.count + $0.after.count + 1) }
    var differences: [(value: Double, weight: Double)] = []
    differences.reserveCapacity(pairs)
    var variance = 0.0
    for (kind, weight) in zip(common, weights) {
      for one in kind.before {
        for other in kind.after { differences.append((other - one, weight)) }
      }
      variance +=
        weight * weight
        * MannWhitney.variance(
          kind.before.count, kind.after.count, MidRanks(kind.before + kind.after))
    }
    differences.sort { $0.value < $1.value }
    let all = differences.reduce(0) { $0 + $1.weight }
    let step = (weights.min() ?? 0) / 2
    let ahead = differences.reduce(0) { sum, item in
      sum + (item.value > 0 ? item.weight : item.value == 0 ? item.weight / 2 : 0)
    }
    let spread = variance.squareRoot()
    let p = { (rest: Double) in
      spread > 0 ? StandardNormal.above((rest - all / 2 - step) / spread) : 1
    }
    (pRise, pFall) = (p(ahead), p(all - ahead))
    let excluded = all / 2 - StandardNormal.quantile(0.95) * spread - step
    let find = { (share: Double, items: [(value: Double, weight: Double)]) -> Double in
      var sum = 0.0
      return items.first { item in
        sum += item.weight
        return sum > share
      }?.value ?? 0
    }
    let falling = Array(differences.reversed())
    low = find(excluded, differences)
    high = find(excluded, falling)
    shift = (find(all / 2, differences) + find(all / 2, falling)) / 2
  }
}

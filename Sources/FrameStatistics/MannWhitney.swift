/// A rank test of whether values of one group tend to be greater than those of another.
///
/// H. Mann and D. Whitney, "On a test of whether one of two random variables is stochastically
/// larger than the other", Annals of Mathematical Statistics 18 (1947). The test is exact where
/// feasible: without ties by the recurrence, with ties by enumerating all assignments of ranks, up
/// to a million. Otherwise it uses the normal distribution, corrected for ties and continuity.
package struct MannWhitney: Hashable, Sendable {
  /// How often a value of the first group is greater than a value of the second; ties count half.
  package let u: Double
  /// The probability of equally or more uneven ranks if the groups have the same distribution.
  package let pTwoSided: Double
  /// The one-sided probability for the second group being greater.
  package let pSecondGreater: Double
  package let isExact: Bool

  /// The maximum number of pairs of values for which the recurrence is computed; for more pairs, the normal
  /// distribution is as good.
  static let mostPairs = 900
  /// The largest number of rank assignments that is enumerated.
  static let mostWays = 1_000_000

  /// - Precondition: Both groups have values.
  package init(_ first: [Double], _ second: [Double]) {
    let ranks = MidRanks(first + second)
    let sum = ranks.doubled[..<first.count].reduce(0, +)
    let (m, n) = (first.count, second.count)
    u = Double(sum - m * (m + 1)) / 2
    if !ranks.hasTies, m * n <= Self.mostPairs {
      let counts = Self.distribution(m, n)
      let all = counts.reduce(0, +)
      let position = Int(u)
      let below = counts[...position].reduce(0, +) / all
      let above = counts[position...].reduce(0, +) / all
      (pSecondGreater, pTwoSided) = (below, min(1, 2 * min(below, above)))
      isExact = true
    } else if let ways = Self.ways(m + n, m), ways <= Self.mostWays {
      let exact = Self.permuted(ranks.doubled, count: m, observed: sum)
      (pSecondGreater, pTwoSided) = exact
      isExact = true
    } else {
      (pSecondGreater, pTwoSided) = Self.asymptotic(u: u, m, n, ranks)
      isExact = false
    }
  }

  /// The probabilities according to the normal distribution.
  static func asymptotic(
    u: Double, _ m: Int, _ n: Int, _ ranks: MidRanks
  ) -> (greater: Double, twoSided: Double) {
    let (m, n) = (Double(m), Double(n))
    let all = m + n
    let variance = m * n / 12 * (all + 1 - ranks.ties / (all * (all - 1)))
    guard variance > 0 else { return (1, 1) }
    let center = m * n / 2
    let z = max(abs(u - center) - 0.5, 0) / variance.squareRoot()
    let greater = (center - u - 0.5) / variance.squareRoot()
    return (StandardNormal.above(greater), min(1, 2 * StandardNormal.above(z)))
  }

  /// The number of ways in which each U occurs when there are no ties.
  static func distribution(_ m: Int, _ n: Int) -> [Double] {
    // counts[j][u], with the first group growing by one in each step.
    var counts = [[Double]](
      repeating: [1] + [Double](repeating: 0, count: m * n), count: n + 1)
    for i in 1...m {
      var next = counts
      for j in 1...n {
        for u in 0...i * j {
          next[j][u] = (u >= j ? counts[j][u - j] : 0) + (u <= i * (j - 1) ? next[j - 1][u] : 0)
        }
      }
      next[0] = [1] + [Double](repeating: 0, count: m * n)
      counts = next
    }
    return counts[n]
  }

  /// The number of ways to choose `count` of `all`; `nil` if it exceeds the maximum.
  private static func ways(_ all: Int, _ count: Int) -> Int? {
    var ways = 1
    for index in 0..<min(count, all - count) {
      let (product, overflow) = ways.multipliedReportingOverflow(by: all - index)
      if overflow { return nil }
      ways = product / (index + 1)
      if ways > mostWays { return nil }
    }
    return ways
  }

  /// The share of all choices of ranks with a sum that is at most as large, and the share with a sum that is as far
  /// from the middle.
  private static func permuted(
    _ doubled: [Int], count: Int, observed: Int
  ) -> (greater: Double, twoSided: Double) {
    // The number of choices of that many ranks for each sum.
    let most = doubled.reduce(0, +)
    var sums = [[Double]](repeating: [Double](repeating: 0, count: most + 1), count: count + 1)
    sums[0][0] = 1
    for rank in doubled {
      for chosen in stride(from: count, to: 0, by: -1) {
        for sum in stride(from: most, through: rank, by: -1) {
          sums[chosen][sum] += sums[chosen - 1][sum - rank]
        }
      }
    }
    let all = sums[count].reduce(0, +)
    let below = sums[count][...observed].reduce(0, +) / all
    let above = sums[count][observed...].reduce(0, +) / all
    return (below, min(1, 2 * min(below, above)))
  }
}

/// The ranks of the values; ties share their mean rank.
struct MidRanks {
  /// Twice the rank of each value, so that it is a whole number.
  let doubled: [Int]
  /// The sum of t³ − t over the groups of t equal values.
  let ties: Double
  var hasTies: Bool { ties > 0 }

  init(_ values: [Double]) {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var doubled = [Int](repeating: 0, count: values.count)
    var ties = 0.0
    var start = 0
    while start < order.count {
      var end = start
      while end + 1 < order.count, values[order[end + 1]] == values[order[start]] { end += 1 }
      for position in start...end { doubled[order[position]] = start + end + 2 }
      let count = Double(end - start + 1)
      ties += count * count * count - count
      start = end + 1
    }
    self.doubled = doubled
    self.ties = ties
  }
}

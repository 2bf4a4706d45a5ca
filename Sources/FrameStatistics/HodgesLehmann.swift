/// The shift between two groups of values: the median of all differences, with a confidence
/// interval that assumes no particular distribution.
///
/// J. Hodges and E. Lehmann, "Estimates of location based on rank tests", Annals of
/// Mathematical Statistics 34 (1963).
package struct HodgesLehmann: Hashable, Sendable {
  package let shift: Double
  package let low, high: Double
  /// The confidence of the interval: at least the requested confidence, if that is possible.
  package let coverage: Double

  /// - Precondition: Both groups have values.
  package init(_ first: [Double], _ second: [Double], confidence: Double = 0.95) {
    let differences = Differences(first, second)
    let count = differences.count
    shift = (differences[(count - 1) / 2] + differences[count / 2]) / 2
    let rank = Self.rank(first.count, second.count, confidence)
    low = differences[rank.order - 1]
    high = differences[count - rank.order]
    coverage = rank.coverage
  }

  /// The rank, from either end, of the differences that bound the interval.
  private static func rank(
    _ m: Int, _ n: Int, _ confidence: Double
  ) -> (order: Int, coverage: Double) {
    let below = MannWhitney.Cumulative(m, n)
    let limit = (1 - confidence) / 2
    // The k-th difference from either end excludes probabilities below U = k − 1.
    let used = max(1, (0..<(m * n + 1)).partitioningIndex { below[$0] > limit })
    return (used, 1 - 2 * below[used - 1])
  }
}

/// The differences of all pairs of two groups, by their rank.
private struct Differences {
  let count: Int
  private let first, second: [Double]
  /// All differences, unless there are too many.
  private let sorted: [Double]?

  /// The largest number of differences that is stored.
  private static let most = 1 << 20

  init(_ first: [Double], _ second: [Double]) {
    count = first.count * second.count
    (self.first, self.second) = (first.sorted(), second.sorted())
    guard count <= Self.most else {
      sorted = nil
      return
    }
    var all: [Double] = []
    all.reserveCapacity(count)
    for one in first {
      for other in second { all.append(other - one) }
    }
    sorted = all.sorted()
  }

  /// The difference at a rank, counted from 0.
  subscript(rank: Int) -> Double {
    if let sorted { return sorted[rank] }
    // Bisecting the range of all doubles converges to the difference itself.
    var low = Self.ordered(second[0] - first[first.count - 1])
    var high = Self.ordered(second[second.count - 1] - first[0])
    while low < high {
      let middle = low + (high - low) / 2
      if countUpTo(Self.double(middle)) > rank { high = middle } else { low = middle + 1 }
    }
    return Self.double(low)
  }

  /// How many differences are at most a value, in time linear in the groups.
  private func countUpTo(_ value: Double) -> Int {
    var count = 0
    var position = 0
    for one in first {
      while position < second.count, second[position] - one <= value { position += 1 }
      count += position
    }
    return count
  }

  /// An integer that sorts in the order of doubles.
  private static func ordered(_ value: Double) -> Int64 {
    let bits = Int64(bitPattern: value.bitPattern)
    return bits >= 0 ? bits : Int64.min &- bits
  }

  private static func double(_ ordered: Int64) -> Double {
    let bits = ordered >= 0 ? ordered : Int64.min &- ordered
    return Double(bitPattern: UInt64(bitPattern: bits))
  }
}

extension MannWhitney {
  /// The probability of each U or less, without ties: exact for small groups, or else normal.
  struct Cumulative {
    /// The exact probabilities, for small groups.
    private let exact: [Double]?
    private let center, spread: Double

    init(_ m: Int, _ n: Int) {
      let (first, second) = (Double(m), Double(n))
      center = first * second / 2
      spread = (first * second * (first + second + 1) / 12).squareRoot()
      guard m * n <= MannWhitney.mostPairs else {
        exact = nil
        return
      }
      let counts = MannWhitney.distribution(m, n)
      let all = counts.reduce(0, +)
      var sum = 0.0
      exact = counts.map { count in
        sum += count
        return sum / all
      }
    }

    subscript(u: Int) -> Double {
      exact?[u] ?? StandardNormal.above((center - Double(u) - 0.5) / spread)
    }
  }
}

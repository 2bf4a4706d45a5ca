/// By how much a group of values is shifted against another: the median of all differences,
/// with an interval that needs no form of distribution.
///
/// J. Hodges and E. Lehmann, "Estimates of location based on rank tests", Annals of
/// Mathematical Statistics 34 (1963).
public struct HodgesLehmann: Hashable, Sendable {
  public let shift: Double
  public let low, high: Double
  /// The confidence that the interval has, at least the one asked for where it can be had.
  public let coverage: Double

  /// - Precondition: Both groups have values.
  public init(_ first: [Double], _ second: [Double], confidence: Double = 0.95) {
    var differences: [Double] = []
    differences.reserveCapacity(first.count * second.count)
    for one in first {
      for other in second { differences.append(other - one) }
    }
    differences.sort()
    let count = differences.count
    shift = (differences[(count - 1) / 2] + differences[count / 2]) / 2
    let rank = Self.rank(first.count, second.count, confidence)
    low = differences[rank.order - 1]
    high = differences[count - rank.order]
    coverage = rank.coverage
  }

  /// Which of the differences from either end bound the interval.
  private static func rank(
    _ m: Int, _ n: Int, _ confidence: Double
  ) -> (order: Int, coverage: Double) {
    let below = MannWhitney.cumulative(m, n)
    let limit = (1 - confidence) / 2
    let order = below.lastIndex { $0 <= limit }.map { $0 + 1 } ?? 0
    // The k-th difference from either end leaves out what is below U = k − 1.
    let used = max(1, order)
    return (used, 1 - 2 * below[used - 1])
  }
}

extension MannWhitney {
  /// The probability of each U or less, without ties: exact for small groups, else normal.
  static func cumulative(_ m: Int, _ n: Int) -> [Double] {
    guard m * n <= 10_000 else {
      let (center, spread) = (Double(m * n) / 2, (Double(m * n * (m + n + 1)) / 12).squareRoot())
      return (0...m * n).map { StandardNormal.above((center - Double($0) - 0.5) / spread) }
    }
    let counts = distribution(m, n)
    let all = counts.reduce(0, +)
    var sum = 0.0
    return counts.map { count in
      sum += count
      return sum / all
    }
  }
}

/// A run that stutters more in its first 30 s than later, a sign of shaders and caches that are not ready yet.
public struct StutterRunIn: Hashable, Sendable {
  /// The number of stutters that start in the first 30 s, and the number of later stutters.
  public let early, later: Int
  /// The length of the part after the first 30 s, in nanoseconds.
  public let laterTime: Int64
  /// The probability of that many early stutters if the rate is even.
  public let probability: Double

  /// The length of the part that is compared with the rest, and the distance from which stutters count separately, in
  /// nanoseconds.
  private static let (first, apart) = (Int64(30_000_000_000), Int64(5_000_000_000))
  /// The minimum number of stutters and of early ones, and the maximum probability that counts.
  private static let (fewest, fewestEarly, level) = (6, 3, 0.01)

  /// - Returns: `nil` if the rate may be even, and for less than 90 s or fewer than six stutters.
  init?(_ stutters: [Stutter], from start: Int64, to end: Int64) {
    guard end - start >= 3 * Self.first, stutters.count >= Self.fewest else { return nil }
    let times = stutters.map { $0.start - start }
    // Stutters in quick succession have one cause, and count once.
    let pairs = zip([-Self.apart] + times, times)
    let onsets = pairs.filter { $1 - $0 >= Self.apart }.map(\.1)
    probability = Self.probability(onsets, span: end - start)
    early = times.count { $0 < Self.first }
    later = times.count - early
    laterTime = end - start - Self.first
    guard probability <= Self.level, early >= Self.fewestEarly else { return nil }
  }

  private static func probability(_ onsets: [Int64], span: Int64) -> Double {
    let early = onsets.count { $0 < first }
    let share = Double(first) / Double(span)
    let unevenness = unevenness(onsets, span: span)
    guard unevenness > 1 else { return binomial(from: early, of: onsets.count, share) }
    let all = Double(onsets.count)
    let deviation = (all * share * (1 - share) * unevenness).squareRoot()
    return StandardNormal.above((Double(early) - all * share - 0.5) / deviation)
  }

  /// The ratio of variance to mean of the counts in later parts of 30 s: how uneven the rate is anyway.
  private static func unevenness(_ onsets: [Int64], span: Int64) -> Double {
    var counts = [Double](repeating: 0, count: Int(span / first) - 1)
    for onset in onsets where onset >= first {
      let part = Int(onset / first) - 1
      if part < counts.count { counts[part] += 1 }
    }
    let mean = counts.reduce(0, +) / Double(counts.count)
    guard counts.count > 2, mean > 0 else { return 1 }
    let squares = counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return squares / Double(counts.count - 1) / mean
  }

  /// The probability that at least `least` of `count` events happen, each of which has the probability `share`.
  private static func binomial(from least: Int, of count: Int, _ share: Double) -> Double {
    var logarithm = Double(count) * Elementary.log(1 - share)
    var sum = least == 0 ? Elementary.exp(logarithm) : 0
    for number in stride(from: 1, through: count, by: 1) {
      let ways = Double(count - number + 1) / Double(number)
      logarithm += Elementary.log(ways * share / (1 - share))
      if number >= least { sum += Elementary.exp(logarithm) }
    }
    return min(1, sum)
  }
}

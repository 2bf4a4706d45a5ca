/// A test of whether a series differs on one side of stutters.
///
/// Each stutter has a rank: how many control windows of its flank are below its window minus how many are above. The
/// mean rank is compared with that of random earlier moments, up to 20 s or 60 windows before a stutter. Later moments
/// are not used, because they may show the effect of the stutter. A trend gives every moment the same rank, so it is
/// not a difference.
///
/// Neighboring stutters form ten groups. A group moves as one, which preserves its autocorrelation. If all groups vary
/// together, as in a periodic series, a mean counts less.
///
/// M. Maclure, "The case-crossover design", American Journal of Epidemiology 133 (1991), compares
/// events with earlier moments of the same subject.
struct MomentTest {
  /// The number of random means.
  private static let draws = 3999
  private static let groups = 10
  /// A factor of all means, because few moments show the noise. Without it, more than 5 % of
  /// recordings with rare spikes had false findings.
  private static let margin = 0.95
  /// The minimum number of stutters for a test.
  static let fewest = 4
  /// The largest number of stutters that are used. If there are more, the stutters used are evenly spread.
  static let most = 200

  /// The tested side of the stutters.
  let side: MomentDifference.Side
  private let moments: QuietMoments
  private let events: [Range<Int64>]
  /// The rank of each event at each step back; `nil` if it cannot be compared there.
  private let ranks: [[Int?]]
  /// The probability of at least this difference, in either direction, if nothing differs.
  let probability: Double
  /// The mean rank of the stutters minus the mean rank of other moments, divided by the largest rank.
  let effect: Double

  /// `nil` if too few stutters can be compared.
  /// - Complexity: O(s log n) in the number of used stutters and the number of rows.
  init?(
    _ side: MomentDifference.Side, _ series: WindowedSeries, _ moments: QuietMoments,
    _ events: [Range<Int64>]
  ) {
    guard let first = series.times.first, let last = series.times.last else { return nil }
    let usable = events.filter { moments.contains(side, $0, shift: 0, in: first...last) }
    guard usable.count >= Self.fewest else { return nil }
    let count = min(usable.count, Self.most)
    self.side = side
    self.moments = moments
    self.events = (0..<count).map { usable[$0 * usable.count / count] }
    ranks = self.events.map { Self.ranks(side, series, moments, $0, in: first...last) }
    let pools = Self.pools(ranks)
    probability = Self.probability(pools)
    effect = Self.mean(pools.map { $0[0] ?? 0 }) / Double(moments.controls - 1)
  }

  /// The difference in the unit of the series.
  func difference(_ series: WindowedSeries, adjusted: Double) -> MomentDifference {
    let sign = effect < 0 ? -1 : 1
    let limit = 9 * (moments.controls - 1)
    let near = events.map {
      series.mean(moments.length(side, $0), endingAt: moments.end(side, $0, shift: 0))
    }
    let usual = events.flatMap { event in
      (2...moments.controls).map {
        series.mean(moments.length(side, event), endingAt: moments.end(.before, event, shift: $0))
      }
    }
    return MomentDifference(
      side: side, probability: probability, adjusted: adjusted, count: events.count,
      distinct: ranks.count { ($0[0] ?? 0) * sign * 10 >= limit }, isHigher: sign > 0,
      near: near.sorted().medianOfSorted ?? 0, usual: usual.sorted().medianOfSorted ?? 0)
  }

  private static func ranks(
    _ side: MomentDifference.Side, _ series: WindowedSeries, _ moments: QuietMoments,
    _ event: Range<Int64>, in span: ClosedRange<Int64>
  ) -> [Int?] {
    let shifts = (0...moments.shifts).prefix {
      event.lowerBound - Int64($0 + moments.controls) * moments.step - moments.window
        >= span.lowerBound
    }
    let length = moments.length(side, event)
    func scores(_ side: MomentDifference.Side, _ count: Int) -> [Double] {
      (0..<count).map { series.score(length, endingAt: moments.end(side, event, shift: $0)) }
    }
    let controls = scores(.before, shifts.count + moments.controls)
    let own = side == .before ? controls : scores(side, shifts.count)
    return shifts.map { shift in
      guard moments.contains(side, event, shift: shift, in: span) else { return nil }
      return controls[(shift + 2)...(shift + moments.controls)].reduce(0) {
        $0 + ($1 < own[shift] ? 1 : $1 > own[shift] ? -1 : 0)
      }
    }
  }

  /// The mean rank of each group at each step back, minus the mean of all groups and steps. The
  /// first step is the real moment. The mean is `nil` if less than half of the group can be
  /// compared there.
  private static func pools(_ ranks: [[Int?]]) -> [[Double?]] {
    let count = min(groups, ranks.count)
    let pools = (0..<count).map { group -> [Double?] in
      let members = ranks[(group * ranks.count / count)..<((group + 1) * ranks.count / count)]
      return (0..<members.reduce(0) { max($0, $1.count) }).map { shift in
        let known = members.compactMap { shift < $0.count ? $0[shift] : nil }
        guard 2 * known.count >= members.count else { return nil }
        return Double(known.reduce(0, +)) / Double(known.count)
      }
    }
    let usual = mean(pools.map { mean($0.compactMap { $0 }) })
    return pools.map { $0.map { $0.map { $0 - usual } } }
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }

  /// The factor by which a mean is less surprising because groups vary together, as in a periodic series: the standard
  /// deviation of independent shifts divided by that of common shifts, but at most the margin.
  private static func independence(_ pools: [[Double?]]) -> Double {
    var (common, separate) = (0.0, 0.0)
    // After a single step, a window still overlaps the window at the stutter.
    for shift in 2..<max(2, pools.reduce(0) { max($0, $1.count) }) {
      let known = pools.compactMap { shift < $0.count ? $0[shift] : nil }
      if known.isEmpty { continue }
      let sum = known.reduce(0, +)
      common += sum * sum / Double(known.count)
      separate += known.reduce(0) { $0 + $1 * $1 } / Double(known.count)
    }
    return margin * (separate < common ? (separate / common).squareRoot() : 1)
  }

  /// Twice the probability of a mean that is at least as far out in the same direction. A group moves to a moment of
  /// any group: a slowly changing series is further out at the last moment of a period than at the other moments.
  private static func probability(_ pools: [[Double?]]) -> Double {
    let known = pools.map { $0.compactMap { $0 } }
    let real = known.reduce(0) { $0 + $1[0] } * independence(pools)
    var random = SplitMix64(seed: 1)
    var (below, above) = (1, 1)
    for _ in 0..<draws {
      let sum = known.reduce(0) { sum, _ in
        let group = known[random.below(known.count)]
        return sum + group[random.below(group.count)]
      }
      // Sums of the same fractions in a different order may differ in their last digits.
      if sum <= real + 1e-6 { below += 1 }
      if sum >= real - 1e-6 { above += 1 }
    }
    return min(1, 2 * Double(min(below, above)) / Double(draws + 1))
  }
}

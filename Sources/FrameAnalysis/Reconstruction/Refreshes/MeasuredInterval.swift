import FrameTrace

/// The refresh interval of a display that is neither recorded nor stated, found from the distances
/// between the display times of a surface's frames.
///
/// Every distance is a multiple of the interval. The distances are evidence of the coarsest interval that nearly all
/// distances keep. A finer interval also explains them, but needs some distances that only it explains. No list of
/// usual rates is used for this.
struct MeasuredInterval {
  let interval: Nanoseconds
  /// Whether frames followed each other at this interval; otherwise it is only a common divisor of the distances.
  let occurs: Bool
  /// How many refreshes of a faster, usual rate one refresh may also represent; `nil` if the rate is a usual one that
  /// is not rare, or if no usual rate is a multiple of it.
  let mayBe: Int64?

  /// On a faster display, some frames follow each other at its interval; a shorter common divisor of the distances is that of
  /// several rates.
  private static let shortestUnseen = Nanoseconds(4_100_000)
  /// No display is faster than this: 545 Hz.
  private static let shortest = Nanoseconds(1_835_000)
  /// A common divisor of the intervals of several rates is not itself a rate and may be shorter.
  private static let shortestUnit = Nanoseconds(500_000)
  /// How many divisors of the most common distance are tried.
  private static let mostParts: Int64 = 8

  /// - Parameters:
  ///   - distances: The distances of the surface with the most distances.
  ///   - unit: The result of ``unit(_:)``.
  ///   - syncInterval: The minimum number of refreshes that nine in ten frames are shown for, as the app requests;
  ///     `nil` if the frames do not agree.
  ///   - mustOccur: Whether to reject an interval at which no two frames follow each other: a
  ///     driver that paces frames by its own clock produces distances with a common divisor.
  init?(
    _ distances: DisplayDistances, unit: Nanoseconds, syncInterval: Int64?, mustOccur: Bool = false
  ) {
    guard unit >= Self.shortest else { return nil }
    var found = unit
    if found > DisplayRates.longest { found = Self.possible(multipleOf: found) }
    if let syncInterval, syncInterval > 1 {
      found = Self.divided(found, distances.values, syncInterval)
    }
    interval = found
    occurs = distances.values.contains { ($0 - found).magnitude * 16 <= found }
    guard occurs || (!mustOccur && found >= Self.shortestUnseen) else { return nil }
    mayBe = found == unit ? DisplayRates.usualMultiple(of: found) : nil
  }

  /// The longest time of which nearly all distances are multiples: the interval of a display at one rate, otherwise a
  /// common divisor of several rates' intervals. `nil` if there is none, or if there are too few distances.
  static func unit(_ distances: DisplayDistances) -> Nanoseconds? {
    guard distances.values.count >= DisplayDistances.fewest, let commonest = distances.commonest
    else { return nil }
    let candidates = (1...mostParts).map { commonest / $0 }.filter { $0 >= shortestUnit }
      .map(distances.refined).map { ($0, distances.share(keeping: $0)) }
    guard var parts = candidates.indices.first(where: { candidates[$0].1 >= 0.9 }) else {
      return nil
    }
    for finer in candidates.indices where finer > parts && (finer + 1) % (parts + 1) == 0 {
      let (interval, share) = candidates[finer]
      let unexplained = distances.values.filter {
        !distances.isMultiple($0, of: candidates[parts].0)
      }
      let explained = unexplained.count { distances.isMultiple($0, of: interval) }
      let isNeeded = unexplained.count >= max(3, (distances.values.count + 99) / 100)
      if isNeeded, explained * 10 >= unexplained.count * 9, share >= candidates[parts].1 {
        parts = finer
      }
    }
    return candidates[parts].0
  }

  /// A possible display interval that divides an interval which no display has.
  private static func possible(multipleOf interval: Nanoseconds) -> Nanoseconds {
    if let count = DisplayRates.usualMultiple(of: interval) { return interval / count }
    let longest = DisplayRates.longest.count
    return interval / ((interval.count + longest - 1) / longest)
  }

  /// The longest divisor of an interval for which nine in ten distances take at least the requested
  /// refreshes.
  private static func divided(
    _ interval: Nanoseconds, _ distances: [Nanoseconds], _ syncInterval: Int64
  ) -> Nanoseconds {
    (1...16).lazy.map { interval / $0 }.first { part in
      let keeping = distances.count { ($0 + part / 2) / part >= syncInterval }
      return part >= shortest && keeping * 10 >= distances.count * 9
    } ?? interval
  }
}

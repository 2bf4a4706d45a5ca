/// Finds the interval of a display from the steps between the times at which it changed.
///
/// Every step is a whole number of intervals. The longest interval that nearly all steps
/// keep is taken; a shorter one that would do as well is only half of it, or a third.
enum RefreshInterval {
  /// Steps within this part of an interval of a whole number of them keep it.
  static let tolerance: Int64 = 8
  /// The steps looked at for one estimate.
  static let most = 512
  /// No display is faster or slower than this.
  private static let possible = Nanoseconds(1_500_000)...Nanoseconds(110_000_000)

  /// The interval that the steps keep; `nil` when they keep none.
  /// - Parameters:
  ///   - steps: Above 0.
  ///   - stated: An interval that is taken if the steps keep it.
  static func estimate(_ steps: [Nanoseconds], stated: Nanoseconds?) -> Nanoseconds? {
    if let stated, possible.contains(stated), share(of: steps, keeping: stated) >= 0.9 {
      return refined(stated, by: steps)
    }
    var second: Nanoseconds?
    for candidate in candidates(steps) {
      let share = share(of: steps, keeping: candidate)
      if share >= 0.96 { return refined(candidate, by: steps) }
      if second == nil, share >= 0.85 { second = candidate }
    }
    return second.map { refined($0, by: steps) }
  }

  /// The share of the steps that are nearly whole numbers of an interval. Steps of many
  /// intervals say nothing, as errors add up.
  static func share(
    of steps: some Collection<Nanoseconds>, keeping interval: Nanoseconds
  ) -> Double {
    var keeping = 0
    var counted = 0
    for step in steps where step <= interval * 17 / 2 {
      counted += 1
      let rest = step % interval
      let error = min(rest, interval - rest)
      if step > interval / 2, error * tolerance <= interval { keeping += 1 }
    }
    return counted == 0 ? 0 : Double(keeping) / Double(counted)
  }

  /// The interval that fits the steps best, near a rough one: least squares.
  static func refined(_ rough: Nanoseconds, by steps: [Nanoseconds]) -> Nanoseconds {
    var products = 0.0
    var squares = 0.0
    for step in steps {
      let intervals = step.ratio(to: rough).rounded()
      let error = abs(step.ratio(to: rough) - intervals)
      guard intervals >= 1, intervals <= 4, error <= 1 / Double(tolerance) else { continue }
      products += Double(step.count) * intervals
      squares += intervals * intervals
    }
    return squares == 0 ? rough : Nanoseconds(rounding: products / squares)
  }

  /// Intervals that could be, longest first: the steps that come often, their differences,
  /// and parts of them.
  private static func candidates(_ steps: [Nanoseconds]) -> [Nanoseconds] {
    let clusters = clusters(steps)
    var candidates: [Nanoseconds] = []
    for cluster in clusters {
      for parts in 1...5 { candidates.append(cluster / Int64(parts)) }
      for other in clusters { candidates.append((cluster - other).magnitude) }
    }
    return candidates.filter(possible.contains).sorted(by: >)
  }

  /// The middles of groups of steps that lie close together, the largest groups.
  private static func clusters(_ steps: [Nanoseconds]) -> [Nanoseconds] {
    let sorted = steps.prefix(most).sorted()
    var groups: [(middle: Nanoseconds, count: Int)] = []
    var start = 0
    for end in 1...max(1, sorted.count) where end <= sorted.count {
      let goesOn = end < sorted.count && sorted[end] - sorted[end - 1] <= sorted[end - 1] / 50
      if goesOn { continue }
      groups.append((sorted[(start + end) / 2], end - start))
      start = end
    }
    let least = max(2, sorted.count / 40)
    let frequent = groups.filter { $0.count >= least }
    return frequent.sorted { ($1.count, $0.middle) < ($0.count, $1.middle) }.prefix(12).map(
      \.middle)
  }
}

/// Parts a trace of display times into stretches of one refresh rate each.
///
/// Of all ways to part it the one is taken in which the fewest steps are off the grid of their
/// stretch, the fewest refreshes are left out, and the rate changes least often. So a border lies
/// at the very frame at which the grid changes.
struct RateStretches {
  /// Steps in a row that keep one rate.
  struct Stretch {
    let interval: Nanoseconds
    /// The steps by the place of the time that each begins at.
    var steps: Range<Int>
  }

  private(set) var stretches: [Stretch] = []

  /// What a step costs that is on no multiple of the interval, and a change of rate.
  private static let offGrid: Int32 = 60
  private static let change: Int32 = 80
  /// How many steps in a row show a rate by themselves.
  private static let window = 8
  /// The most rates that are told apart.
  private static let mostRates = 6

  /// - Parameters:
  ///   - changes: When the display changed, and when the buffers were finished: a display that
  ///     leaves a finished buffer waiting at a refresh did not have that refresh.
  ///   - stated: The interval that the source states, which is one of the rates.
  /// - Returns: `nil` where the times do not lie on the grids that are found.
  init?(_ changes: DisplayChanges, stated: Nanoseconds?) {
    let rates = Self.rates(changes.times, stated)
    guard rates.count > 1 else { return nil }
    stretches = Self.part(changes, rates)
    guard isCoherent(changes.times) else { return nil }
  }

  /// The rates that windows of a few steps keep, the most frequent ones.
  private static func rates(_ times: [Timestamp], _ stated: Nanoseconds?) -> [Nanoseconds] {
    var counts: [Nanoseconds: Int] = [:]
    let known = (stated.map { [$0] } ?? []) + DisplayRates.intervals
    let last = max(0, times.count - 1 - window)
    let starts = Array(stride(from: 0, to: last, by: max(window / 2, last / 4096))) + [last]
    for start in starts {
      let steps = (start..<min(start + window, times.count - 1)).map {
        times[$0 + 1] - times[$0]
      }
      let fitting = known.filter { keep(steps, $0) }
      let found = fitting.first { rate in steps.contains { $0 < rate * 3 / 2 } } ?? fitting.first
      if let found { counts[found, default: 0] += 1 }
    }
    let frequent = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return frequent.prefix(mostRates).map(\.key)
  }

  /// Whether all but one of a few steps keep a rate, and together keep it well.
  private static func keep(_ steps: [Nanoseconds], _ rate: Nanoseconds) -> Bool {
    let kept = steps.filter { RateFit.keeps($0, rate) && $0 <= rate * RateFit.longestStep }
    guard kept.count >= max(4, steps.count - 1) else { return false }
    let length = kept.reduce(.zero, +)
    let count = kept.reduce(0) { $0 + RateFit.multiple($1, rate) }
    return (length - rate * count).magnitude * 64 <= rate * count
  }

  /// Finds the cheapest way through the steps, a rate for each.
  private static func part(_ changes: DisplayChanges, _ rates: [Nanoseconds]) -> [Stretch] {
    var total = [Int32](repeating: 0, count: rates.count)
    // For each step a bit for each rate: whether it is cheaper to have changed to it just now;
    // and the rate that was cheapest before.
    var changed: [UInt8] = []
    var cheapest: [UInt8] = []
    let longest = rates.max() ?? .zero
    changed.reserveCapacity(changes.times.count)
    cheapest.reserveCapacity(changes.times.count)
    for place in 0..<changes.times.count - 1 {
      let best = total.indices.min { total[$0] < total[$1] } ?? 0
      let least = total[best]
      var bits: UInt8 = 0
      for rate in rates.indices {
        if least + change < total[rate] {
          total[rate] = least + change
          bits |= 1 << UInt8(rate)
        }
        total[rate] += cost(place, changes, rates[rate], longest: longest) - least
      }
      changed.append(bits)
      cheapest.append(UInt8(best))
    }
    return backwards(total, changed, cheapest, rates)
  }

  private static func backwards(
    _ total: [Int32], _ changed: [UInt8], _ cheapest: [UInt8], _ rates: [Nanoseconds]
  ) -> [Stretch] {
    var rate = total.indices.min { total[$0] < total[$1] } ?? 0
    var stretches: [Stretch] = []
    var end = changed.count
    for place in changed.indices.reversed() where changed[place] >> UInt8(rate) & 1 == 1 {
      stretches.append(Stretch(interval: rates[rate], steps: place..<end))
      end = place
      rate = Int(cheapest[place])
    }
    stretches.append(Stretch(interval: rates[rate], steps: 0..<end))
    return stretches.reversed()
  }

  /// What a step costs at a rate.
  private static func cost(
    _ place: Int, _ changes: DisplayChanges, _ interval: Nanoseconds, longest: Nanoseconds
  ) -> Int32 {
    let shown = changes.times[place + 1]
    let step = shown - changes.times[place]
    // Over a long step errors add up, and it fits one rate as well as another.
    if step > longest * RateFit.longestStep { return 0 }
    guard RateFit.keeps(step, interval) else { return offGrid }
    if step < interval * 3 / 2 { return 0 }
    guard let ready = changes.ready(place + 1) else { return 3 }
    return ready <= shown - interval - interval / 16 ? 16 : 2
  }

  /// Whether nearly all times lie on the grid of their stretch.
  private func isCoherent(_ times: [Timestamp]) -> Bool {
    var (all, coherent) = (0, 0)
    for index in stride(from: 0, to: stretches.count, by: max(1, stretches.count / 256)) {
      let stretch = stretches[index]
      all += stretch.steps.count
      let own = times[stretch.steps.lowerBound...stretch.steps.upperBound]
      let fit = RateFit(own, near: stretch.interval, within: DisplayRates.tolerance / 4)
      if stretch.steps.count < 4 || fit?.isGrid ?? false { coherent += stretch.steps.count }
    }
    return coherent * 10 >= all * 9
  }
}

extension RateStretches {
  /// Steps all of one rate.
  init(single interval: Nanoseconds, steps: Range<Int>) {
    stretches = [Stretch(interval: interval, steps: steps)]
  }

  /// Whether at a single rate many steps in a row do not keep it, or keep a slower one that
  /// displays have.
  static func hasOtherRates(_ times: [Timestamp], _ interval: Nanoseconds) -> Bool {
    var (run, multiple) = (0, Int64(1))
    for (later, earlier) in zip(times.dropFirst(), times) {
      let step = later - earlier
      let count = RateFit.keeps(step, interval) ? RateFit.multiple(step, interval) : 0
      run = count == multiple && count != 1 ? run + 1 : 1
      multiple = count
      if run >= 10, count == 0 || DisplayRates.has(interval * count) { return true }
    }
    return false
  }
}

/// Finds the refreshes of a display from the times at which it changed, where nobody
/// recorded them: robust to frames left out, to a stated interval that is not true, and to
/// changes of rate.
struct RefreshRecovery {
  let grid: RefreshGrid
  /// Whether the interval is the stated one, which the times keep.
  let isStated: Bool

  /// How many steps are looked at for a change of rate.
  private static let window = 64
  /// A display slower than this is taken for one whose app is, if the trace has it faster
  /// elsewhere.
  private static let slow: Int64 = 26_000_000

  /// - Parameters:
  ///   - times: When the display changed, in nanoseconds, in order and each once.
  ///   - stated: The interval that the source states; `nil` when it states none.
  /// - Returns: `nil` when the times keep no interval, as with a display that waits for
  ///   frames or one that changes in the middle of a refresh.
  init?(_ times: [Int64], stated: Int64?) {
    guard times.count > 1 else { return nil }
    let intervals = Self.intervals(times, stated: stated)
    guard let last = intervals.last else { return nil }
    var numbers: [Int64] = [0]
    var known: [Int64] = [times[0]]
    for place in 1..<times.count {
      let step = times[place] &- known[known.count - 1]
      let interval = intervals[min((place - 1) / Self.window, intervals.count - 1)]
      let intervalCount = (2 * Int128(step) + Int128(interval)) / (2 * Int128(interval))
      guard intervalCount > 0 else { continue }
      numbers.append(numbers[numbers.count - 1] + Int64(intervalCount))
      known.append(times[place])
    }
    let sorted = intervals.sorted()
    let usual = intervals.count > 2 ? sorted[sorted.count / 2] : last
    grid = RefreshGrid(numbers: numbers, times: known, interval: usual)
    isStated = stated.map { abs($0 - usual) < $0 / 50 } ?? false
  }

  /// The interval of each window of steps; empty when there is none in more than half.
  private static func intervals(_ times: [Int64], stated: Int64?) -> [Int64] {
    guard keepsAny(times, stated: stated) else { return [] }
    var found: [Int64?] = []
    var current: Int64?
    for start in stride(from: 0, to: times.count - 1, by: window) {
      // A last window of a few steps says little by itself.
      let first = max(0, min(start, times.count - 1 - window))
      let steps = (first..<min(start + window, times.count - 1)).map { times[$0 + 1] &- times[$0] }
      if let known = current, goesOn(steps, known, stated: stated) {
        found.append(known)
      } else {
        let estimate = RefreshInterval.estimate(steps, stated: stated)
        current = estimate ?? current
        found.append(estimate)
      }
    }
    let known = found.compactMap { $0 }
    guard known.count * 2 > found.count, let first = known.first else { return [] }
    let distinct = Set(known).sorted()
    var last = first
    return found.map { interval in
      last = interval ?? last
      return settle(last, among: distinct)
    }
  }

  /// Whether steps keep the interval of those before: as whole numbers of it, and not all of
  /// them more than one, which a slower rate is.
  private static func goesOn(_ steps: [Int64], _ known: Int64, stated: Int64?) -> Bool {
    guard RefreshInterval.share(of: steps, keeping: known) >= 0.8 else { return false }
    return stated == known || steps.contains { $0 < known * 3 / 2 }
  }

  /// Whether at least a third of a few windows, spread over the times, keep an interval.
  /// Where nothing does, the others need not be looked at.
  private static func keepsAny(_ times: [Int64], stated: Int64?) -> Bool {
    let windows = (times.count - 1) / window
    guard windows > 96 else { return true }
    let kept = (0..<48).count { index in
      let start = windows * index / 48 * window
      let steps = (start..<start + window).map { times[$0 + 1] &- times[$0] }
      return RefreshInterval.estimate(steps, stated: stated) != nil
    }
    return kept >= 16
  }

  /// A slow interval is a whole number of a faster one where the trace has that.
  private static func settle(_ interval: Int64, among all: [Int64]) -> Int64 {
    guard interval > slow else { return interval }
    let parts = all.filter { part in
      let count = Double(interval) / Double(part)
      return count > 1.5 && abs(count - count.rounded()) < 0.04
    }
    return parts.max() ?? interval
  }
}

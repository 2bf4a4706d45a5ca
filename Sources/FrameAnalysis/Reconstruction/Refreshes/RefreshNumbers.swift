import FrameTrace

/// Numbers the refreshes at which a display changed, stretch by stretch of its rates.
struct RefreshNumbers {
  private var numbers: [RefreshNumber]
  private var times: [Timestamp]
  private let stretches: [RateStretches.Stretch]
  /// The refreshes with estimated numbers: the rate changed before them, and other refreshes passed
  /// at unknown times.
  private(set) var guessed: Set<RefreshNumber> = []

  /// - Parameter changes: When the display changed, in order and each once.
  init(_ changes: [Timestamp], _ stretches: [RateStretches.Stretch]) {
    self.stretches = stretches
    numbers = [RefreshNumber(0)]
    times = [changes[0]]
    numbers.reserveCapacity(changes.count)
    times.reserveCapacity(changes.count)
    for (index, stretch) in stretches.enumerated() {
      for place in stretch.steps {
        let isFirst = place == stretch.steps.lowerBound && index > 0
        let before = isFirst ? stretches[index - 1].interval : stretch.interval
        let isLast = place == stretch.steps.upperBound - 1 && index + 1 < stretches.count
        let after = isLast ? stretches[index + 1].interval : stretch.interval
        add(changes[place + 1], stretch.interval, before, after)
      }
    }
  }

  /// The grid of the refreshes; its usual interval is that of most steps.
  var grid: RefreshGrid {
    var counts: [Nanoseconds: Int] = [:]
    for stretch in stretches { counts[stretch.interval, default: 0] += stretch.steps.count }
    let usual = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? Nanoseconds(1)
    return RefreshGrid(
      numbers: numbers, times: times, interval: usual,
      before: stretches.first?.interval, after: stretches.last?.interval)
  }

  /// Adds the refresh of a change. If the rate changes within the step, refreshes in between are
  /// first spaced at the rate before it and then at the rate after it.
  private mutating func add(
    _ time: Timestamp, _ interval: Nanoseconds, _ before: Nanoseconds, _ after: Nanoseconds
  ) {
    let last = times.count - 1
    let step = time - times[last]
    if before != after, !RateFit.keeps(step, interval),
      let counts = Self.counts(step, before, after)
    {
      for index in 1..<max(1, counts.before + counts.after) {
        let early = min(index, counts.before)
        append(1, times[last] + before * Int64(early) + after * Int64(index - early))
      }
      append(1, time)
      return guess()
    }
    // A change soon after another one belongs to the same refresh.
    let count = Int64(
      clamping: (2 * Int128(step.count) + Int128(interval.count)) / (2 * Int128(interval.count)))
    if count > 0 { append(count, time) }
    if before != after, count > 1 { guess() }
  }

  private mutating func guess() { guessed.insert(numbers[numbers.count - 1]) }

  private mutating func append(_ count: Int64, _ time: Timestamp) {
    guard time > times[times.count - 1] else { return }
    numbers.append(numbers[numbers.count - 1] + count)
    times.append(time)
  }

  /// The fewest refreshes at one rate and then at another that add up to a step.
  private static func counts(
    _ step: Nanoseconds, _ before: Nanoseconds, _ after: Nanoseconds
  ) -> (before: Int, after: Int)? {
    for count in 1...RateFit.longestStep {
      for early in 0...count {
        let length = before * early + after * (count - early)
        if (step - length).magnitude * 20 <= min(before, after) * 3 {
          return (Int(early), Int(count - early))
        }
      }
    }
    return nil
  }
}

import FrameTrace

/// Numbers the refreshes at which a display changed, stretch by stretch of its rates.
struct RefreshNumbers {
  private var numbers: [RefreshNumber]
  private var times: [Timestamp]
  private let stretches: [RateStretches.Stretch]
  /// The refreshes with estimated numbers: the rate changed before them, and other refreshes passed
  /// at unknown times.
  private(set) var guessed: Set<RefreshNumber> = []

  /// - Parameter changes: When the display changed, in order and without duplicates.
  init(_ changes: [Timestamp], _ stretches: [RateStretches.Stretch]) {
    self.stretches = stretches
    numbers = [RefreshNumber(0)]
    times = [changes[0]]
    numbers.reserveCapacity(changes.count)
    times.reserveCapacity(changes.count)
    for (index, stretch) in stretches.enumerated() {
      for position in stretch.steps {
        let isFirst = position == stretch.steps.lowerBound && index > 0
        let before = isFirst ? stretches[index - 1].interval : stretch.interval
        let isLast = position == stretch.steps.upperBound - 1 && index + 1 < stretches.count
        let after = isLast ? stretches[index + 1].interval : stretch.interval
        add(changes[position + 1], stretch.interval, before, after)
      }
    }
  }

  /// Numbers the changes of one surface at a fixed interval if their times sometimes jitter around refreshes by more
  /// than half of the interval, as on a loaded compositor. Counted from step to step, a late change would add a refresh
  /// that did not exist. A display shows one frame per refresh, so if a change comes too soon for the next refresh, the
  /// change before it was late.
  /// - Parameter changes: The changes in order and without duplicates.
  /// - Returns: `nil` if there are more changes than refreshes, so that the interval must be a different one.
  init?(jittering changes: [Timestamp], _ interval: Nanoseconds) {
    stretches = [RateStretches.Stretch(interval: interval, steps: 0..<changes.count - 1)]
    (numbers, times) = ([RefreshNumber(0)], [changes[0]])
    // The time of the last refresh without jitter, as far as the changes up to it show.
    var refresh = changes[0]
    for time in changes.dropFirst() {
      var count = (time - refresh + interval / 2) / interval
      let last = numbers.count - 1
      if count < 1, last > 0, numbers[last] - numbers[last - 1] > 1 {
        numbers[last] = numbers[last] - 1
        refresh = refresh - interval
        count += 1
      }
      append(max(1, count), time)
      let expected = refresh + interval * max(1, count)
      refresh = expected + (time - expected) / Self.settling
      guard refresh - time <= interval * 2 else { return nil }
    }
    guard let first = changes.first, let end = changes.last, let number = numbers.last else {
      return nil
    }
    let needed = interval * (number - numbers[0])
    guard needed <= (end - first) + (end - first) / Self.accuracy + interval * 2 else { return nil }
  }

  /// A display's clock is exact to one part in this many.
  private static let accuracy: Int64 = 50

  /// The fraction of a change's distance from its refresh by which the next refreshes are moved: large enough to follow
  /// a display's clock, too small to follow a late frame.
  private static let settling: Int64 = 8

  /// The grid of the refreshes; its usual interval is the interval of most steps.
  var grid: RefreshGrid {
    var counts: [Nanoseconds: Int] = [:]
    for stretch in stretches { counts[stretch.interval, default: 0] += stretch.steps.count }
    let usual = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? Nanoseconds(1)
    return RefreshGrid(
      numbers: numbers, times: times, interval: usual,
      before: stretches.first?.interval, after: stretches.last?.interval)
  }

  /// Adds the refresh of a change. If the rate changes within the step, refreshes in between are first spaced at the
  /// old rate and then at the new rate.
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
    // A change soon after another change belongs to the same refresh.
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

  /// The minimum numbers of refreshes at one rate and then at another that add up to a step.
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

/// The moments that a stutter is compared with, and how long they are.
///
/// A moment is quiet if no stutter ends in the time before it, called its flank. Only stutters at
/// quiet moments are compared, and only with other quiet moments. So the trace that one stutter
/// leaves in a series is not mistaken for the cause of the next one.
struct QuietMoments {
  /// The length of a window, in nanoseconds.
  let window: Int64
  /// The distance between two neighboring windows, in nanoseconds: they overlap by half.
  let step: Int64
  /// How many steps before a moment its last control window ends. The first is two steps before.
  let controls: Int
  /// By how many steps a stutter is moved at most.
  let shifts: Int
  private let events: [Range<Int64>]

  /// The lengths for a series with rows that are `spacing` nanoseconds apart.
  ///
  /// A flank of 10 windows, at least 3 s, is short enough to lie in one scene, and long enough for
  /// several values of a sensor. It is shorter where stutters are denser.
  init(_ events: [Range<Int64>], spacing: Int64) {
    self.events = events
    window = min(max(spacing, 200_000_000), 1_000_000_000)
    step = window / 2
    let gaps = zip(events, events.dropFirst()).map { $1.lowerBound - $0.upperBound }.sorted()
    let flank = min(
      max(10 * window, 3_000_000_000), max(3 * window, (gaps.medianOfSorted ?? .max) / 2))
    controls = Int(flank / step)
    shifts = Int(max(10_000_000_000, 30 * window) / step)
  }

  /// The end of the window at a stutter that is moved back by `shift` steps.
  func end(_ side: MomentDifference.Side, _ event: Range<Int64>, shift: Int) -> Int64 {
    switch side {
    case .before: event.lowerBound - Int64(shift) * step
    case .after: event.upperBound + window - Int64(shift) * step
    }
  }

  /// Whether a stutter can be compared when it is moved back by `shift` steps: whether no other
  /// one is in its flank and window, all of which lie in `span`.
  func contains(
    _ side: MomentDifference.Side, _ event: Range<Int64>, shift: Int, in span: ClosedRange<Int64>
  ) -> Bool {
    let start = event.lowerBound - Int64(shift) * step
    let flank = start - Int64(controls) * step - window
    let end = end(side, event, shift: shift)
    // By one step, the window still overlaps the one at the stutter.
    guard shift != 1 && flank >= span.lowerBound && end <= span.upperBound else { return false }
    if shift > 0 { return isQuiet(flank, end) }
    return isQuiet(flank, start) && isQuiet(event.upperBound, end)
  }

  /// Whether no stutter is between two times.
  private func isQuiet(_ start: Int64, _ end: Int64) -> Bool {
    let next = events.partitioningIndex { $0.upperBound > start }
    return next == events.count || events[next].lowerBound >= end
  }
}

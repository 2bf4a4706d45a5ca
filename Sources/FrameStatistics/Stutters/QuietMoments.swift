/// The moments at which stutters are compared with their past, and the lengths of their windows.
///
/// The flank of a moment is the time before it that has its control windows. A moment is quiet if no stutter is in its
/// flank. Only stutters at quiet moments are compared, and only with other quiet moments. The effect of one stutter is
/// therefore not mistaken for the cause of the next stutter.
struct QuietMoments {
  /// The length of a window, in nanoseconds.
  let window: Int64
  /// The distance between two neighboring windows, in nanoseconds: they overlap by half.
  let step: Int64
  /// How many steps before a moment its earliest control window ends. The latest control window ends two steps before
  /// the moment.
  let controls: Int
  /// The largest number of steps by which a stutter is moved back.
  let shifts: Int
  private let events: [Range<Int64>]

  /// The lengths for a series with rows that are `spacing` nanoseconds apart.
  ///
  /// A flank of 10 windows, at least 3 s, contains several values of a sensor and often lies within one scene. If
  /// stutters are dense, the flank is half the median time between them, but at least 3 windows.
  init(_ events: [Range<Int64>], spacing: Int64) {
    self.events = events
    window = min(max(spacing, 200_000_000), 1_000_000_000)
    step = window / 2
    let gaps = zip(events, events.dropFirst()).map { $1.lowerBound - $0.upperBound }.sorted()
    let flank = min(
      max(10 * window, 3_000_000_000), max(3 * window, (gaps.medianOfSorted ?? .max) / 2))
    controls = Int(flank / step)
    shifts = Int(max(20_000_000_000, 60 * window) / step)
  }

  /// The length of the window at a stutter, and of its control windows.
  func length(_ side: MomentDifference.Side, _ event: Range<Int64>) -> Int64 {
    side == .during ? min(window, Int64(event.count)) : window
  }

  /// The end of the window at a stutter when it is moved back by `shift` steps.
  func end(_ side: MomentDifference.Side, _ event: Range<Int64>, shift: Int) -> Int64 {
    switch side {
    case .before: event.lowerBound - Int64(shift) * step
    case .during: event.lowerBound + length(side, event) - Int64(shift) * step
    case .after: event.upperBound + window - Int64(shift) * step
    }
  }

  /// Whether a stutter can be compared when it is moved back by `shift` steps: whether no other stutter is in its flank
  /// and window, and both lie within `span`.
  func contains(
    _ side: MomentDifference.Side, _ event: Range<Int64>, shift: Int, in span: ClosedRange<Int64>
  ) -> Bool {
    let start = event.lowerBound - Int64(shift) * step
    let flank = start - Int64(controls) * step - window
    let end = end(side, event, shift: shift)
    guard flank >= span.lowerBound && end <= span.upperBound else { return false }
    if shift > 0 { return isQuiet(flank, end) }
    // A window during a stutter ends no later than the stutter.
    return isQuiet(flank, start) && isQuiet(event.upperBound, max(end, event.upperBound))
  }

  /// Whether no stutter is between two times.
  private func isQuiet(_ start: Int64, _ end: Int64) -> Bool {
    let next = events.partitioningIndex { $0.upperBound > start }
    return next == events.count || events[next].lowerBound >= end
  }
}

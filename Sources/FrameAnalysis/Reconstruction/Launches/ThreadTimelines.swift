import FrameStatistics
import FrameTrace

/// The states of the threads of a trace, each in order of time and without overlaps.
struct ThreadTimelines {
  /// A stretch of time in one state.
  struct Stretch {
    let span: Range<Timestamp>
    let state: ThreadStateColumn.State?
    let priority: Int64?
    let unblockedBy: Int64?
    let reason: String?
    /// The processor that the thread ran on, or was taken from.
    let processor: Int64?
    /// The mean clock rate of the processor while the thread ran, in kHz.
    let clock: Int64?
  }

  private let stretches: [Int64: [Stretch]]

  init(_ trace: Trace) {
    let states = trace.threadStates
    var rows: [Int64: [Int]] = [:]
    for row in 0..<states.count {
      guard let thread = states[row, .thread], states[row, .start] != nil else { continue }
      rows[thread, default: []].append(row)
    }
    stretches = rows.mapValues { Self.stretches($0, states) }
  }

  /// A state without an end lasts until the thread's next state, and no state lasts longer. A thread keeps its last
  /// known priority.
  private static func stretches(_ rows: [Int], _ states: Table<ThreadStateColumn>) -> [Stretch] {
    var priority: Int64?
    return rows.enumerated().compactMap { position, row in
      priority = states[row, .priority] ?? priority
      guard let start = states.time(row, .start) else { return nil }
      let next = position + 1 < rows.count ? states.time(rows[position + 1], .start) : nil
      guard let end = [states.time(row, .end), next].compactMap({ $0 }).min(), end > start else {
        return nil
      }
      return Stretch(
        span: start..<end, state: states[row, .state].flatMap(ThreadStateColumn.State.init),
        priority: priority, unblockedBy: states[row, .unblockedBy],
        reason: states.text(row, .reason), processor: states[row, .processor],
        clock: states[row, .clock])
    }
  }

  /// Whether anything is known about a thread in a span.
  func isKnown(_ thread: Int64, in span: Range<Timestamp>) -> Bool {
    guard let all = stretches[thread] else { return false }
    let first = all.partitioningIndex { $0.span.upperBound > span.lowerBound }
    return first < all.count && all[first].span.lowerBound < span.upperBound
  }

  /// The states of a thread in a span, with the first and the last stretch clipped to it.
  func stretches(of thread: Int64, in span: Range<Timestamp>) -> [Stretch] {
    guard let all = stretches[thread] else { return [] }
    let first = all.partitioningIndex { $0.span.upperBound > span.lowerBound }
    return all[first...].prefix { $0.span.lowerBound < span.upperBound }.map { stretch in
      Stretch(
        span: stretch.span.clamped(to: span), state: stretch.state, priority: stretch.priority,
        unblockedBy: stretch.unblockedBy, reason: stretch.reason, processor: stretch.processor,
        clock: stretch.clock)
    }
  }

  /// How long a thread spent in each state in a span; `nil` if nothing is known about the thread in that span.
  func times(of thread: Int64, in span: Range<Timestamp>) -> ThreadTimes? {
    let stretches = stretches(of: thread, in: span)
    guard !stretches.isEmpty else { return nil }
    var times = ThreadTimes()
    for stretch in stretches { times.add(stretch.span.length, stretch.state) }
    times.add(span.length - times.total, nil)
    return times
  }
}

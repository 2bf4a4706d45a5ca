import FrameTrace

/// Converts the stamps of a log, which wrap around periodically, to continuous times.
///
/// With the recording's clocks, times are the real time in nanoseconds. Without clocks, times count from a start of the
/// first stamp's period.
struct WaylandStamps {
  /// Whether times are those of the real-time clock.
  private(set) var isAbsolute: Bool
  /// Whether stamps of two kinds were aligned only by the order of lines.
  private(set) var areJoinedByOrder = false
  /// Whether the recording has clocks that the stamps do not match.
  private(set) var contradictsClocks = false

  private let span: (begin: Int64, end: Int64?)?
  private struct Counter {
    var last: Int64
    var offset: Int64
  }
  /// The counters of both kinds of stamps.
  private var counter, dayCounter: Counter?
  private var last: Int64?
  /// How far out of order lines can be, in µs.
  private static let disorder: Int64 = 5_000_000
  /// The longest time accepted, in µs.
  private static let longest = Timestamp.bound / 1000

  init(_ clocks: ClockSidecar?) {
    span = clocks?.span(of: .realtime)
    isAbsolute = span != nil
  }

  /// The time of a line in nanoseconds.
  mutating func time(of line: WaylandLogLine) -> Int64 {
    let period = line.stamp.period
    let isCounter = line.stamp == .counter
    var counter = (isCounter ? self.counter : dayCounter) ?? first(line)
    // A stamp that decreases has wrapped around, unless threads print slightly out of order at that point.
    let step = line.time - counter.last
    if step < -Self.disorder, counter.offset < Self.longest { counter.offset += period }
    if step > period - Self.disorder, counter.offset >= period { counter.offset -= period }
    counter.last = line.time
    if isCounter { self.counter = counter } else { dayCounter = counter }
    let time = (counter.offset + line.time) * 1000
    last = max(last ?? time, time)
    return time
  }

  /// The counter for the first stamp of a kind.
  private mutating func first(_ line: WaylandLogLine) -> Counter {
    if isAbsolute, let span {
      let begin = span.begin / 1000
      let period = line.stamp.period
      var offset = (begin - line.time + period / 2) / period * period
      if offset < 0 { offset = 0 }
      let time = offset + line.time
      let slack: Int64 = 2_000_000
      if time >= begin - slack, span.end.map({ time <= $0 / 1000 + slack }) ?? true {
        return Counter(last: line.time, offset: offset)
      }
      isAbsolute = false
      contradictsClocks = true
    }
    guard let last else { return Counter(last: line.time, offset: 0) }
    areJoinedByOrder = true
    return Counter(last: line.time, offset: last / 1000 - line.time)
  }
}

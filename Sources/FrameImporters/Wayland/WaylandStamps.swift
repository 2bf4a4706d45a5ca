import FrameTrace

/// Turns the stamps of a log, which begin again now and then, into times that do not.
///
/// With the clocks of the recording they become the real time in nanoseconds; without, the time since a
/// beginning of the first stamp's period.
struct WaylandStamps {
  /// Whether times are those of the real-time clock.
  private(set) var isAbsolute: Bool
  /// Whether stamps of two kinds were joined by nothing but the order of lines.
  private(set) var areJoinedByOrder = false
  /// Whether there are clocks, and the stamps are not of their time.
  private(set) var contradictsClocks = false

  private let span: (begin: Int64, end: Int64?)?
  private struct Counter {
    var last: Int64
    var offset: Int64
  }
  /// Of stamps of both kinds.
  private var counter, dayCounter: Counter?
  private var last: Int64?
  /// How far out of order lines are, at most, in µs.
  private static let disorder: Int64 = 5_000_000
  /// The longest time that is believed, in µs.
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
    // A stamp that falls has begun again, but for threads that print a little out of order around that.
    let step = line.time - counter.last
    if step < -Self.disorder, counter.offset < Self.longest { counter.offset += period }
    if step > period - Self.disorder, counter.offset >= period { counter.offset -= period }
    counter.last = line.time
    if isCounter { self.counter = counter } else { dayCounter = counter }
    let time = (counter.offset + line.time) * 1000
    last = max(last ?? time, time)
    return time
  }

  /// Where the first stamp of a kind stands.
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

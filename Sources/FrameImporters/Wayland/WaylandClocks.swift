import FrameTrace

/// The alignment of the clocks in a recording of Wayland messages.
///
/// Messages are stamped when they pass. Presentations are on a clock that the compositor names.
/// Frame callbacks and inputs are in ms on an unnamed clock.
struct WaylandClocks {
  /// The offset to add to a message's stamp; `nil` if stamps cannot be converted to the trace
  /// clock.
  private(set) var stampOffset: Int64?
  /// The offset to add to a presentation time; `nil` if there are none to convert.
  private(set) var presentationOffset: Int64?
  private(set) var domains: [ClockDomain] = []
  private let sidecar: ClockSidecar?
  private let stampClock: StampClock
  private let presentationClock: ClockSidecar.Clock?

  /// The clock of the stamps.
  enum StampClock {
    case monotonic
    /// The full real time.
    case realtime
    /// The real time minus an unknown amount.
    case unknown
  }

  /// The longest time in ns that a message can be in transit.
  private static let longestWay: Int64 = 100_000_000

  /// The name of the clock of stamps without their upper bits.
  private static let logName = "log, low bits of CLOCK_REALTIME"

  /// - Parameter connections: All connections of the recording.
  init(
    _ connections: [WaylandConnection], _ stampClock: StampClock, _ sidecar: ClockSidecar?,
    _ log: inout IssueLog
  ) {
    self.sidecar = sidecar
    self.stampClock = stampClock
    let number = connections.compactMap(\.presentationClock).first
    presentationClock = number.flatMap { ClockSidecar.Clock(number: $0) }
    let presentations = connections.flatMap(\.presentations)
    switch stampClock {
    case .monotonic: joinToMonotonic(presentations, &log)
    case .realtime: joinByClocks(presentations, &log)
    case .unknown: joinByArrivals(connections, presentations, &log)
    }
  }

  /// A message's stamp on the trace clock.
  func time(stamp: Int64) -> Int64? {
    if stampClock == .realtime { return sidecar?.monotonic(stamp, from: .realtime) }
    return stampOffset.map { stamp &+ $0 }
  }

  /// A presentation on the trace clock.
  func time(presented: Int64) -> Int64? {
    if let presentationOffset { return presented &+ presentationOffset }
    return presentationClock.flatMap { sidecar?.monotonic(presented, from: $0) }
  }

  private func domain(
    _ name: String, _ join: ClockDomain.Join, _ offset: Int64? = nil, resolution: Int64 = 1
  ) -> ClockDomain {
    ClockDomain(
      name: name, join: join, offset: offset.map { Nanoseconds($0) },
      resolution: Nanoseconds(resolution))
  }

  private var presentationName: String {
    "presentation clock" + (presentationClock.map { ", \($0.name)" } ?? "")
  }

  private mutating func joinToMonotonic(
    _ presentations: [(arrival: Int64, presented: Int64)], _ log: inout IssueLog
  ) {
    stampOffset = 0
    domains = [domain(ClockSidecar.Clock.monotonic.name, .traceClock)]
    guard !presentations.isEmpty else { return }
    if presentationClock == .monotonic {
      presentationOffset = 0
    } else if let clock = presentationClock, let sidecar,
      let first = sidecar.monotonic(presentations[0].presented, from: clock)
    {
      domains.append(domain(presentationName, .stated, first - presentations[0].presented))
    } else {
      estimate(presentations, &log)
    }
  }

  private mutating func joinByClocks(
    _ presentations: [(arrival: Int64, presented: Int64)], _ log: inout IssueLog
  ) {
    domains = [
      domain(ClockSidecar.Clock.monotonic.name, .traceClock),
      domain(
        "log, \(ClockSidecar.Clock.realtime.name)", .stated,
        sidecar?.span(of: .realtime).flatMap { span in
          sidecar?.monotonic(span.begin, from: .realtime).map { $0 - span.begin }
        }, resolution: 1000),
    ]
    guard let first = presentations.first else { return }
    if let clock = presentationClock, let time = sidecar?.monotonic(first.presented, from: clock) {
      domains.append(domain(presentationName, .stated, time - first.presented))
    } else {
      estimate(
        presentations.compactMap { pair in
          time(stamp: pair.arrival).map { ($0, pair.presented) }
        }, &log)
    }
  }

  /// Aligns presentations with stamps on the trace clock, using the presentation with the shortest delay.
  private mutating func estimate(
    _ presentations: [(arrival: Int64, presented: Int64)], _ log: inout IssueLog
  ) {
    presentationOffset = presentations.map { $0.arrival &- $0.presented }.min()
    domains.append(domain(presentationName, .measured, presentationOffset))
    log.note(
      .clockAssumed, .repaired,
      "presentations on a clock unrelated to the messages', aligned by the one with the shortest delay: estimated",
      count: presentations.count)
  }

  /// Aligns the log with the presentation clock, using the presentation with the shortest delay.
  private mutating func joinByArrivals(
    _ connections: [WaylandConnection], _ presentations: [(arrival: Int64, presented: Int64)],
    _ log: inout IssueLog
  ) {
    guard var soonest = presentations.map({ $0.arrival &- $0.presented }).min() else {
      stampOffset = 0
      domains = [domain(Self.logName, .traceClock, resolution: 1000)]
      return
    }
    presentationOffset = 0
    domains = [domain(presentationName, .traceClock)]
    // A frame is committed before it is presented.
    let bound = connections.lazy.flatMap(\.frames).compactMap { frame in
      frame.presented.map { frame.commit &- $0 }
    }.max()
    // Compositors stamp callbacks on the same clock, which is confirmed where a callback contradicts no commit.
    if let callback = Self.soonestCallback(connections, near: soonest), callback < soonest,
      bound.map({ $0 <= callback }) ?? false
    {
      soonest = callback
    }
    let doubt = bound.map { soonest &- $0 } ?? 0
    let interval = connections.lazy.compactMap(\.refresh).first ?? WaylandConnection.usualRefresh
    let text = FixedNumber.text(Nanoseconds(doubt).milliseconds, decimals: 1)
    guard doubt <= max(4 * interval, Self.longestWay) else {
      domains.append(domain(Self.logName, .assumed, resolution: 1000))
      log.note(
        .clockAssumed, .dataLoss,
        "message times that cannot be aligned with the presentation clock to within \(text) ms, left out: the program reads its messages late",
        count: connections.reduce(0) { $0 + $1.frames.count })
      return
    }
    stampOffset = -soonest
    domains.append(domain(Self.logName, .measured, -soonest, resolution: 1000))
    log.note(
      .clockAssumed, .repaired,
      "log and presentation clocks were aligned by estimate; message times may be up to \(text) ms early",
      count: 1)
  }
}

extension WaylandClocks {
  /// The period after which messages repeat a time in ms, because they state only 32 bits of the time; in nanoseconds.
  private static let period: Int64 = 1_000_000 << 32

  /// The shortest delay of a callback, if callbacks are on the presentation clock.
  /// - Parameter offset: The approximate time by which message times are ahead of that clock.
  private static func soonestCallback(
    _ connections: [WaylandConnection], near offset: Int64
  ) -> Int64? {
    connections.lazy.flatMap(\.callbacks).map { callback in
      let delay = callback.arrival &- callback.milliseconds &* 1_000_000
      return delay &- (delay &- offset &+ period / 2) / period &* period
    }.min()
  }

  /// The offset of the times of callbacks, in ms: no callback arrives before it was sent, and the
  /// fastest arrives at once.
  /// - Returns: The offset in nanoseconds, to be added to the ms; `nil` if there are no callbacks.
  func callbackOffset(_ connections: [WaylandConnection]) -> Int64? {
    connections.lazy.flatMap(\.callbacks).compactMap { callback in
      time(stamp: callback.arrival).map { $0 &- callback.milliseconds &* 1_000_000 }
    }.min()
  }

  /// Finds the clock of input stamps: on it, no input is in the future, and at least one arrived at
  /// once.
  /// - Returns: The offset from an unwrapped time in ms to the trace clock, and the clock's name.
  func inputOffset(_ inputs: [WaylandConnection.Input]) -> (offset: Int64, name: String)? {
    let stamped = inputs.compactMap { input -> (own: Int64, arrival: Int64)? in
      guard let own = input.milliseconds, let arrival = time(stamp: input.delivered) else {
        return nil
      }
      return (own &* 1_000_000, arrival)
    }
    guard let first = stamped.first else { return nil }
    let found = bases(near: first).compactMap {
      base -> (offset: Int64, name: String, soonest: Int64)? in
      let soonest = stamped.map { $0.arrival &- $0.own &- base.offset }.min() ?? 0
      return -1_500_000...50_000_000 ~= soonest ? (base.offset, base.name, soonest) : nil
    }
    return found.min { abs($0.soonest) < abs($1.soonest) }.map { ($0.offset, $0.name) }
  }

  /// The clocks that inputs may be stamped on, each with the offset to add, in nanoseconds.
  private func bases(
    near first: (own: Int64, arrival: Int64)
  ) -> [(offset: Int64, name: String)] {
    var bases: [(Int64, String)] = []
    if let presentationOffset { bases.append((presentationOffset, presentationName)) }
    guard let sidecar else { return bases }
    for clock in [ClockSidecar.Clock.monotonic, .raw, .boottime, .realtime] {
      guard let span = sidecar.span(of: clock),
        let zero = sidecar.monotonic(span.begin, from: clock)
      else { continue }
      let distance = zero - span.begin
      let own = first.arrival &- distance
      let turns = (own &- first.own &+ Self.period / 2) / Self.period
      bases.append((distance &+ turns &* Self.period, clock.name))
    }
    return bases
  }
}

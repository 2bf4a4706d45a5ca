import FrameTrace

/// The clocks of an X server, and the conversion of their times to the recorder's clock, which is the system's
/// monotonic clock.
///
/// Presents have the server's time in whole milliseconds. Completions have times in microseconds on a clock that the
/// protocol leaves to the server. This clock is usually the monotonic clock, which the recorder's own times can
/// confirm.
struct X11Clock {
  /// The maximum distance of a time from the recorder's own time. A busy recorder reads late but never early.
  private static let reach: Int64 = 1_000_000_000
  /// The unit to which times are truncated.
  private static let millisecond: Int64 = 1_000_000
  /// The share of completions that must be between their request and the time at which the recorder read them.
  private static let leastShare = 0.99

  /// The offset to add to completion times; 0 if the server's clock is the monotonic clock.
  private let offset: Int64
  private let isMonotonic: Bool
  private let count: Int
  private let fitting: Int

  init(_ windows: [X11Window]) {
    let completions = windows.flatMap { window in
      // A skipped pixmap was not shown at any time.
      window.presents.compactMap { present in
        present.completion.flatMap { $0.isSkipped ? nil : $0.arrival &- $0.time }
      }
    }
    count = completions.count
    fitting = completions.count { 0...Self.reach ~= $0 }
    isMonotonic = Double(fitting) >= Double(count) * Self.leastShare
    // A completion is read just after it happens, so the shortest distance is nearly the distance between the clocks.
    offset = isMonotonic ? 0 : completions.min() ?? 0
  }

  var domains: [ClockDomain] {
    let monotonic = ClockDomain(
      name: ClockSidecar.Clock.monotonic.name, join: .traceClock, offset: nil,
      resolution: Nanoseconds(1))
    guard !isMonotonic else { return [monotonic] }
    return [
      monotonic,
      ClockDomain(
        name: "the X server's", join: .measured, offset: Nanoseconds(offset),
        resolution: Nanoseconds(1000)),
    ]
  }

  func note(in log: inout IssueLog) {
    guard count > 0 else { return }
    if isMonotonic {
      log.note(
        .clockAssumed, .info,
        "display times on the X server's clock, found to be the monotonic one: \(fitting) of \(count) lie within a second before they were read"
      )
    } else {
      log.note(
        .clockAssumed, .repaired,
        "display times on another clock than the recorder's, moved onto it by the shortest time in which one was read",
        count: count)
    }
  }

  /// When a pixmap was shown.
  func time(_ completion: X11Window.Completion) -> Int64? {
    let time = completion.time &+ offset
    return 0...Timestamp.bound ~= time ? time : nil
  }

  /// The earliest time at which the server can have received a request.
  func commit(_ present: X11Window.Present) -> Int64 {
    guard let server = present.serverTime else { return present.arrival }
    let late = UInt32(truncatingIfNeeded: present.arrival / Self.millisecond) &- server
    let age = Int64(late) * Self.millisecond
    // Otherwise, the server has another clock, and only the time of the reading is known.
    guard age <= Self.reach else { return present.arrival }
    return (present.arrival / Self.millisecond) * Self.millisecond - age
  }

  /// The latest time at which the server can have received a request.
  func latest(_ present: X11Window.Present) -> Int64 {
    min(present.arrival, commit(present) + Self.millisecond)
  }
}

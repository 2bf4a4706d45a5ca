/// Compositor callbacks that unblock an app's calls one after the other, like the frame callbacks
/// of Wayland. Each is sent when the compositor takes a frame, and a frame handed over then is
/// taken an interval later.
struct ReplayCallbacks {
  private let refreshes: ReplayRefreshes
  /// The time from a refresh to its callback.
  let offset: Int64
  /// The time before a refresh at which the compositor takes the frame to show, and the usual delay
  /// of the frame, in refreshes.
  private let latch, usualDelay: Int64
  /// The refresh of the last callback, and that of the callback sent when the previous frame was
  /// taken.
  private var last, taken: Int64?

  /// - Returns: `nil` if calls do not wait for callbacks.
  init?(_ simulator: ReplaySimulator) {
    guard let callback = simulator.callback else { return nil }
    (refreshes, offset) = (simulator.refreshes, callback)
    (latch, usualDelay) = (simulator.latch, simulator.usualDelay)
  }

  /// The hand-over time of a frame unblocked by a callback. It must be too late for the frame taken
  /// at that moment and in time for the next one despite jitter, so it is half an interval later.
  func handOver(at number: Int64) -> Int64 {
    refreshes.time(number) + offset + refreshes.interval(after: number) / 2
  }

  /// The first callback that can unblock a call that hands over a commit, and the one that does so
  /// if only the previous frame blocks it.
  private func soonest(_ commit: Int64) -> (possible: Int64, usual: Int64) {
    let possible = max(refreshes.first(commit - offset), last.map { $0 + 1 } ?? .min)
    return (possible, max(possible, taken ?? .min))
  }

  /// Unblocks the call of a frame.
  /// - Returns: The hand-over time of the frame; `nil` if its call does not wait.
  mutating func letGo(_ frame: inout ReplayedFrame, _ work: ReplayedWork) -> Int64? {
    guard let later = work.callbacksLater else { return nil }
    let soonest = soonest(frame.commit)
    let number = max(soonest.possible, soonest.usual + later)
    let time = refreshes.time(number) + offset
    (frame.appEnd, frame.queued) = (max(frame.appEnd, time), max(frame.queued, time))
    last = number
    return max(frame.queued, handOver(at: number))
  }

  /// Records the callback that unblocked a recorded call.
  /// - Returns: How many callbacks later than usual it is; `nil` if the call ended before any
  ///   callback could unblock it.
  mutating func note(_ number: Int64, committed commit: Int64) -> Int64? {
    let soonest = soonest(commit)
    guard number >= soonest.possible else { return nil }
    last = number
    return number - soonest.usual
  }

  /// Records that a frame was taken, with the refresh at which it is shown; `nil` for a frame that
  /// is never shown.
  mutating func consume(shownAt refresh: Int64?) {
    guard let refresh else { return }
    let way = refreshes.first(handOver(at: refresh) + latch) - refresh
    taken = refresh - usualDelay - way + 1
  }
}

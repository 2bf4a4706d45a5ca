/// Compositor callbacks that unblock an app's calls one at a time, like the frame callbacks of Wayland. A callback is
/// sent when the compositor takes a frame. A frame handed over at that time is taken an interval later.
struct ReplayCallbacks {
  private let refreshes: ReplayRefreshes
  /// The time from a refresh to its callback.
  let offset: Int64
  /// The time before a refresh at which the compositor takes the frame to show, and the usual delay of a frame, in
  /// refreshes.
  private let latch, usualDelay: Int64
  /// The refresh of the last callback, and the refresh of the callback sent when the previous frame was taken.
  private var last, taken: Int64?

  /// - Returns: `nil` if calls do not wait for callbacks.
  init?(_ simulator: ReplaySimulator) {
    guard let callback = simulator.callback else { return nil }
    (refreshes, offset) = (simulator.refreshes, callback)
    (latch, usualDelay) = (simulator.latch, simulator.usualDelay)
  }

  /// The hand-over time of a frame unblocked by a callback. The frame must be handed over too late to be taken at that
  /// moment, but in time to be taken next despite jitter, so the hand-over is half an interval later.
  func handOver(at number: Int64) -> Int64 {
    refreshes.time(number) + offset + refreshes.interval(after: number) / 2
  }

  /// The first callback that can unblock a call that hands over a commit, and the callback that does so if only the
  /// previous frame blocks the call.
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
  /// - Returns: How many callbacks later than usual the callback is; `nil` if the call ended before any callback could
  ///   unblock it.
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

/// The callbacks of a compositor that let the calls of an app go on, one after the other, as those of Wayland do: each is
/// sent as the compositor takes a frame, and what is handed over then is taken an interval later.
struct ReplayCallbacks {
  private let refreshes: ReplayRefreshes
  /// How long after refreshes they are sent.
  let offset: Int64
  /// How long before a refresh the compositor takes what is shown at it, and how many refreshes later that usually is.
  private let latch, usualDelay: Int64
  /// The refresh of the last one, and that of the one which was sent as the frame before was taken.
  private var last, taken: Int64?

  /// - Returns: `nil` where calls are not let go on.
  init?(_ simulator: ReplaySimulator) {
    guard let callback = simulator.callback else { return nil }
    (refreshes, offset) = (simulator.refreshes, callback)
    (latch, usualDelay) = (simulator.latch, simulator.usualDelay)
  }

  /// When a frame counts as handed over that a callback let go on: it is too late for what is taken just then and in time
  /// for what is taken an interval later, whatever the jitter, so half way between.
  func handOver(at number: Int64) -> Int64 {
    refreshes.time(number) + offset + refreshes.interval(after: number) / 2
  }

  /// The first callback that can let a call go on which hands over what was committed at a time, and the one that does where
  /// only the frame before keeps it waiting.
  private func soonest(_ commit: Int64) -> (possible: Int64, usual: Int64) {
    let possible = max(refreshes.first(commit - offset), last.map { $0 + 1 } ?? .min)
    return (possible, max(possible, taken ?? .min))
  }

  /// Lets the call of a frame go on.
  /// - Returns: When the frame counts as handed over; `nil` where its call does not wait.
  mutating func letGo(_ frame: inout ReplayedFrame, _ work: ReplayedWork) -> Int64? {
    guard let later = work.callbacksLater else { return nil }
    let soonest = soonest(frame.commit)
    let number = max(soonest.possible, soonest.usual + later)
    let time = refreshes.time(number) + offset
    (frame.appEnd, frame.queued) = (max(frame.appEnd, time), max(frame.queued, time))
    last = number
    return max(frame.queued, handOver(at: number))
  }

  /// Notes which callback let a recorded call go on.
  /// - Returns: How many later it is than would be usual; `nil` where the call ended before any could let it go on.
  mutating func note(_ number: Int64, committed commit: Int64) -> Int64? {
    let soonest = soonest(commit)
    guard number >= soonest.possible else { return nil }
    last = number
    return number - soonest.usual
  }

  /// Notes that a frame was taken, by the refresh at which it is shown; `nil` for one that never is.
  mutating func take(shownAt refresh: Int64?) {
    guard let refresh else { return }
    let way = refreshes.first(handOver(at: refresh) + latch) - refresh
    taken = refresh - usualDelay - way + 1
  }
}

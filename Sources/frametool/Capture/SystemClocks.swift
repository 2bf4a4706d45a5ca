import FrameKit

/// The clocks of the system, read together.
struct SystemClocks {
  /// The times of the real-time clock, the monotonic clock, the raw monotonic clock and the
  /// boot-time clock, in nanoseconds; `nil` for a clock that does not exist.
  let times: [Int64?]

  private static let clocks: [UInt32] = [0, LaunchedProcess.monotonicClock, 4, 7]

  /// Reads the clocks now.
  init() { times = Self.clocks.map { LaunchedProcess.time(onClock: $0) } }
}

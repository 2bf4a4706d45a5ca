import FrameKit

/// The clocks of the system, read together.
struct SystemClocks {
  /// The times of the real-time clock, the monotonic clock, the raw monotonic clock and the
  /// boot-time clock, in nanoseconds; `nil` for a clock that does not exist.
  let times: [Int64?]

  private static let clocks: [(number: UInt32, name: String)] = [
    (0, "realtime_ns"), (LaunchedProcess.monotonicClock, "monotonic_ns"), (4, "monotonic_raw_ns"),
    (7, "boottime_ns"),
  ]

  /// Reads them now.
  init() { times = Self.clocks.map { LaunchedProcess.time(onClock: $0.number) } }

  /// A file that accompanies a recording: the clocks at its beginning and at its end.
  static func sidecar(_ begin: SystemClocks, _ end: SystemClocks) -> [UInt8] {
    var json = JSONWriter(indented: true)
    json.object { json in
      for (name, reading) in [("clock_begin", begin), ("clock_end", end)] {
        json.key(name)
        json.object { json in
          for (clock, time) in zip(clocks, reading.times) {
            guard let time else { continue }
            json.key(clock.name)
            json.value(time)
          }
        }
      }
    }
    return json.takeBytes()
  }
}

import FrameAnalysis
import FrameStatistics
import FrameTrace

/// The stutters and stops found from frame times alone, for a run without a trace.
enum RunInterruptions {
  /// - Parameter times: The times in nanoseconds and in order.
  /// - Returns: No figures for fewer than 60 frames.
  static func figures(of times: [Int64]) -> [RunMetric: Double] {
    var ends = times
    for index in ends.indices.dropFirst() { ends[index] = ends[index - 1] + times[index] }
    guard let scan = StutterScan(lengths: times, ends: ends) else { return [:] }
    let stops = times.filter { $0 > Self.shortestStop }
    let (all, stopped) = (times.reduce(0, +), stops.reduce(0, +))
    let minutes = { (time: Int64) in max(Nanoseconds(time).seconds / 60, 1e-9) }
    return [
      .stuttersPerMinute: Double(scan.stutters.count) / minutes(scan.netTime),
      .stutterTimeShare: 100 * scan.share,
      .worstStutter: Nanoseconds(scan.longest ?? 0).milliseconds,
      .stopsPerMinute: Double(stops.count) / minutes(all - stopped),
      .stopTimeShare: 100 * Double(stopped) / Double(max(all, 1)),
    ]
  }

  /// A longer frame time is a stop, in nanoseconds.
  private static let shortestStop = Int64(500_000_000)
}

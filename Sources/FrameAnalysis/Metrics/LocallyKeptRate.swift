/// How far frame times exceed those of the surrounding frames. A stretch at a lower rate, such as a menu at half of a
/// game's rate, then misses nothing.
///
/// Each frame time is rounded to a number of refreshes, eight at most. The kept rate is the most frequent number among
/// the 61 frames around the frame; in a tie, the smallest.
package struct LocallyKeptRate {
  /// How many frames before and after each frame are included.
  private static let reach = 30
  /// The largest number of refreshes that is distinguished.
  private static let most: Int64 = 8

  private let times: [Int64]
  private let interval: Int64
  private var counts = [Int](repeating: 0, count: Int(most) + 1)
  /// The next frame time, and the first one not counted yet.
  private var next = 0
  private var end = 0

  /// - Parameter times: The frame times, in nanoseconds and in order.
  package init(_ times: [Int64], _ refresh: RunRefresh) {
    self.times = times
    interval = refresh.interval
  }

  private func refreshes(_ time: Int64) -> Int64 {
    min(Self.most, max(1, (2 &* time &+ interval) / (2 &* interval)))
  }

  /// How far the next frame time exceeds the surrounding ones, in refreshes and nanoseconds; zero if it takes no more
  /// refreshes than they do.
  package mutating func beyond() -> (refreshes: Int64, time: Int64) {
    while end < min(times.count, next + Self.reach + 1) {
      counts[Int(refreshes(times[end]))] += 1
      end += 1
    }
    if next > Self.reach { counts[Int(refreshes(times[next - Self.reach - 1]))] -= 1 }
    defer { next += 1 }
    let own = refreshes(times[next])
    // A frame time of one refresh cannot exceed any other.
    guard own > 1 else { return (0, 0) }
    var kept = 1
    for count in 2...Int(Self.most) where counts[count] > counts[kept] { kept = count }
    guard own > kept else { return (0, 0) }
    return (own - Int64(kept), times[next] - Int64(kept) * interval)
  }
}

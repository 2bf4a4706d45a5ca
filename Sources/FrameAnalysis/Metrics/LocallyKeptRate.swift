/// What frame times take beyond what the frames around them take, so that a stretch at a lower rate, as a menu at half
/// of a game's rate, misses nothing.
///
/// A frame time takes so many refreshes, eight at most. Those that the most of the 61 frames around it take are kept, the
/// fewest where several are as many.
package struct LocallyKeptRate {
  /// How many frames before and after one are looked at.
  private static let reach = 30
  /// The most refreshes that are told apart.
  private static let most: Int64 = 8

  private let times: [Int64]
  private let interval: Int64
  private var counts = [Int](repeating: 0, count: Int(most) + 1)
  /// The next frame time, and the first that was not counted yet.
  private var next = 0
  private var end = 0

  /// - Parameter times: In nanoseconds and in order.
  package init(_ times: [Int64], _ refresh: RunRefresh) {
    self.times = times
    interval = refresh.interval
  }

  private func refreshes(_ time: Int64) -> Int64 {
    min(Self.most, max(1, (2 &* time &+ interval) / (2 &* interval)))
  }

  /// What the next frame time takes beyond those around it: refreshes, and nanoseconds; nothing where it takes no
  /// refresh more.
  package mutating func beyond() -> (refreshes: Int64, time: Int64) {
    while end < min(times.count, next + Self.reach + 1) {
      counts[Int(refreshes(times[end]))] += 1
      end += 1
    }
    if next > Self.reach { counts[Int(refreshes(times[next - Self.reach - 1]))] -= 1 }
    defer { next += 1 }
    let own = refreshes(times[next])
    // What takes one takes no more than any.
    guard own > 1 else { return (0, 0) }
    var kept = 1
    for count in 2...Int(Self.most) where counts[count] > counts[kept] { kept = count }
    guard own > kept else { return (0, 0) }
    return (own - Int64(kept), times[next] - Int64(kept) * interval)
  }
}

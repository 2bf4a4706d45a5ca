/// A frame rate limit for an app that is started by refreshes. It determines when the app's next frame may begin.
struct FramePace {
  /// How the limit is applied if its interval is not a whole number of refreshes.
  enum Rule: Hashable, Sendable {
    /// On average: a frame starts at the refresh nearest to its scheduled time.
    case onAverage
    /// For every frame: a frame starts at the first refresh that is far enough after the start of the previous frame.
    case byEveryFrame
  }

  /// The shortest time between scheduled starts; `nil` if there is no limit.
  let cap: Int64?
  let rule: Rule
  private var turn: Int64?

  init(cap: Int64?, _ rule: Rule) { (self.cap, self.rule) = (cap, rule) }

  /// The earliest time at which the next frame may start.
  func next(_ refreshes: ReplayRefreshes) -> Int64 {
    guard let turn else { return .min }
    return turn - Self.tick(at: turn, refreshes) / (rule == .onAverage ? 2 : 16)
  }

  /// Records the start of a frame. A late frame does not make later ones start earlier.
  mutating func consume(_ start: Int64, _ refreshes: ReplayRefreshes) {
    guard let cap else { return }
    switch rule {
    case .onAverage:
      let half = Self.tick(at: start, refreshes) / 2
      turn = max(turn ?? start, start - half) + cap
    case .byEveryFrame: turn = start + cap
    }
  }

  /// Whether both rules are equivalent: the limit is a whole number of refreshes.
  static func isWhole(_ cap: Int64, of interval: Int64) -> Bool {
    let rest = cap % interval
    return min(rest, interval - rest) * 16 <= interval
  }

  private static func tick(at time: Int64, _ refreshes: ReplayRefreshes) -> Int64 {
    refreshes.interval(after: refreshes.last(time))
  }
}

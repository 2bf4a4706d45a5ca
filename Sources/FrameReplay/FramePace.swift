/// When a limit to the frame rate lets an app that refreshes start begin its next frame.
struct FramePace {
  /// How the limit is kept at a rate that is no whole part of the display's.
  enum Rule: Hashable, Sendable {
    /// On average: a frame starts at the refresh that is nearest to its turn.
    case onAverage
    /// By every frame: it starts at the first refresh that is far enough from the start of the one before.
    case byEveryFrame
  }

  /// The shortest time from turn to turn; `nil` without a limit.
  let cap: Int64?
  let rule: Rule
  private var turn: Int64?

  init(cap: Int64?, _ rule: Rule) { (self.cap, self.rule) = (cap, rule) }

  /// The soonest that the next frame may start.
  func next(_ refreshes: ReplayRefreshes) -> Int64 {
    guard let turn else { return .min }
    return turn - Self.tick(at: turn, refreshes) / (rule == .onAverage ? 2 : 16)
  }

  /// Notes that a frame started. What is late does not make the ones after it come sooner.
  mutating func take(_ start: Int64, _ refreshes: ReplayRefreshes) {
    guard let cap else { return }
    switch rule {
    case .onAverage:
      let half = Self.tick(at: start, refreshes) / 2
      turn = max(turn ?? start, start - half) + cap
    case .byEveryFrame: turn = start + cap
    }
  }

  /// Whether both rules come to the same: the limit is a whole number of refreshes.
  static func isWhole(_ cap: Int64, of interval: Int64) -> Bool {
    let rest = cap % interval
    return min(rest, interval - rest) * 16 <= interval
  }

  private static func tick(at time: Int64, _ refreshes: ReplayRefreshes) -> Int64 {
    refreshes.interval(after: refreshes.last(time))
  }
}

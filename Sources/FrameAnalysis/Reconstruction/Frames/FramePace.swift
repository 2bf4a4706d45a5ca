import FrameTrace

/// How evenly frames start, where a limiter's sleep counts as work.
struct FramePace {
  /// The usual time from start to start.
  private let rate: Nanoseconds
  private var (counted, steady, between, locked, waiting) = (0, 0, 0, 0, 0)

  init(_ rate: Nanoseconds) { self.rate = rate }

  /// - Parameter refresh: The time between refreshes at that step.
  mutating func add(_ step: Nanoseconds, _ times: StageTimes, _ refresh: Nanoseconds) {
    counted += 1
    let isLimiters = LimiterPace(rate).isKept(by: step) && LimiterPace.isSlower(rate, than: refresh)
    if isLimiters { steady += 1 }
    if (rate - refresh * ((rate + refresh / 2) / refresh)).magnitude * 100 > refresh {
      between += 1
    }
    if rate * 2 >= refresh * 3 {
      let phase = step - refresh * ((step + refresh / 2) / refresh)
      if isLimiters || phase.magnitude * 8 <= refresh { locked += 1 }
    }
    if let commit = times.commit, let end = times.appEnd, (end - commit) * 16 > refresh {
      waiting += 1
    }
  }

  /// Whether at most one frame in ten is known to wait in the present call: an app that waits there aims at refreshes.
  var isQuick: Bool { waiting * 10 <= counted }

  /// Whether the frames come as regularly as a limiter's. A wait for refreshes would make the distance a whole number.
  var isSteady: Bool { (isQuick || between * 2 > counted) && steady * 10 >= counted * 9 }

  /// Whether the frames come at two thirds of the display's rate or less, as regularly as a limiter's or in step with
  /// the refreshes. Overloaded work is in step only if the app waits in the present call.
  var isLocked: Bool { isQuick && locked * 5 >= counted * 4 }
}

import FrameTrace

/// A steady rate below the display's that may or may not be deliberate: the source counts idle time
/// as work and lacks GPU times that would show whether there was longer work.
struct UnjudgedRate {
  /// The time from start to start.
  let interval: Nanoseconds

  /// - Returns: `nil` where the surface has no such rate, or enough is known of it.
  init?(
    _ starts: AppStarts, _ schedule: FrameSchedule, _ stages: FrameStages
  ) {
    guard !schedule.measuresStarts else { return nil }
    guard starts.stepCount >= KeptRate.fewestFrames, let rate = starts.usualStep else { return nil }
    var (counted, loads, even, steady, quick) = (0, 0, 0, 0, 0)
    var work: [Nanoseconds] = []
    for row in starts.steps.indices {
      guard let step = starts.steps[row], let start = stages.appStart(row) else { continue }
      counted += 1
      let times = stages[row]
      let refresh = schedule.grid.interval(at: start)
      // The end of the GPU's work says nothing of how long it worked.
      if times.gpuLoad != nil { loads += 1 }
      // Whatever follows, at least half will have a load.
      if loads * 2 >= starts.stepCount { return nil }
      if (step - rate).magnitude * 2 <= refresh, rate * 2 >= refresh * 3 { even += 1 }
      if (step - rate).magnitude * 32 <= rate, rate * 16 >= refresh * 17 { steady += 1 }
      if let commit = times.commit, ((times.appEnd ?? commit) - commit) * 16 <= refresh {
        quick += 1
      }
      if let app = times.appTime { work.append(app) }
    }
    guard loads * 2 < counted, work.count * 2 > counted else { return nil }
    let isShort = (work.upperMedian ?? .zero) * 16 <= schedule.grid.interval * 15
    let isKept = isShort && even * 5 >= counted * 4
    // A limiter's sleep counts as work.
    let isLimited = steady * 10 >= counted * 9 && quick * 10 >= counted * 9
    guard isKept || isLimited else { return nil }
    interval = rate
  }
}

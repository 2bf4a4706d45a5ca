import FrameTrace

/// The rate that a surface deliberately keeps: its frames start evenly, farther apart than refreshes, and its app rests
/// before them.
struct KeptRate {
  /// The time from start to start.
  let interval: Nanoseconds
  let source: CadenceSource
  /// Whether the app may be unable to keep the display's rate: a stage of its frames usually takes
  /// longer than an interval, or a limiter's sleep cannot be distinguished from its work.
  let isInferred: Bool
  let path: UsualPath
  /// For each frame, the data of ``AppStarts`` that decide whether the frame keeps the rate. The other data are not
  /// kept, because this value is copied for each frame.
  private let hadTime: [Bool]
  private let steps: CompactOptionals<Nanoseconds>
  private let grid: RefreshGrid

  static let fewestFrames = 10

  /// - Returns: `nil` if the surface keeps no rate.
  init?(_ starts: AppStarts, _ schedule: FrameSchedule, _ stages: FrameStages) {
    guard starts.stepCount >= Self.fewestFrames, let usual = starts.usualStep else { return nil }
    interval = usual
    (hadTime, steps) = (starts.hadTime, starts.steps)
    grid = schedule.grid
    if let rested = Self.rested(starts, schedule, stages, interval) {
      source = .kept
      isInferred = Self.isOverBudget(rested.keeping, stages, schedule.grid)
      path = UsualPath(schedule, stages, rows: rested.all)
    } else if !schedule.evidence.measuresStarts,
      Self.isLimited(starts, schedule, stages, interval)
    {
      (source, isInferred) = (.limited, true)
      // The limiter's sleep is part of every frame.
      path = UsualPath(schedule, stages, rows: starts.steps.indices.map(Int32.init))
    } else {
      return nil
    }
  }

  /// The frames before which the app rested, and the frames among these that start evenly; `nil` if these are too few
  /// to keep a rate.
  private static func rested(
    _ starts: AppStarts, _ schedule: FrameSchedule, _ stages: FrameStages, _ rate: Nanoseconds
  ) -> (all: [Int32], keeping: [Int32])? {
    var keeping: [Int32] = []
    var (counted, held) = (0, 0)
    for row in starts.steps.indices where !stages.isGenerated(row) {
      guard let step = starts.steps[row], let start = stages.appStart(row) else { continue }
      counted += 1
      let refresh = schedule.grid.interval(at: start)
      if !starts.hasPaused[row] {
        if let work = starts.workBefore[row], work > rate - refresh / 4 { held += 1 }
      } else if (step - rate).magnitude * 2 <= refresh, rate * 2 >= refresh * 3 {
        keeping.append(Int32(row))
      }
    }
    // A few late frames do not end a cadence: the frames that they held up do not count against it.
    let left = counted - held
    guard keeping.count >= fewestFrames, left * 2 >= counted, keeping.count * 5 >= left * 4 else {
      return nil
    }
    return (starts.hasPaused.indices.filter { starts.hasPaused[$0] }.map(Int32.init), keeping)
  }

  /// Whether frames start as regularly as a clock, the GPU has time to spare, and the app hardly
  /// waits in the present call: a limiter then sleeps in what the source counts as work.
  private static func isLimited(
    _ starts: AppStarts, _ schedule: FrameSchedule, _ stages: FrameStages, _ rate: Nanoseconds
  ) -> Bool {
    var (all, counted, even, quick) = (0, 0, 0, 0)
    var loads: [Nanoseconds] = []
    var pace = LimiterPace(rate)
    for row in starts.steps.indices {
      guard let step = starts.steps[row], let start = stages.appStart(row) else { continue }
      all += 1
      guard pace.counts(step) else { continue }
      counted += 1
      let times = stages[row]
      let refresh = schedule.grid.interval(at: start)
      if pace.isKept(by: step), LimiterPace.isSlower(rate, than: refresh) { even += 1 }
      if let commit = times.commit, let end = times.appEnd, (end - commit) * 16 <= refresh {
        quick += 1
      }
      if let load = times.gpuLoad { loads.append(load) }
      // Regardless of what follows, fewer than nine in ten will be even, or quick.
      if (counted - min(even, quick)) * 10 > starts.stepCount { return false }
    }
    guard LimiterPace.isShown(by: even, of: counted, among: all), quick * 10 >= counted * 9,
      loads.count * 2 > counted
    else { return false }
    return LimiterPace.isLight(loads.upperMedian ?? .zero, at: rate)
  }

  /// Whether the app or a later stage usually takes longer than an interval of the display.
  private static func isOverBudget(
    _ rows: [Int32], _ stages: FrameStages, _ grid: RefreshGrid
  ) -> Bool {
    let over = rows.count { row in
      let times = stages[Int(row)]
      guard let start = times.appStart else { return false }
      let interval = grid.interval(at: start)
      return [times.appTime, times.compositorTime, times.gpuTime].contains {
        $0 ?? .zero > interval
      }
    }
    return over * 2 > rows.count
  }

  /// Whether the app rested before a frame, or is treated as if it had. The other frames show that the app rests: a
  /// frame that took too long was not preceded by a wait for a buffer.
  func hasRested(_ row: Int) -> Bool { source == .limited || hadTime[row] }

  /// Whether a frame keeps the rate: it starts when it should, and the app had rested.
  func isKept(_ row: Int, start: Timestamp) -> Bool {
    guard hasRested(row), let step = steps[row] else { return false }
    return (step - interval).magnitude * 2 <= grid.interval(at: start)
  }

  /// The refresh at which a frame is due.
  /// - Parameter before: The refresh at which the previous frame was displayed; `nil` if there is none.
  func due(
    _ row: Int, _ times: StageTimes, start: Timestamp, before: RefreshNumber?
  ) -> RefreshNumber {
    if !hasRested(row), let before {
      let refresh = grid.interval(at: start)
      return grid.first(grid.time(before) + interval - refresh / 16)
    }
    return path.due(times, startingAt: start, grid)
  }
}

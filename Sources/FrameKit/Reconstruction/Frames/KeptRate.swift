/// The rate that a surface keeps on purpose: its frames start evenly, further apart than refreshes
/// are, and its app rests before them.
struct KeptRate {
  /// The time from start to start.
  let interval: Nanoseconds
  /// Whether a stage of its frames usually takes longer than an interval of the display, so that
  /// the app could not keep the display's rate if it would.
  let isOverBudget: Bool
  let path: UsualPath
  private let starts: AppStarts
  private let grid: RefreshGrid

  private static let fewestFrames = 10

  /// - Returns: `nil` where the surface keeps none.
  init?(
    _ starts: AppStarts, _ schedule: FrameSchedule, _ frames: Table<FrameColumn>,
    _ stages: FrameStages
  ) {
    let known = Array(starts.steps.known)
    guard known.count >= Self.fewestFrames else { return nil }
    interval = known.sorted()[known.count / 2]
    self.starts = starts
    grid = schedule.grid
    let followed = Self.followed(schedule, stages)
    var keeping: [Int32] = []
    for row in starts.steps.indices {
      guard let step = starts.steps[row], starts.hasPaused[row],
        let start = stages.appStart(row)
      else { continue }
      let refresh = grid.interval(at: start)
      let isEven = (step - interval).magnitude <= refresh / 2 && interval >= refresh * 3 / 2
      if isEven { keeping.append(Int32(row)) }
    }
    guard keeping.count >= Self.fewestFrames, keeping.count * 5 >= followed * 4 else { return nil }
    let rested = starts.hasPaused.indices.lazy.filter { starts.hasPaused[$0] }.map(Int32.init)
    let rate = interval
    path = UsualPath(schedule, stages, rows: Array(rested)) { times, refresh in
      guard let app = times.appTime, app <= max(refresh, rate - refresh / 4) else { return false }
      return times.laterTime(as: frames).map { $0 <= refresh } ?? false
    }
    isOverBudget = Self.isOverBudget(keeping, stages, grid)
  }

  /// How many frames the app made that did not come after rest.
  private static func followed(_ schedule: FrameSchedule, _ stages: FrameStages) -> Int {
    let own = (0..<stages.count).count { !stages.isGenerated($0) }
    return own - schedule.rowsAfterRest.count { !stages.isGenerated(Int($0)) } - 1
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

  /// Whether a frame keeps the rate: it starts when it should, and the app had rested.
  func isKept(_ row: Int, start: Timestamp) -> Bool {
    guard starts.hasPaused[row], let step = starts.steps[row] else { return false }
    return (step - interval).magnitude <= grid.interval(at: start) / 2
  }

  /// The refresh a frame is due at.
  /// - Parameter before: The refresh at which the frame before it was displayed; `nil` for none.
  func due(_ row: Int, start: Timestamp, before: RefreshNumber?) -> RefreshNumber {
    let refresh = grid.interval(at: start)
    if !starts.hasPaused[row], let before {
      return grid.first(grid.time(before) + interval - refresh / 16)
    }
    return path.due(startingAt: start, grid)
  }
}

extension StageTimes {
  /// How long the stages after the app took; `nil` where one that other frames have is missing.
  fileprivate func laterTime(as frames: Table<FrameColumn>) -> Nanoseconds? {
    let compositor = frames.has(.compositorStart) ? compositorTime : .zero
    let gpu = frames.has(.gpuEnd) ? gpuTime : .zero
    guard let compositor, let gpu else { return nil }
    return frames.has(.compositorStart) || frames.has(.gpuEnd) ? compositor + gpu : nil
  }
}

/// A rate that the trace or the user states: frames are due at whole numbers of its interval after
/// the last one that did not come when it was due.
struct StatedRate {
  let interval: Nanoseconds
  private let grid: RefreshGrid
  /// When that frame was displayed, and how many frames ago it was.
  private var anchor: (time: Timestamp, count: Int64)?

  init(_ interval: Nanoseconds, _ grid: RefreshGrid) {
    self.interval = interval
    self.grid = grid
  }

  /// The refresh that the next frame is due at; `nil` for the first one, and after rest.
  /// - Parameters:
  ///   - shown: The refresh at which the frame is displayed, or the one that replaces it; `nil`
  ///     for none.
  ///   - before: The refresh at which the frame before it was displayed; `nil` for none.
  mutating func due(
    shown: RefreshNumber?, before: RefreshNumber?, isAfterRest: Bool
  ) -> RefreshNumber? {
    guard let known = anchor, let before, !isAfterRest else {
      anchor = shown.map { (grid.time($0), 0) }
      return nil
    }
    let time = known.time + interval * (known.count + 1)
    let due = max(before + 1, grid.first(time - grid.interval(at: time) / 16))
    anchor =
      shown == nil || shown == due ? (known.time, known.count + 1) : (grid.time(shown ?? due), 0)
    return due
  }
}

/// How a deliberate lower rate is known.
public enum CadenceSource: String, Sendable {
  /// The trace or the user says so.
  case stated
  /// Frames start so far apart, and the app rests before them.
  case kept
  /// The distances of display times repeat.
  case displayed
}

/// A deliberate lower rate of a surface.
struct Cadence {
  let source: CadenceSource
  /// The time from frame to frame: the mean where it alternates.
  let interval: Nanoseconds
  /// Whether an app that aims at every refresh and is too slow for it could look the same.
  let isInferred: Bool
}

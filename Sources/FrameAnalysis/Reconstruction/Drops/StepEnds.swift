import FrameStatistics
import FrameTrace

/// The refreshes at which the steps of a frame ended; `nil` where the trace does not say.
struct StepEnds {
  /// The first refresh that could take the last commit.
  let commit: RefreshNumber?
  /// The refresh at which the compositor started.
  let start: RefreshNumber?
  /// The first refresh that could take or show the finished buffer.
  let queued: RefreshNumber?
  /// The first refresh after the compositor's work.
  let composed: RefreshNumber?
  private let isFilledByApp: Bool

  /// - Parameter handOver: The time from a hand-over to the first refresh that can take it.
  init(_ times: StageTimes, _ grid: RefreshGrid, handOver: Nanoseconds = .zero) {
    commit = times.commit.map { grid.first($0 + handOver) }
    // Work that starts at a refresh may start slightly early.
    start = times.compositorStart.map { grid.last($0 + grid.interval(at: $0) / 16) }
    queued = times.queued.map(grid.first)
    composed = times.compositorEnd.map(grid.first)
    isFilledByApp = times.isFilledByApp
  }

  /// The end of the app's step, no later than the start of the compositor. If the app draws into the buffers, the step
  /// includes its GPU work.
  var app: RefreshNumber? { StageTimes.earlier(isFilledByApp ? queued ?? commit : commit, start) }

  /// When the frame could be shown, according to its known stages.
  var ready: RefreshNumber? { isFilledByApp ? composed ?? queued : queued }
}

/// How many refreshes before the display time the steps of frames usually end.
struct StepLags {
  private(set) var app: Int64 = 1
  private(set) var start: Int64 = 1
  private(set) var queued: Int64 = 0
  private(set) var composed: Int64 = 0
  private(set) var commit: Int64 = 0
  private(set) var ready: Int64 = 0
  /// How long before that refresh a frame must be handed over; a compositor may take its frames
  /// well before it shows them.
  private(set) var handOver = Nanoseconds.zero

  /// The lags of stages with a budget of one interval each.
  static let classic = StepLags()

  /// The lags of stages that share one budget.
  static let immediate: StepLags = {
    var lags = StepLags()
    (lags.app, lags.start) = (0, 0)
    return lags
  }()

  private init() {}

  /// The lags of a chain that runs freely, where each step leaves `fewest` refreshes for the later steps.
  init(fewest: Int64) {
    (app, start, queued, composed, commit, ready) = (fewest, fewest, fewest, fewest, fewest, fewest)
  }

  /// The lags of a chain that runs freely.
  init(freeOf schedule: FrameSchedule, _ stages: FrameStages) {
    self.init(fewest: Self.fewestAfterFinish(schedule, stages))
    guard let lead = Self.leadOfHandOver(schedule, stages) else { return }
    let interval = schedule.grid.interval
    self.init(fewest: lead / interval)
    handOver = lead % interval
  }

  /// How long before its display time a frame must be handed over to a compositor with no other known times; `nil` if
  /// there is no compositor, or more is known.
  private static func leadOfHandOver(
    _ schedule: FrameSchedule, _ stages: FrameStages
  ) -> Nanoseconds? {
    var distances: [Nanoseconds] = []
    let rows = schedule.order.rows
    for position in stride(from: 0, to: rows.count, by: max(1, rows.count / 4096)) {
      let row = Int(rows[position])
      let times = stages[row]
      guard times.isComposited, times.queued == nil, times.compositorEnd == nil else { return nil }
      guard let commit = times.commit, let shown = schedule.displayed[row] else { continue }
      distances.append(max(.zero, schedule.grid.time(shown) - commit))
    }
    guard distances.count >= UsualPath.fewestFrames else { return nil }
    return max(.zero, UsualPath.lead(distances, schedule.grid.interval))
  }

  /// The number of refreshes from the first one that could take a finished buffer to the display of the frame: the
  /// minimum for nine in ten frames. If it is unknown when buffers were finished, their hand-over is used.
  static func fewestAfterFinish(_ schedule: FrameSchedule, _ stages: FrameStages) -> Int64 {
    let rows = schedule.order.rows
    let waits = stride(from: 0, to: rows.count, by: max(1, rows.count / 4096)).compactMap {
      let row = Int(rows[$0])
      return schedule.displayed[row].flatMap { shown in
        (stages[row].queued ?? stages[row].commit).map { max(0, shown - schedule.grid.first($0)) }
      }
    }.sorted()
    return waits.isEmpty ? 0 : waits[waits.count / 10]
  }

  /// Computes the medians over frames that were displayed.
  init(_ schedule: FrameSchedule, _ stages: FrameStages, rows: [Int32]) {
    var found: [[Int64]] = Array(repeating: [], count: 6)
    for row in rows {
      guard let shown = schedule.displayed[Int(row)] else { continue }
      let ends = StepEnds(stages[Int(row)], schedule.grid)
      let all = [ends.app, ends.start, ends.queued, ends.composed, ends.commit, ends.ready]
      for (position, end) in all.enumerated() {
        if let end { found[position].append(max(0, shown - end)) }
      }
    }
    let medians = found.map { values in
      values.sorted().medianOfSorted ?? 0
    }
    (app, start, queued) = (medians[0], medians[1], medians[2])
    (composed, commit, ready) = (medians[3], medians[4], medians[5])
  }

  /// Computes the medians over all frames, or over a sample of a long trace: how long a finished buffer usually waits
  /// for the display.
  init(_ schedule: FrameSchedule, _ stages: FrameStages) {
    let rows = schedule.order.rows
    let sample = stride(from: 0, to: rows.count, by: max(1, rows.count / 4096)).map { rows[$0] }
    self = StepLags(schedule, stages, rows: sample)
    // Where it is unknown when buffers were finished, their hand-over is used.
    if !sample.contains(where: { StepEnds(stages[Int($0)], schedule.grid).ready != nil }) {
      ready = commit
    }
  }
}

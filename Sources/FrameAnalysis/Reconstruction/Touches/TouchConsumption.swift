import FrameStatistics
import FrameTrace

/// Finds the frame that consumed a touch sample.
struct TouchConsumption {
  /// An interval of the app's work on a frame.
  private struct App {
    let row: Int
    let start: Timestamp
    let end: Timestamp
    let commit: Timestamp?
  }

  private let touches: Table<TouchColumn>
  private let timeline: SurfaceTimeline
  /// Whether samples have the time at which the app's handler ran instead of the time at which the system delivered
  /// them at a refresh.
  private let isStampedByHandler: Bool
  /// The app intervals in order of their start.
  private let apps: [App]
  /// The app intervals by the row of their frame.
  private let appsByRow: [Int: [App]]
  /// The last instant of the trace; `nil` where it has no time.
  private let end: Timestamp?
  private var grid: RefreshGrid { timeline.schedule.grid }
  private var tolerance: Nanoseconds { grid.interval / 16 }

  init(_ trace: Trace, _ timeline: SurfaceTimeline, rows: [Int], end: Timestamp?) {
    touches = trace.touches
    self.timeline = timeline
    apps = Self.apps(trace, timeline)
    appsByRow = Dictionary(grouping: apps, by: \.row)
    self.end = end
    let grid = timeline.schedule.grid
    let deliveries = rows.compactMap { trace.touches.time($0, .delivered) }
    let near = deliveries.count {
      ($0 - grid.time(grid.nearest($0))).magnitude <= grid.interval / 16
    }
    isStampedByHandler = !timeline.schedule.hasInterval || near * 5 < deliveries.count * 4
  }

  private static func apps(_ trace: Trace, _ timeline: SurfaceTimeline) -> [App] {
    var apps: [App] = []
    let commits = trace.commits
    var isListed: Set<Int> = []
    for row in timeline.commitRows.lazy.map(Int.init) {
      guard let frame = commits[row, .frame].map(Int.init), let start = commits.time(row, .appStart)
      else { continue }
      let time = commits.time(row, .time)
      let end = commits.time(row, .appEnd) ?? time ?? start
      isListed.insert(frame)
      // If an interval has several commits, the last one is used. They are close together: searching all intervals for
      // each commit would take quadratic time.
      if let same = apps.suffix(7).lastIndex(where: { $0.row == frame && $0.start == start }) {
        let commit = StageTimes.later(apps[same].commit, time)
        apps[same] = App(row: frame, start: start, end: max(start, end), commit: commit)
      } else {
        apps.append(App(row: frame, start: start, end: max(start, end), commit: time))
      }
    }
    for row in 0..<timeline.stages.count where !isListed.contains(row) {
      guard let app = timeline.stages.app(row) else { continue }
      apps.append(
        App(
          row: row, start: app.lowerBound, end: app.upperBound,
          commit: timeline.stages[row].commit))
    }
    return apps.sorted { ($0.start, $0.row) < ($1.start, $1.row) }
  }

  /// The frame that the trace says consumed a sample.
  func recorded(_ row: Int) -> Int? { touches[row, .frame].map(Int.init) }

  /// The frame with the app interval that received a sample, inferred from times; `nil` if there is none.
  func inferred(_ row: Int) -> Int? {
    guard let delivered = touches.time(row, .delivered) else { return nil }
    let running = running(at: delivered)
    if isStampedByHandler, let running { return running.row }
    let next = position(of: delivered - tolerance)
    guard next < apps.count else { return nil }
    let latest = latestStart(delivered, running, ownRow: apps[next].row)
    return apps[next].start <= latest ? apps[next].row : nil
  }

  /// The app interval that was running at a time, including its ends.
  private func running(at time: Timestamp) -> App? {
    apps[..<apps.partitioningIndex { $0.start > time }].suffix(8).last { time <= $0.end }
  }

  /// The latest start of an app interval that could take a delivery: the first refresh at which the
  /// sample was delivered and the app had ended its current work.
  private func latestStart(_ delivered: Timestamp, _ running: App?, ownRow: Int?) -> Timestamp {
    let free = running.map { $0.row == ownRow ? delivered : max(delivered, $0.end) } ?? delivered
    return grid.time(grid.first(free)) + tolerance
  }

  /// The index of the first app interval that starts at `time` or later.
  private func position(of time: Timestamp) -> Int {
    apps.partitioningIndex { $0.start >= time }
  }

  /// The interval of a frame that took a delivery: the first interval that starts at that time or later, otherwise the
  /// last one.
  func app(of frame: Int, deliveredAt time: Timestamp?) -> TouchSample.AppInterval? {
    guard let intervals = appsByRow[frame], let last = intervals.last else { return nil }
    let taker = time.flatMap { time in
      intervals.first { $0.start >= time - tolerance || (isStampedByHandler && time <= $0.end) }
    }
    let app = taker ?? last
    return TouchSample.AppInterval(start: app.start, commit: app.commit)
  }

  /// The outcome of a sample, given the frame that consumed it, if any.
  func outcome(of row: Int, frame: Int?) -> TouchSample.Outcome {
    if let frame {
      return timeline.schedule.shownBy[frame].map { .shown(by: $0) } ?? .unresolved
    }
    if touches[row, .phase] == TouchColumn.Phase.cancelled.rawValue { return .cancelled }
    guard !apps.isEmpty else { return .unknown }
    let known =
      touches.time(row, .delivered) ?? touches.time(row, .scanEnd) ?? touches.time(row, .scanStart)
    guard let known else { return .undelivered }
    // A sample that could still have been consumed after the end of the trace is not lost.
    let latest = latestStart(known, running(at: known), ownRow: nil)
    let isOpen = end.map { latest > $0 } ?? false
    return isOpen ? .unresolved : .undelivered
  }
}

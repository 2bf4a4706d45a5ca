/// Finds the frame that consumed a touch sample.
struct TouchConsumption {
  /// An interval of the app's work on a frame.
  private struct App {
    let row: Int
    let start: Int64
    let end: Int64
    let commit: Int64?
  }

  private let touches: Table<TouchColumn>
  private let timeline: SurfaceTimeline
  /// Whether samples are stamped when the app's handler ran, and not when the system gave
  /// them out at a refresh.
  private let isStampedByHandler: Bool
  /// The app intervals in order of their start.
  private let apps: [App]
  /// The same by the row of their frame.
  private let appsByRow: [Int: [App]]
  /// The last instant of the trace.
  private let end: Int64
  private var grid: RefreshGrid { timeline.schedule.grid }
  private var tolerance: Int64 { grid.interval / 16 }

  init(_ trace: Trace, _ timeline: SurfaceTimeline, rows: [Int], end: Int64) {
    touches = trace.touches
    self.timeline = timeline
    apps = Self.apps(trace, timeline)
    appsByRow = Dictionary(grouping: apps, by: \.row)
    self.end = end
    let grid = timeline.schedule.grid
    let deliveries = rows.compactMap { trace.touches[$0, .delivered] }
    let near = deliveries.count { abs($0 - grid.time(grid.nearest($0))) <= grid.interval / 16 }
    isStampedByHandler = !timeline.schedule.hasInterval || near * 5 < deliveries.count * 4
  }

  private static func apps(_ trace: Trace, _ timeline: SurfaceTimeline) -> [App] {
    var apps: [App] = []
    let commits = trace.commits
    var isListed: Set<Int> = []
    for row in 0..<commits.count where commits[row, .surface] == Int64(timeline.surface) {
      guard let frame = commits[row, .frame].map(Int.init), let start = commits[row, .appStart]
      else { continue }
      let time = commits[row, .time]
      let end = commits[row, .appEnd] ?? time ?? start
      isListed.insert(frame)
      // Of several commits of an interval the last one stands for it.
      if let same = apps.lastIndex(where: { $0.row == frame && $0.start == start }),
        apps.count - same < 8
      {
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

  /// The frame whose app interval was given a sample, as far as times tell; `nil` for none.
  func inferred(_ row: Int) -> Int? {
    guard let delivered = touches[row, .delivered] else { return nil }
    let running = running(at: delivered)
    if isStampedByHandler, let running { return running.row }
    let next = place(of: delivered - tolerance)
    guard next < apps.count else { return nil }
    let latest = latestStart(delivered, running, ownRow: apps[next].row)
    return apps[next].start <= latest ? apps[next].row : nil
  }

  /// The app interval at work at a time, ends included.
  private func running(at time: Int64) -> App? {
    apps[..<place(of: time + 1)].suffix(8).last { time <= $0.end }
  }

  /// When an app interval has to have started to take what was delivered at a time: by the
  /// first refresh at which it was there and the app had ended what it was at.
  private func latestStart(_ delivered: Int64, _ running: App?, ownRow: Int?) -> Int64 {
    let free = running.map { $0.row == ownRow ? delivered : max(delivered, $0.end) } ?? delivered
    return grid.time(grid.first(free)) + tolerance
  }

  /// The place of the first app interval that starts at `time` or later.
  private func place(of time: Int64) -> Int {
    apps.boundary { $0.start >= time }
  }

  /// The interval of a frame that took what was delivered at a time: the first one that
  /// starts then or later, else the last one.
  func app(of frame: Int, deliveredAt time: Int64?) -> TouchSample.AppInterval? {
    guard let intervals = appsByRow[frame], let last = intervals.last else { return nil }
    let taker = time.flatMap { time in
      intervals.first { $0.start >= time - tolerance || (isStampedByHandler && time <= $0.end) }
    }
    let app = taker ?? last
    return TouchSample.AppInterval(start: app.start, commit: app.commit)
  }

  /// What became of a sample that a frame consumed, or none.
  func outcome(of row: Int, frame: Int?) -> TouchSample.Outcome {
    if let frame {
      let shown = timeline.schedule.shownBy[frame]
      return shown < 0 ? .unresolved : .shown(by: Int(shown))
    }
    if touches[row, .phase] == TouchColumn.Phase.cancelled.rawValue { return .cancelled }
    guard !apps.isEmpty else { return .unknown }
    let known = touches[row, .delivered] ?? touches[row, .scanEnd] ?? touches[row, .scanStart]
    guard let known else { return .undelivered }
    // What could still have been taken after the end of the trace is not lost.
    let isOpen = latestStart(known, running(at: known), ownRow: nil) > end
    return isOpen ? .unresolved : .undelivered
  }
}

/// Finds the frame that consumed a touch sample.
struct TouchConsumption {
  private let touches: Table<TouchColumn>
  private let timeline: SurfaceTimeline
  /// Whether samples are stamped when the app's handler ran, and not when the system gave
  /// them out at a refresh.
  private let isStampedByHandler: Bool
  /// The app intervals in order of their start, each with the row of its frame.
  private let apps: [(row: Int, start: Int64, end: Int64)]
  private var grid: RefreshGrid { timeline.schedule.grid }

  init(_ trace: Trace, _ timeline: SurfaceTimeline, rows: [Int]) {
    touches = trace.touches
    self.timeline = timeline
    apps = rows.isEmpty ? [] : Self.apps(trace, timeline)
    let grid = timeline.schedule.grid
    let deliveries = rows.compactMap { trace.touches[$0, .delivered] }
    let near = deliveries.count { abs($0 - grid.time(grid.nearest($0))) <= grid.interval / 16 }
    isStampedByHandler = near * 5 < deliveries.count * 4
  }

  private static func apps(
    _ trace: Trace, _ timeline: SurfaceTimeline
  ) -> [(row: Int, start: Int64, end: Int64)] {
    var apps: [(row: Int, start: Int64, end: Int64)] = []
    for row in 0..<timeline.stages.count {
      if let app = timeline.stages.app(row) { apps.append((row, app.lowerBound, app.upperBound)) }
    }
    let commits = trace.commits
    for row in 0..<commits.count where commits[row, .surface] == Int64(timeline.surface) {
      guard let frame = commits[row, .frame], let start = commits[row, .appStart] else { continue }
      let end = commits[row, .appEnd] ?? commits[row, .time] ?? start
      apps.append((Int(frame), start, max(start, end)))
    }
    return apps.sorted { ($0.start, $0.row) < ($1.start, $1.row) }
  }

  /// The frame that consumed a sample: the recorded one, else the one whose app interval was
  /// given it.
  /// - Returns: The frame's row, `nil` when there is none, and whether it is inferred.
  func frame(of row: Int) -> (frame: Int?, isInferred: Bool) {
    if let linked = touches[row, .frame] { return (Int(linked), false) }
    guard let delivered = touches[row, .delivered] else { return (nil, false) }
    return (inferred(delivered), true)
  }

  private func inferred(_ delivered: Int64) -> Int? {
    let next = place(of: delivered - grid.interval / 16)
    // The last app interval that began before may still have been running.
    let started = place(of: delivered + 1)
    let running = apps[..<started].suffix(8).last { delivered < $0.end }
    if isStampedByHandler, let running { return running.row }
    guard next < apps.count else { return nil }
    let candidate = apps[next]
    let busy = running.map { $0.row == candidate.row ? delivered : max(delivered, $0.end) }
    let latest = grid.time(grid.first(busy ?? delivered)) + grid.interval / 16
    return candidate.start <= latest ? candidate.row : nil
  }

  /// The place of the first app interval that starts at `time` or later.
  private func place(of time: Int64) -> Int {
    var low = 0
    var high = apps.count
    while low < high {
      let middle = (low + high) / 2
      if apps[middle].start < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// What became of a sample that a frame consumed, or none.
  func outcome(of row: Int, frame: Int?) -> TouchSample.Outcome {
    if let frame {
      let shown = timeline.schedule.shownBy[frame]
      return shown < 0 ? .unresolved : .shown(by: Int(shown))
    }
    if touches[row, .phase] == TouchColumn.Phase.cancelled.rawValue { return .cancelled }
    // What came when the app was about to be busy for the last time may have been consumed
    // behind the end of the trace.
    let known = touches[row, .delivered] ?? touches[row, .scanEnd] ?? touches[row, .scanStart]
    guard let known, let last = apps.last else { return .undelivered }
    return known > last.start ? .unresolved : .undelivered
  }
}

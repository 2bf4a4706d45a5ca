import FrameStatistics
package import FrameTrace

/// The frames of a surface of a trace: their stages, and when each was shown and due.
package struct SurfaceTimeline {
  /// The surface's index in the trace's list.
  package let surface: Int
  /// The rows of the surface's inputs, commits and buffer events in the tables of the trace.
  package let touchRows, commitRows, bufferEventRows: ArraySlice<Int32>
  package let stages: FrameStages
  package let schedule: FrameSchedule
  /// The frames that were displayed later than they were due.
  let late: [LateFrame]
  /// How long each stage usually takes; empty until a charge needs it.
  private(set) var usual = UsualTimes()
  /// An upper bound of the refreshes that would be dropped if an app that keeps a lower rate, and may be too slow for
  /// the display's, aimed at every refresh; `nil` if the app keeps no lower rate or could do more.
  let droppedIfEager: [Range<RefreshNumber>]?
  private let expected: IntegerColumn?
  /// Whether the trace shows for any frame when the app waited for a buffer.
  let knowsBufferWaits: Bool
  private let releases: ColumnTimes
  /// The rows of frames that reached the display by a different path than the previous ones, in order.
  private let modeChanges: [Int32]

  /// - Parameter rows: The rows of all surfaces.
  init(_ trace: Trace, surface: Int, _ refreshes: DisplayRefreshes, _ rows: TraceRows) {
    self.surface = surface
    touchRows = rows.touches[surface]
    commitRows = rows.commits[surface]
    bufferEventRows = rows.bufferEvents[surface]
    stages = FrameStages(trace, surface: surface, commits: commitRows)
    let frames = trace.surfaces[surface].frames
    expected = frames.stored(.expectedDisplay)
    knowsBufferWaits = frames.has(.bufferWaitEnd)
    releases = ColumnTimes(frames, .released)
    let shown = FrameSchedule(trace, surface: surface, stages, refreshes, touches: touchRows)
    let own = trace.surfaces[surface]
    schedule = DueTimes.fill(shown, own, stages, isNumbered: refreshes.isNumbered)
    late = Array(LateFrames(schedule))
    modeChanges = Self.modeChanges(frames, schedule)
    let isInferred = schedule.cadence?.isInferred == true && schedule.cadence?.source != .displayed
    if schedule.unjudged != nil {
      droppedIfEager = schedule.repeats
    } else if isInferred {
      let eager = DueTimes.fill(
        shown, own, stages, isNumbered: refreshes.isNumbered, keepingRate: false)
      droppedIfEager = LateFrames(eager).flatMap(\.dropped)
    } else {
      droppedIfEager = nil
    }
  }

  /// Whether the source states when the frame in a row was expected.
  package func hasExpected(_ row: Int) -> Bool { expected?[row] != nil }

  /// When the buffer of the frame in a row was released; `nil` where the trace does not say.
  package func released(_ row: Int) -> Timestamp? { releases[row] }

  /// Whether the path to the display changed with the frame in a row. Such a change takes the system several refreshes.
  func changedMode(_ row: Int) -> Bool {
    let position = modeChanges.partitioningIndex { $0 >= Int32(row) }
    return position < modeChanges.count && modeChanges[position] == Int32(row)
  }

  private static func modeChanges(_ frames: Table<FrameColumn>, _ schedule: FrameSchedule)
    -> [Int32]
  {
    guard let modes = frames.stored(.presentMode), modes.constantValue == nil else { return [] }
    var before: Int64?
    var found: [Int32] = []
    for row in schedule.order.rows {
      let mode = modes[Int(row)]
      if let before, let mode, mode != before { found.append(row) }
      before = mode ?? before
    }
    return found.sorted()
  }

  /// Whether any refresh was dropped.
  var hasDrops: Bool { late.contains { !$0.dropped.isEmpty } }

  /// The timeline, including how long each stage usually takes.
  func withUsualTimes() -> SurfaceTimeline {
    var timeline = self
    timeline.usual = UsualTimes(stages, schedule, hasDropped: hasDropped)
    return timeline
  }

  /// For each frame, whether the display repeated an earlier frame because of it, in time linear in the number of
  /// frames.
  var hasDropped: [Bool] {
    var hasDropped = [Bool](repeating: false, count: stages.count)
    for frame in late where !frame.dropped.isEmpty { hasDropped[frame.row] = true }
    return hasDropped
  }

  /// How many frames a stage started before a time, approximately: the frames are in the order of that stage, with few
  /// exceptions.
  func count(startedBefore time: Timestamp, _ order: FrameStages.Order) -> Int {
    (0..<stages.count).partitioningIndex { stages.start($0, order) ?? .earliest >= time }
  }
}

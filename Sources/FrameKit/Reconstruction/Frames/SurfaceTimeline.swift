/// The frames of a surface of a trace: their stages, and when each was shown and due.
struct SurfaceTimeline {
  /// The surface, by its place in the trace's list.
  let surface: Int
  let stages: FrameStages
  let schedule: FrameSchedule
  /// The frames that came later than they were due.
  let late: [LateFrame]
  /// How long each stage usually takes; nothing until a charge asks for it.
  private(set) var usual = UsualTimes()

  init(_ trace: Trace, surface: Int, _ refreshes: DisplayRefreshes) {
    self.surface = surface
    stages = FrameStages(trace, surface: surface)
    let frames = trace.surfaces[surface].frames
    schedule = DueTimes.fill(
      FrameSchedule(trace, surface: surface, stages, refreshes), frames, stages,
      isNumbered: refreshes.isNumbered)
    late = Array(LateFrames(schedule))
  }

  /// Whether any refresh was dropped.
  var hasDrops: Bool { late.contains { !$0.dropped.isEmpty } }

  /// Finds how long each stage usually takes.
  mutating func findUsualTimes() {
    usual = UsualTimes(stages, schedule, late: droppedRows)
  }

  /// The rows of the frames in whose place the display repeated an earlier one.
  var droppedRows: Set<Int> { Set(late.lazy.filter { !$0.dropped.isEmpty }.map(\.row)) }

  /// The last row whose frame the compositor started before a time, or close to it; −1 when
  /// there is none. Frames are in order of time, but for a few.
  func lastRow(startedBefore time: Int64, _ order: FrameStages.Order) -> Int {
    (0..<stages.count).boundary { stages.start($0, order) ?? .min >= time } - 1
  }
}

/// A frame that was displayed later than it was due.
struct LateFrame {
  let row: Int
  /// The refresh at which the frame was due.
  let due: RefreshNumber
  /// The refresh at which the frame, or the frame that replaced it, was shown.
  let shown: RefreshNumber
  /// The row of the last frame displayed before it; `nil` for the first of a surface.
  let before: Int?
  /// The refreshes that count as dropped for the frame, in order; empty if earlier frames covered all. There are
  /// several ranges only on a display that waits for frames.
  let dropped: [Range<RefreshNumber>]

  /// How many refreshes late the frame was.
  var lateness: Int64 { shown - due }
  /// How many of these refreshes are not counted: another frame was due at them or was shown at them.
  var hidden: Int64 { lateness - droppedCount }
  /// How many refreshes are dropped.
  var droppedCount: Int64 { dropped.reduce(0) { $0 + Int64($1.count) } }
}

/// Iterates over the frames of a surface and finds the late ones.
struct LateFrames: Sequence, IteratorProtocol {
  private let schedule: FrameSchedule
  private var row = 0
  /// The first refresh counted for an older frame that was replaced by the next shown frame.
  private var counted: RefreshNumber?

  init(_ schedule: FrameSchedule) { self.schedule = schedule }

  mutating func next() -> LateFrame? {
    while row < schedule.displayed.count {
      let late = lateFrame()
      if schedule.displayed[row] != nil { counted = nil }
      row += 1
      if let late { return late }
    }
    return nil
  }

  private mutating func lateFrame() -> LateFrame? {
    guard let due = schedule.due[row], let shown = schedule.shownRefresh(row), shown > due else {
      return nil
    }
    // The first frame of a surface, and the frames that it replaced, drop nothing.
    let start = schedule.refreshBefore(row).map { Swift.max(due, $0 + 1) } ?? shown
    let end = counted.map { Swift.min(shown, $0) } ?? shown
    var dropped = start < end ? [start..<end] : []
    if schedule.isVariable { dropped = dropped.flatMap(schedule.repeated) }
    counted = Swift.min(end, dropped.first?.lowerBound ?? end)
    return LateFrame(
      row: row, due: due, shown: shown, before: schedule.order.before[row], dropped: dropped)
  }
}

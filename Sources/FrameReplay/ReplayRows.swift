import FrameAnalysis
import FrameTrace

/// Fills in the rows of a replay's frames, with the columns of the recording.
struct ReplayRows {
  /// For each frame column, whether the recording has it.
  private let isRecorded: [Bool]
  private let refreshes: ReplayRefreshes

  init(_ recorded: Table<FrameColumn>, _ refreshes: ReplayRefreshes) {
    isRecorded = FrameColumn.allCases.map(recorded.has)
    self.refreshes = refreshes
  }

  private func has(_ column: FrameColumn) -> Bool { isRecorded[column.rawValue] }

  /// Fills in the row of a frame.
  /// - Parameter work: The replayed work.
  func fill(
    _ row: inout Table<FrameColumn>.Row, _ frame: ReplayedFrame, _ work: Span<ReplayedWork>
  ) {
    let newest = frame.work.upperBound - 1
    // A recorder that lists commits knows the newest app interval.
    let app = frame.more.last ?? (frame.appStart, frame.appEnd, frame.commit)
    func set(_ column: FrameColumn, _ value: Int64?, _ row: inout Table<FrameColumn>.Row) {
      if has(column) { row[column] = value }
    }
    set(.appStart, app.start, &row)
    set(.appEnd, app.end, &row)
    set(.commit, app.commit, &row)
    set(.bufferWaitStart, frame.blocked?.lowerBound, &row)
    set(.bufferWaitEnd, frame.blocked?.upperBound, &row)
    set(.compositorStart, frame.compositor?.lowerBound, &row)
    set(.compositorEnd, frame.compositor?.upperBound, &row)
    set(.gpuStart, frame.gpu.lowerBound, &row)
    // If only the end of the GPU's work is known, the work counts as part of the time before the
    // buffer is finished.
    set(.gpuEnd, has(.gpuStart) ? frame.gpu.upperBound : frame.queued, &row)
    set(.queued, frame.queued, &row)
    set(.fenceSignaled, frame.queued, &row)
    set(.released, frame.released, &row)
    row[.displayed] = frame.displayed
    row[.displayedRefresh] = frame.refresh
    row[.replaced] = frame.displayed == nil ? nil : frame.replaced
    if frame.displayed == nil { row[.fate] = FrameColumn.Fate.discarded.rawValue }
    if has(.mode) {
      row[.mode] = (frame.isLowLatency ? FrameColumn.Mode.lowLatency : .classic).rawValue
    }
    set(.animating, work[newest].animates ? 1 : nil, &row)
    set(.startRefresh, frame.startRefresh, &row)
    if let start = frame.startRefresh, let due = work[newest].due {
      set(.expectedDisplay, refreshes.time(start + due), &row)
    }
  }
}

import FrameAnalysis
import FrameTrace

/// The frames of a surface as the published rules view them, in order of their commits.
struct RuleFrames {
  struct Frame {
    let row: Int
    var start, commit: Timestamp
    /// When the compositor began, and when it was finished; `nil` if nothing shows this.
    var composed: (start: Timestamp, end: Timestamp)?
    /// When the GPU was finished; `nil` if nothing shows this.
    var gpuEnd: Timestamp?
    var displayed: Timestamp?
    var expectedEnd, expectedDisplay: Timestamp?
    /// The refresh that started the app on the frame.
    var startRefresh: RefreshNumber
  }

  let surface: Int
  let isFilledByApp: Bool
  let grid: RefreshGrid
  let frames: [Frame]
  let isVariable: Bool

  /// - Parameters:
  ///   - index: The surface's index in the study's trace.
  ///   - position: The surface's position among those with frames.
  init(_ study: Study, _ index: Int, _ position: Int) {
    let schedule = study.pipeline().surfaces[index].timeline.schedule
    let surface = study.trace.surfaces[index]
    (self.surface, grid, isVariable) = (position, schedule.grid, schedule.isVariable)
    isFilledByApp = surface.isFilledByApp
    let table = surface.frames
    frames = (0..<table.count).compactMap { row -> Frame? in
      guard table[row, .kind] != FrameColumn.Kind.generated.rawValue,
        let start = table.time(row, .appStart), let commit = table.time(row, .commit)
      else { return nil }
      let composed = table.time(row, .compositorStart).flatMap { start in
        table.time(row, .compositorEnd).map { (start: start, end: $0) }
      }
      let leeway = Nanoseconds(schedule.grid.interval(at: start).count / 16)
      return Frame(
        row: row, start: start, commit: commit, composed: composed,
        gpuEnd: table.time(row, .gpuEnd) ?? table.time(row, .queued),
        displayed: table.time(row, .displayed), expectedEnd: table.time(row, .deadline),
        expectedDisplay: table.time(row, .expectedDisplay),
        startRefresh: schedule.grid.last(start + leeway))
    }.sorted { ($0.commit, $0.row) < ($1.commit, $1.row) }
  }

  /// The frames that were shown, in order of time.
  var shown: [(frame: Frame, displayed: Timestamp)] {
    frames.compactMap { frame in frame.displayed.map { (frame, $0) } }
      .sorted { ($0.displayed, $0.frame.row) < ($1.displayed, $1.frame.row) }
  }

  /// The refresh that a display time represents.
  func refresh(_ time: Timestamp) -> RefreshNumber {
    grid.last(time + Nanoseconds(grid.interval(at: time).count / 2))
  }

  func finding(_ frame: Frame, _ stage: PipelineStage?) -> DetectorOutput.Finding {
    DetectorOutput.Finding(surface: surface, frame: frame.row, stage: stage)
  }

  /// The refreshes, starting with a given one, that repeated an older frame.
  func finding(
    from first: RefreshNumber, upTo end: RefreshNumber, _ stage: PipelineStage?
  ) -> DetectorOutput.Finding? {
    guard first < end else { return nil }
    return DetectorOutput.Finding(
      surface: surface, refresh: first.number, time: grid.time(first).nanoseconds,
      count: end - first, stage: stage)
  }

  /// The usual number of refreshes from a frame's start to its display time: the number that a tenth of the frames are
  /// below.
  var usualLag: Int64 {
    let lags = shown.map { refresh($0.displayed) - $0.frame.startRefresh }.sorted()
    return lags.isEmpty ? 2 : max(1, lags[lags.count / 10])
  }
}

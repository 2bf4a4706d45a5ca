import FrameStatistics
import FrameTrace

/// The stretches of more than 500 ms in which a surface shows no new frame, each with its cause.
///
/// Time in which the app is known to have had nothing to draw is not a stop: that time ends when work on a frame is
/// known to have begun. If nothing was displayed, hand-overs or starts are used instead of display times.
struct SurfaceStops {
  /// One stop.
  struct Stop {
    /// The time from the last new frame, or from the start of the work after a rest, to the next new frame.
    let range: Range<Timestamp>
    /// The row of the frame that ends the stop; if the source states start-to-start times, the row of the frame that
    /// took this long.
    let row: Int32
    let cause: StopCause
  }

  /// The stops in the order of the frames that end them.
  private(set) var all: [Stop] = []
  /// The stops that are not judged as late frames: nothing is due during such a stop.
  private var unjudged: [Stop] = []
  /// The rows of frames that were made during those stops and never shown, in order; their outcome is unknown.
  private(set) var unshown: [Int32] = []
  /// The rows of those unshown frames that were made for a hidden window, in order.
  private(set) var hidden: [Int32] = []

  /// A longer time without a new frame is a stop.
  static let shortest = Nanoseconds(500_000_000)
  /// If a frame takes longer, its cause is unknown in any source, and it counts with this length in figures.
  static let longestFrame = Nanoseconds(10_000_000_000)

  /// A time between two consecutive frames.
  fileprivate struct Gap {
    /// The previous frame, and the frame that ends the gap. They are the same if the source states the frame's length.
    let rows: (before: Int, after: Int)
    let time: Range<Timestamp>
  }

  /// Creates an empty list.
  init() {}

  /// - Parameters:
  ///   - order: The rows of frames that were displayed, in order of display.
  ///   - displayed: When the frame in a row was displayed.
  init(
    _ frames: Table<FrameColumn>, order: [Int32], displayed: @escaping (Int) -> Timestamp?,
    _ stages: FrameStages
  ) {
    var gaps: [Gap] = []
    var last: (row: Int, time: Timestamp?)?
    for row in order.lazy.map(Int.init) {
      let time = displayed(row)
      defer { last = (row, time) }
      guard let end = time, let (before, since) = last, let start = since,
        end - start > Self.shortest
      else { continue }
      gaps.append(Gap(rows: (before, row), time: start..<end))
    }
    if order.isEmpty { gaps = frames.gapsWithoutDisplay }
    self.init(gaps, StopEvidence(frames, displayed, stages))
  }

  /// The stops of a surface, based only on the recorded times of its frames.
  init(_ surface: Surface) {
    let frames = surface.frames
    let gaps = frames.has(.displayed) ? frames.gapsOfDisplay : frames.gapsWithoutDisplay
    guard !gaps.isEmpty else {
      self.init()
      return
    }
    let stages = FrameStages(surface)
    let shown = ColumnTimes(frames, .displayed)
    self.init(gaps, StopEvidence(frames, { shown[$0] }, stages))
  }

  private init(_ gaps: [Gap], _ evidence: StopEvidence) {
    for gap in gaps {
      guard let stop = evidence.stop(in: gap) else { continue }
      all.append(stop)
      guard !stop.cause.isJudged else { continue }
      let made = evidence.unshown(gap.rows.before + 1..<max(gap.rows.after, gap.rows.before + 1))
      unshown += made
      if stop.cause.isRest { hidden += made }
    }
    all.sort { $0.row < $1.row }
    unjudged = all.filter { !$0.cause.isJudged }
  }

  /// Whether every stop is judged like late frames.
  var areJudged: Bool { unjudged.isEmpty }

  /// The stretches in which nothing was due, in the order of ``all``.
  var unjudgedRanges: [Range<Timestamp>] { unjudged.map(\.range) }

  /// How long stops of unknown cause took within a range.
  func unknownTime(within range: Range<Timestamp>) -> Nanoseconds {
    // Stops of times that contradict each other may overlap.
    var (time, end) = (Nanoseconds.zero, range.lowerBound)
    let ranges = unjudged.filter { $0.cause == .unknown }.map(\.range)
    for stop in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where stop.upperBound > end {
      time += (max(stop.lowerBound, end)..<stop.upperBound).clamped(to: range).length
      end = stop.upperBound
    }
    return time
  }

  /// The stop that ends with the frame in a row, if nothing is due in that stop; `nil` if there is none.
  func unjudgedRange(before row: Int) -> Range<Timestamp>? {
    guard !unjudged.isEmpty else { return nil }
    let index = unjudged.partitioningIndex { $0.row >= Int32(row) }
    return index < unjudged.count && unjudged[index].row == Int32(row)
      ? unjudged[index].range : nil
  }

  /// Whether the frame in a row was made in a stop in which nothing is due, and never shown.
  func isUnshown(_ row: Int) -> Bool { unshown.holds(row) }

  /// Whether the frame in a row was made for a hidden window.
  func isHidden(_ row: Int) -> Bool { hidden.holds(row) }
}

extension [Int32] {
  /// Whether the array, which is in order, contains a row.
  fileprivate func holds(_ row: Int) -> Bool {
    guard !isEmpty else { return false }
    let index = partitioningIndex { $0 >= Int32(row) }
    return index < count && self[index] == Int32(row)
  }
}

/// What the source records about the frames around a time without new frames.
private struct StopEvidence {
  private let displayed: (Int) -> Timestamp?
  private let stages: FrameStages
  private var measuresStarts: Bool { stages.evidence.measuresStarts }
  private let fates: IntegerColumn?
  private let expected: IntegerColumn?

  init(
    _ frames: Table<FrameColumn>, _ displayed: @escaping (Int) -> Timestamp?,
    _ stages: FrameStages
  ) {
    self.displayed = displayed
    self.stages = stages
    (fates, expected) = (frames.stored(.fate), frames.stored(.expectedDisplay))
  }

  /// The frames in a range of rows that were never displayed.
  func unshown(_ rows: Range<Int>) -> [Int32] {
    rows.filter { displayed($0) == nil }.map(Int32.init)
  }

  /// - Returns: `nil` where there is none: a frame may have been shown at an unrecorded time, or the app rested for
  ///   all but 500 ms.
  func stop(in gap: SurfaceStops.Gap) -> SurfaceStops.Stop? {
    let (before, row) = gap.rows
    let between = before + 1..<max(row, before + 1)
    guard !between.contains(where: { FrameColumn.Fate.hidesDisplay(fates?[$0]) }) else {
      return nil
    }
    let made = unshown(between).map(Int.init)
    let stop = { (start: Timestamp, cause: StopCause) in
      SurfaceStops.Stop(range: start..<gap.time.upperBound, row: Int32(row), cause: cause)
    }
    let (since, end) = (gap.time.lowerBound, gap.time.upperBound)
    if !made.isEmpty, made.allSatisfy(isDiscarded),
      longestStage(made, over: (end - since) / 4) == nil
    {
      return stop(since, .hidden)
    }
    let begun = measuresStarts ? (made + [row]).compactMap(stages.earliest).min() : nil
    let start = min(max(begun ?? since, since), end)
    guard end - start > SurfaceStops.shortest else { return nil }
    if measuresStarts, made.isEmpty, end - start > SurfaceStops.longestFrame {
      return stop(start, .unknown)
    }
    if let stage = longestStage(made + [row], over: (end - start) / 4) {
      return stop(start, .freeze(stage))
    }
    let isDue = (made + [row]).contains { expected?[$0] != nil }
    return stop(start, isDue || isAtWork(row, in: start..<end) ? .freeze(.unknown) : .unknown)
  }

  /// Whether the app is known to have worked on a frame, or to have waited for something the frame needs, for more than
  /// half of a period.
  private func isAtWork(_ row: Int, in time: Range<Timestamp>) -> Bool {
    guard measuresStarts, let app = stages.app(row) else { return false }
    return app.clamped(to: time).length * 2 > time.length
  }

  private func isDiscarded(_ row: Int) -> Bool {
    fates?[row] == FrameColumn.Fate.discarded.rawValue
  }

  /// The stage that worked longest on any one of the frames; `nil` if none is known to have worked longer than `limit`.
  /// If starts are not measured, the app's work includes its rest, and shows nothing.
  private func longestStage(_ rows: [Int], over limit: Nanoseconds) -> PipelineStage? {
    var longest: (stage: PipelineStage, time: Nanoseconds)?
    for row in rows {
      let times = stages[row]
      let known: [(PipelineStage, Nanoseconds?)] = [
        (.app, measuresStarts ? times.appTime : nil), (.compositor, times.compositorTime),
        (.gpu, measuresStarts ? times.gpuBusy ?? times.gpuTime : times.gpuBusy),
      ]
      for case (let stage, let time?) in known where time > limit {
        if time > longest?.time ?? .zero { longest = (stage, time) }
      }
    }
    return longest?.stage
  }
}

extension Table<FrameColumn> {
  /// The long gaps between display times, in the order of the rows.
  fileprivate var gapsOfDisplay: [SurfaceStops.Gap] { gaps(between: .displayed) }

  /// The long gaps between frames if none was displayed, based on the times that determine frame times.
  fileprivate var gapsWithoutDisplay: [SurfaceStops.Gap] {
    for column in [FrameColumn.presentInterval, .startInterval] {
      if let lengths = stored(column) {
        return statedGaps(lengths, isUntilNext: column == .startInterval)
      }
    }
    let first = [FrameColumn.commit, .appStart, .queued].first(where: has)
    return first.map(gaps(between:)) ?? []
  }

  private func gaps(between column: FrameColumn) -> [SurfaceStops.Gap] {
    guard let times = stored(column) else { return [] }
    var gaps: [SurfaceStops.Gap] = []
    var last: (row: Int, time: Int64)?
    for row in 0..<count {
      let distance = times.raw(row)
      guard distance != IntegerColumn.missing else { continue }
      let time = references[row] &+ distance
      // No time is beyond ``Timestamp/bound``, so their difference does not wrap.
      if let last, time &- last.time > SurfaceStops.shortest.count {
        let range = Timestamp(nanoseconds: last.time)..<Timestamp(nanoseconds: time)
        gaps.append(SurfaceStops.Gap(rows: (last.row, row), time: range))
      }
      last = (row, time)
    }
    return gaps
  }

  /// - Parameter isUntilNext: Whether a length extends from a frame to the next one.
  private func statedGaps(_ lengths: IntegerColumn, isUntilNext: Bool) -> [SurfaceStops.Gap] {
    (0..<count).compactMap { row in
      let length = lengths.raw(row)
      guard length != IntegerColumn.missing, length > SurfaceStops.shortest.count else {
        return nil
      }
      let time = reference(row)
      let range =
        isUntilNext ? time..<time + Nanoseconds(length) : time - Nanoseconds(length)..<time
      return SurfaceStops.Gap(rows: (row, row), time: range)
    }
  }
}

import FrameStatistics
import FrameTrace

/// Gaps between frames of a surface for which the source cannot show whether nothing was due or the
/// program hung.
///
/// A source that does not measure when the work on a frame began counts idle time as work: a
/// machine that slept, or a window that was hidden, looks like one frame of hours. In any source, a compositor asks a
/// hidden window for about one frame a second, and throws it away.
struct SurfacePauses {
  /// From the display of one frame to that of the next, in the order of the frames that end them.
  private(set) var ranges: [Range<Timestamp>] = []
  /// The rows of the frames that end pauses, in order.
  private(set) var rows: [Int32] = []
  /// Rows of frames that were made during pauses and not shown, in order; their outcome is unknown.
  private(set) var hidden: [Int32] = []

  /// A longer time between two frames is a pause in a source that does not measure starts.
  static let longestGap = Nanoseconds(500_000_000)
  /// A frame that takes longer is a pause in any source.
  static let longestFrame = Nanoseconds(10_000_000_000)

  /// Creates an empty list of pauses.
  init() {}

  /// Two frames that were displayed one after the other, with more time between them than ``longestGap``.
  fileprivate struct Gap {
    let rows: (before: Int, after: Int)
    let time: Range<Timestamp>
  }

  /// - Parameters:
  ///   - order: The rows of frames that were displayed, in order of display.
  ///   - displayed: When the frame in a row was displayed.
  ///   - isUnseen: Whether the frame in a row may have been displayed at an unrecorded time.
  ///   - measuresStarts: Whether the source measures when the work on frames began.
  init(
    order: [Int32], displayed: (Int) -> Timestamp?, isUnseen: (Int) -> Bool, _ stages: FrameStages,
    measuresStarts: Bool
  ) {
    var gaps: [Gap] = []
    var last: (row: Int, time: Timestamp?)?
    for row in order.lazy.map(Int.init) {
      let time = displayed(row)
      defer { last = (row, time) }
      guard let end = time, let (before, since) = last, let start = since,
        end - start > Self.longestGap
      else { continue }
      gaps.append(Gap(rows: (before, row), time: start..<end))
    }
    self.init(
      gaps, displayed: displayed, isUnseen: isUnseen, stages, measuresStarts: measuresStarts)
  }

  private init(
    _ gaps: [Gap], displayed: (Int) -> Timestamp?, isUnseen: (Int) -> Bool, _ stages: FrameStages,
    measuresStarts: Bool
  ) {
    var found: [(range: Range<Timestamp>, row: Int32)] = []
    for gap in gaps {
      let (before, row) = gap.rows
      let (start, end) = (gap.time.lowerBound, gap.time.upperBound)
      let between = before + 1..<max(row, before + 1)
      let isGap =
        !measuresStarts || Self.isOfHiddenWindow(between, end - start, displayed, stages)
      let begin = end - start > Self.longestFrame ? stages.appStart(row) : nil
      let isLong = begin.map { end - $0 > Self.longestFrame } ?? false
      guard isGap || isLong else { continue }
      guard !between.contains(where: isUnseen) else { continue }
      found.append(((isGap ? start : max(start, begin ?? start))..<end, Int32(row)))
      hidden += between.filter { displayed($0) == nil }.map(Int32.init)
    }
    found.sort { $0.row < $1.row }
    (ranges, rows) = (found.map(\.range), found.map(\.row))
  }

  /// Whether the frames of a gap are those of a hidden window: none shown, no more of them than one for each half
  /// second, and little work.
  private static func isOfHiddenWindow(
    _ rows: Range<Int>, _ gap: Nanoseconds, _ displayed: (Int) -> Timestamp?,
    _ stages: FrameStages
  ) -> Bool {
    guard !rows.isEmpty, longestGap * Int64(rows.count) <= gap else { return false }
    var work = Nanoseconds.zero
    for row in rows {
      guard displayed(row) == nil, let time = stages[row].time(in: .app) else { return false }
      work = work + time
    }
    return work * 10 <= gap
  }

  /// The pauses of a surface, from the recorded times of its frames alone.
  init(_ surface: Surface) {
    let frames = surface.frames
    let gaps = frames.gaps
    guard !gaps.isEmpty else {
      self.init()
      return
    }
    let stages = FrameStages(surface)
    let shown = ColumnTimes(frames, .displayed)
    let fates = frames.stored(.fate)
    self.init(
      gaps, displayed: { shown[$0] },
      isUnseen: { FrameColumn.Fate.hidesDisplay(fates?[$0]) }, stages,
      measuresStarts: stages.measuresStarts(MissingFrames(surface)))
  }

  /// The pause that ends with the frame in a row; `nil` where none does.
  func range(before row: Int) -> Range<Timestamp>? {
    Self.place(of: row, in: rows).map { ranges[$0] }
  }

  /// Whether the frame in a row was made during one and not shown.
  func isHidden(_ row: Int) -> Bool { Self.place(of: row, in: hidden) != nil }

  private static func place(of row: Int, in rows: [Int32]) -> Int? {
    guard !rows.isEmpty else { return nil }
    let place = rows.partitioningIndex { $0 >= Int32(row) }
    return place < rows.count && rows[place] == Int32(row) ? place : nil
  }
}

extension Table<FrameColumn> {
  /// The gaps between display times, in the order of the rows.
  fileprivate var gaps: [SurfacePauses.Gap] {
    guard let displayed = stored(.displayed) else { return [] }
    var gaps: [SurfacePauses.Gap] = []
    var last: (row: Int, time: Int64)?
    for row in 0..<count {
      let distance = displayed.raw(row)
      guard distance != IntegerColumn.missing else { continue }
      let time = references[row] &+ distance
      // No time is beyond ``Timestamp/bound``, so their difference does not wrap.
      if let last, time &- last.time > SurfacePauses.longestGap.count {
        let range = Timestamp(nanoseconds: last.time)..<Timestamp(nanoseconds: time)
        gaps.append(SurfacePauses.Gap(rows: (last.row, row), time: range))
      }
      last = (row, time)
    }
    return gaps
  }
}

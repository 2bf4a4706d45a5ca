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

  /// - Parameters:
  ///   - order: The rows of frames that were displayed, in order of display.
  ///   - displayed: When the frame in a row was displayed.
  ///   - isUnseen: Whether the frame in a row may have been displayed at an unrecorded time.
  ///   - measuresStarts: Whether the source measures when the work on frames began.
  init(
    order: [Int32], displayed: (Int) -> Timestamp?, isUnseen: (Int) -> Bool, _ stages: FrameStages,
    measuresStarts: Bool
  ) {
    var found: [(range: Range<Timestamp>, row: Int32)] = []
    var last: (row: Int32, time: Timestamp?)?
    for row in order {
      let time = displayed(Int(row))
      defer { last = (row, time) }
      // Nothing shorter is a pause.
      guard let end = time, let (before, since) = last, let start = since,
        end - start > Self.longestGap
      else { continue }
      let between = Int(before) + 1..<max(Int(row), Int(before) + 1)
      let isGap =
        !measuresStarts || Self.isOfHiddenWindow(between, end - start, displayed, stages)
      let begin = end - start > Self.longestFrame ? stages.appStart(Int(row)) : nil
      let isLong = begin.map { end - $0 > Self.longestFrame } ?? false
      guard isGap || isLong else { continue }
      guard !between.contains(where: isUnseen) else { continue }
      found.append(((isGap ? start : max(start, begin ?? start))..<end, row))
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
    guard frames.hasGap(above: Self.longestGap) else {
      self.init()
      return
    }
    let stages = FrameStages(surface)
    let shown = ColumnTimes(frames, .displayed)
    let order = (0..<Int32(frames.count)).filter { shown[Int($0)] != nil }
    let fates = frames.stored(.fate)
    self.init(
      order: order, displayed: { shown[$0] },
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
  /// Whether the display times, in the order of the rows, have a gap longer than a given length.
  fileprivate func hasGap(above length: Nanoseconds) -> Bool {
    guard let displayed = stored(.displayed) else { return false }
    var last: Int64?
    for row in 0..<count {
      let distance = displayed.raw(row)
      guard distance != IntegerColumn.missing else { continue }
      let time = references[row] &+ distance
      if let last, time &- last > length.count { return true }
      last = time
    }
    return false
  }
}

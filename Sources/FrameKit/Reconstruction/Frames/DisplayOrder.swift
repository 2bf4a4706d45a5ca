/// The frames of a surface in the order in which they came onto the display.
///
/// Mostly that of their rows, but a driver that generates frames may list one after the frame
/// that is shown after it.
struct DisplayOrder {
  /// The rows of displayed frames, in order of the refreshes at which they were shown.
  let rows: [Int32]
  /// For each frame the row of the one displayed last before it, or before the frame that shows
  /// it; −1 where there is none.
  let before: [Int32]
  /// For each displayed frame the row of the one displayed next; −1 for the last, and for frames
  /// that never were.
  let after: [Int32]

  /// - Parameters:
  ///   - displayed: For each frame the refresh at which it was shown; `FrameSchedule.none` when it
  ///     never was.
  ///   - shownBy: For each frame the row of the first one displayed at or after it; −1 for none.
  init(_ displayed: [Int64], shownBy: [Int32]) {
    var rows: [Int32] = []
    rows.reserveCapacity(displayed.count)
    for row in displayed.indices where displayed[row] != FrameSchedule.none {
      rows.append(Int32(row))
    }
    let isInOrder = zip(rows, rows.dropFirst()).allSatisfy {
      displayed[Int($0)] <= displayed[Int($1)]
    }
    if !isInOrder {
      rows.sort { (displayed[Int($0)], $0) < (displayed[Int($1)], $1) }
    }
    self.rows = rows
    var before = [Int32](repeating: -1, count: displayed.count)
    var after = before
    for (later, earlier) in zip(rows.dropFirst(), rows) {
      before[Int(later)] = earlier
      after[Int(earlier)] = later
    }
    self.after = after
    for row in before.indices where displayed[row] == FrameSchedule.none {
      let shower = shownBy[row]
      before[row] = shower < 0 ? rows.last { $0 < Int32(row) } ?? -1 : before[Int(shower)]
    }
    self.before = before
  }
}

import FrameStatistics

/// The frames of a surface in the order in which they were displayed.
///
/// This is usually the order of their rows, but a driver that generates frames may list a generated frame after the
/// frame that follows it on the display.
package struct DisplayOrder {
  /// The rows of displayed frames, in order of the refreshes at which they were shown.
  let rows: [Int32]
  /// For each frame, the row of the frame displayed last before it, or before the frame that shows it; `nil` if there
  /// is none.
  let before: NearbyRows
  /// For each displayed frame, the row of the frame displayed next; `nil` for the last frame, and for frames that were
  /// never displayed.
  package let after: NearbyRows

  /// - Parameters:
  ///   - displayed: For each frame the refresh at which it was shown; `nil` when it never was.
  ///   - shownBy: For each frame, the row of the first frame displayed at or after it; `nil` if there is none.
  init(_ displayed: CompactOptionals<RefreshNumber>, shownBy: NearbyRows) {
    let rows = Self.rows(displayed)
    self.rows = rows
    var before = NearbyRows(missing: displayed.count)
    var after = before
    for (later, earlier) in zip(rows.dropFirst(), rows) {
      before[Int(later)] = Int(earlier)
      after[Int(earlier)] = Int(later)
    }
    self.after = after
    for row in before.indices where displayed[row] == nil {
      before[row] =
        shownBy[row].map { before[$0] } ?? rows.last { $0 < Int32(row) }.map(Int.init)
    }
    self.before = before
  }

  private static func rows(_ displayed: CompactOptionals<RefreshNumber>) -> [Int32] {
    var rows: [Int32] = []
    rows.reserveCapacity(displayed.count)
    for row in displayed.indices where displayed[row] != nil { rows.append(Int32(row)) }
    // Frames of the same refresh keep their order.
    rows.sortNearlySorted { one, other in
      guard let one = displayed[Int(one)], let other = displayed[Int(other)] else { return false }
      return one < other
    }
    return rows
  }
}

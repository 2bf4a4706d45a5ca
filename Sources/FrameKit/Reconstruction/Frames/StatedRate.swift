/// A rate that the trace or the user states: frames are due at whole numbers of its interval after
/// the last one that did not come when it was due.
struct StatedRate {
  let interval: Int64
  private let grid: RefreshGrid
  /// When that frame was displayed, and how many frames ago it was.
  private var anchor: (time: Int64, count: Int64)?

  init(_ interval: Int64, _ grid: RefreshGrid) {
    self.interval = interval
    self.grid = grid
  }

  /// The refresh that the next frame is due at; `nil` for the first one, and after rest.
  /// - Parameters:
  ///   - shown: The refresh at which the frame is displayed, or the one that replaces it; `nil`
  ///     for none.
  ///   - before: The refresh at which the frame before it was displayed; `nil` for none.
  mutating func due(shown: Int64?, before: Int64?, isAfterRest: Bool) -> Int64? {
    guard let known = anchor, let before, !isAfterRest else {
      anchor = shown.map { (grid.time($0), 0) }
      return nil
    }
    let time = known.time &+ (known.count + 1) &* interval
    let due = max(before + 1, grid.first(time &- grid.interval(at: time) / 16))
    anchor =
      shown == nil || shown == due ? (known.time, known.count + 1) : (grid.time(shown ?? due), 0)
    return due
  }
}

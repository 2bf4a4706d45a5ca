/// Counts frame times that are close to whole numbers of refresh intervals.
package struct GridCounter: Sendable {
  private let refresh: RunRefresh?
  /// The number of times within a tenth of an interval of a whole number of intervals, where that number is the one
  /// most frames take.
  package private(set) var onGrid: Int64 = 0
  package private(set) var onKept: Int64 = 0

  package init(_ refresh: RunRefresh?) { self.refresh = refresh }

  package mutating func add(_ time: Int64) {
    guard let refresh else { return }
    let count = max(1, refresh.refreshes(time))
    if abs(time - count * refresh.interval) * 10 <= refresh.interval { onGrid += 1 }
    if count == refresh.kept { onKept += 1 }
  }

  /// Whether times are bound to the display's refreshes, so that their quantiles change only in jumps: nine in ten
  /// times are on the grid, and half take the usual number of refreshes.
  func isBound(of count: Int64) -> Bool {
    Self.areBound(onGrid: onGrid, onKept: onKept, of: count)
  }

  package static func areBound(onGrid: Int64, onKept: Int64, of count: Int64) -> Bool {
    let n = Double(max(1, count))
    return Double(onGrid) >= 0.9 * n && Double(onKept) >= 0.5 * n
  }
}

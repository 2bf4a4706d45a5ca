/// The refreshes of a display in a trace for other viewers.
struct DisplayTracks {
  private let exported: ExportedTrace
  private let index: Int
  private let refreshes: DisplayRefreshes

  init(_ exported: ExportedTrace, _ index: Int, _ refreshes: DisplayRefreshes) {
    self.exported = exported
    self.index = index
    self.refreshes = refreshes
  }

  /// More refreshes than this are those of an interval that is no display's.
  private static let most: Int64 = 50_000_000

  /// Writes a slice from each refresh to the next.
  func write(to events: inout TraceEvents) {
    guard let grid = refreshes.grid else { return }
    let first = grid.first(exported.range.lowerBound)
    let last = grid.last(exported.range.upperBound)
    guard first <= last, last - first < Self.most else { return }
    let track = TraceEvents.Track(process: index + 1, thread: 1)
    events.name(process: index + 1, "display \(exported.trace.displays[index].id)")
    let source = refreshes.source.map { " (\($0.rawValue))" } ?? ""
    events.name(track, "refreshes\(source)")
    for number in first...last {
      let span = grid.time(number)..<max(grid.time(number), grid.time(number + 1))
      events.slice("refresh \(number)", track, span, category: "refresh")
    }
  }
}

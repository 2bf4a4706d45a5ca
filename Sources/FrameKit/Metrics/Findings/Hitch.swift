/// A frame that came onto the display later than it was due.
struct Hitch {
  /// The frame, by its row.
  let row: Int
  /// The later of when it was due and the refresh after the frame before it, in nanoseconds.
  let start: Int64
  /// From then until it was displayed.
  let length: Int64
}

extension Hitch {
  /// The hitches of a surface in order of time, by due and display times.
  /// - Returns: `nil` where the trace does not tell.
  static func all(_ trace: Trace, _ surface: RebuiltSurface) -> [Hitch]? {
    let schedule = surface.timeline.schedule
    if schedule.isVariable { return againstExpected(trace, surface) }
    guard DropFindings.whyMissing(surface) == nil else { return nil }
    var hitches: [Int: (start: Int64, length: Int64)] = [:]
    for late in surface.timeline.late where !late.dropped.isEmpty {
      // Frames that were replaced before they were shown are part of the hitch of the one
      // that was.
      let row = Int(schedule.shownBy[late.row])
      for dropped in late.dropped {
        let start = schedule.grid.time(dropped.lowerBound)
        let length = schedule.grid.time(dropped.upperBound) - start
        let known = hitches[row]
        hitches[row] = (min(known?.start ?? start, start), (known?.length ?? 0) + length)
      }
    }
    return hitches.map { Hitch(row: $0.key, start: $0.value.start, length: $0.value.length) }
      .sorted { ($0.start, $0.row) < ($1.start, $1.row) }
  }

  /// On a display that waits for frames: against the times at which the source expected them.
  private static func againstExpected(_ trace: Trace, _ surface: RebuiltSurface) -> [Hitch]? {
    let frames = trace.surfaces[surface.timeline.surface].frames
    guard frames.has(.expectedDisplay) else { return nil }
    // A panel shows all frames a constant later than expected; a frame within half an interval
    // of that is on time.
    let distances = (0..<frames.count).compactMap { row in
      frames[row, .displayed].flatMap { shown in
        frames[row, .expectedDisplay].map { shown &- $0 }
      }
    }.sorted()
    let half = (surface.refreshes.scanOutInterval ?? 0) / 2
    let middle = distances.isEmpty ? 0 : distances[distances.count / 2]
    let offset = abs(middle / 2) <= half / 2 ? middle : 0
    var before: Int64?
    var hitches: [Hitch] = []
    for row in 0..<frames.count {
      guard let shown = frames[row, .displayed] else { continue }
      defer { before = shown }
      guard let stated = frames[row, .expectedDisplay], let before else { continue }
      let expected = stated &+ offset
      let start = max(expected, before &+ (surface.refreshes.shortestInterval ?? 0))
      let length = shown &- start
      if length > half { hitches.append(Hitch(row: row, start: start, length: length)) }
    }
    return hitches
  }
}

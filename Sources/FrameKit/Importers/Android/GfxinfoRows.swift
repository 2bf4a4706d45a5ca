/// Makes frames of the rows of `framestats`.
struct GfxinfoRows {
  /// Rows that are no rows.
  var broken = 0
  private var repeated = 0
  private var staleTimes = 0
  private var intervals: [Int: [Int64]] = [:]
  /// Frames that were read, by surface, intended vsync and end: dumps overlap.
  private var seen: Set<[Int64]> = []

  /// Times of a frame are within this of its intended vsync; others are handles, or of the frame that
  /// had the row before.
  private static let farthest: Int64 = 60_000_000_000
  private static let before: Int64 = 1_000_000_000

  /// The bit of rows that the render thread made by itself: the UI thread's times are old ones.
  private static let renderThreadAnimation: Int64 = 2
  /// The bit of frames that were not drawn.
  private static let skipped: Int64 = 8

  mutating func take(
    _ columns: [Substring], _ cells: [Substring], to place: Int, of builder: inout TraceBuilder
  ) {
    var values: [Substring: Int64] = [:]
    for (column, cell) in zip(columns, cells) where !column.isEmpty {
      values[column] = Int64(cell)
    }
    guard let intended = values["IntendedVsync"], intended > 0, let flags = values["Flags"] else {
      broken += 1
      return
    }
    let key = [Int64(place), intended, values["FrameCompleted"] ?? 0, values["Vsync"] ?? 0, flags]
    guard seen.insert(key).inserted else {
      repeated += 1
      return
    }
    var row = Table<FrameColumn>.Row()
    let time = { (column: Substring) -> Int64? in
      guard let value = values[column], value > 0 else { return nil }
      return (intended &- Self.before...intended &+ Self.farthest).contains(value) ? value : nil
    }
    note(values, intended)
    let isOfRenderThread = flags & Self.renderThreadAnimation != 0
    row[.identifier] = values["FrameTimelineVsyncId"]
    row[.appStart] =
      isOfRenderThread
      ? time("SyncStart") ?? time("IssueDrawCommandsStart") ?? intended
      : time("HandleInputStart") ?? intended
    // SurfaceFlinger composes at refreshes.
    row[.mode] = FrameColumn.Mode.classic.rawValue
    row[.commit] = time("SwapBuffers")
    row[.appEnd] = time("CommandSubmissionCompleted") ?? time("SwapBuffersCompleted")
    row[.queued] = time("SwapBuffersCompleted") ?? time("FrameCompleted")
    row[.gpuEnd] = time("GpuCompleted")
    row[.fenceSignalled] = time("GpuCompleted")
    row[.deadline] = time("FrameDeadline").flatMap { $0 < intended ? nil : $0 }
    if flags & Self.skipped != 0 { row[.fate] = FrameColumn.Fate.discarded.rawValue }
    if let shown = time("DisplayPresentTime"), shown > intended { row[.displayed] = shown }
    builder.trace.surfaces[place].frames.append(row)
    // Some builds print the interval under the name of the start and the other way round.
    let interval = [values["FrameInterval"], values["FrameStartTime"]].compactMap { $0 }
      .first { (1_000_000..<1_000_000_000).contains($0) }
    if let interval { intervals[place, default: []].append(interval) }
  }

  private mutating func note(_ values: [Substring: Int64], _ intended: Int64) {
    if let shown = values["DisplayPresentTime"], shown > 0,
      !(intended...intended &+ Self.farthest).contains(shown)
    {
      staleTimes += 1
    }
  }

  /// Gives surfaces their display, by the interval in the middle of those that their frames state: each
  /// has what the last refreshes took.
  func finish(_ builder: inout TraceBuilder) {
    for (place, stated) in intervals.sorted(by: { $0.key < $1.key }) {
      let interval = stated.sorted()[(stated.count - 1) / 2]
      let display = builder.display("display")
      builder.trace.displays[display].interval =
        builder.trace.displays[display].interval ?? Nanoseconds(interval)
      builder.trace.surfaces[place].display = display
    }
    builder.log.note(
      .malformedValue, .dataLoss, "rows without an intended vsync or with too few cells, left out",
      count: broken)
    builder.log.note(
      .unknownRecord, .info, "rows that an earlier dump in the file has too", count: repeated)
    builder.log.note(
      .malformedValue, .info,
      "times of display of the frame that had the row before, or none, left out", count: staleTimes)
  }
}

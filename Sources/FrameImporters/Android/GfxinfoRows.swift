import FrameTrace

/// Converts `framestats` rows to frames.
struct GfxinfoRows {
  /// The number of malformed rows.
  var broken = 0
  private var repeated = 0
  private var staleTimes = 0
  private var intervals: [Int: [Int64]] = [:]
  /// The refreshes in each surface's rows: the vsync intended to start a frame, and the vsync that did.
  private var vsyncs: [Int: [Int64]] = [:]
  /// The rows, each with the index of its surface.
  private var rows: [(surface: Int, row: Table<FrameColumn>.Row)] = []
  /// The index of each row by surface, intended vsync, completion, vsync and flags; dumps overlap.
  private var positions: [[Int64]: Int] = [:]
  /// The rows without a display time, although the dump has a column for it.
  private var unknown: Set<Int> = []
  /// The first rows after a window was shown again or its layout changed.
  private var begins: Set<Int> = []

  /// How far a frame's times may lie from its intended vsync, in ns. Values farther away are
  /// handles, or times of the row's previous frame.
  private static let farthest: Int64 = 60_000_000_000
  private static let before: Int64 = 1_000_000_000

  /// The flag of rows from the render thread alone; their UI thread times are stale.
  private static let renderThreadAnimation: Int64 = 2
  /// The flag of frames that were not drawn.
  private static let skipped: Int64 = 8
  /// The flag of the first frame of a window that is shown or laid out again.
  private static let windowChanged: Int64 = 1
  /// The longest run of frames treated as replaced. Each frame takes one refresh, and the display shows the newest
  /// frame at the next refresh.
  private static let mostReplaced = 4

  /// Consumes a row of a surface.
  mutating func consume(_ columns: [Substring], _ cells: [Substring], to position: Int) {
    var values: [Substring: Int64] = [:]
    for (column, cell) in zip(columns, cells) where !column.isEmpty {
      values[column] = Int64(cell)
    }
    guard let intended = values["IntendedVsync"], 1...Timestamp.bound ~= intended,
      let flags = values["Flags"]
    else {
      broken += 1
      return
    }
    let key = [
      Int64(position), intended, values["FrameCompleted"] ?? 0, values["Vsync"] ?? 0, flags,
    ]
    if let position = positions[key] {
      repeated += 1
      return complete(position, values, intended)
    }
    positions[key] = rows.count
    var row = Table<FrameColumn>.Row()
    let time = { (column: Substring) -> Int64? in
      guard let value = values[column], value > 0 else { return nil }
      return (intended - Self.before...intended + Self.farthest).contains(value) ? value : nil
    }
    note(values, intended)
    let isOfRenderThread = flags & Self.renderThreadAnimation != 0
    row[.identifier] = values["FrameTimelineVsyncId"]
    if isOfRenderThread {
      row[.appStart] = time("SyncStart") ?? time("IssueDrawCommandsStart") ?? intended
    } else {
      row[.appStart] = intended
      // The UI thread starts the frame later, and much later if it was busy.
      row[.workStart] = (time("HandleInputStart") ?? time("Vsync")).map { max($0, intended) }
      vsyncs[position, default: []] += [intended, time("Vsync")].compactMap { $0 }
    }
    // SurfaceFlinger composes at refreshes.
    row[.mode] = FrameColumn.Mode.classic.rawValue
    row[.commit] = time("SwapBuffers")
    row[.appEnd] = time("CommandSubmissionCompleted") ?? time("SwapBuffersCompleted")
    // A frame that never completed may not have queued its buffer either.
    let isCompleted = values["FrameCompleted"] == nil || time("FrameCompleted") != nil
    row[.queued] = isCompleted ? time("SwapBuffersCompleted") ?? time("FrameCompleted") : nil
    row[.gpuEnd] = time("GpuCompleted")
    row[.fenceSignaled] = time("GpuCompleted")
    row[.deadline] = time("FrameDeadline").flatMap { $0 < intended ? nil : $0 }
    if !isCompleted { row[.fate] = FrameColumn.Fate.unknown.rawValue }
    if flags & Self.skipped != 0 { row[.fate] = FrameColumn.Fate.discarded.rawValue }
    row[.displayed] = Self.displayed(values, intended)
    if row[.displayed] == nil, row[.fate] == nil, values["DisplayPresentTime"] != nil {
      unknown.insert(rows.count)
    }
    if flags & Self.windowChanged != 0 { begins.insert(rows.count) }
    rows.append((position, row))
    // Some builds swap the columns `FrameInterval` and `FrameStartTime`.
    let interval = [values["FrameInterval"], values["FrameStartTime"]].compactMap { $0 }
      .first { (1_000_000..<1_000_000_000).contains($0) }
    if let interval { intervals[position, default: []].append(interval) }
  }

  /// When a frame was displayed; `nil` if the row does not state it.
  private static func displayed(_ values: [Substring: Int64], _ intended: Int64) -> Int64? {
    values["DisplayPresentTime"].flatMap { shown in
      shown > intended && shown <= intended + farthest ? shown : nil
    }
  }

  /// Fills in a row's display time from a later dump.
  private mutating func complete(
    _ position: Int, _ values: [Substring: Int64], _ intended: Int64
  ) {
    guard unknown.contains(position), let shown = Self.displayed(values, intended) else { return }
    rows[position].row[.displayed] = shown
    unknown.remove(position)
  }

  /// The rows of frames that may or may not have been displayed. A hidden window has no display times, and the frames
  /// drawn after it was shown again did not replace the earlier frames.
  private var unknownRows: Set<Int> {
    var found: Set<Int> = []
    var runs: [Int: [Int]] = [:]
    for (position, (surface, row)) in rows.enumerated() {
      let isKnown = !unknown.contains(position) && row[.fate] == nil
      let run = runs[surface] ?? []
      if begins.contains(position) || (isKnown && run.count > Self.mostReplaced) {
        found.formUnion(run)
      }
      if isKnown || begins.contains(position) { runs[surface] = [] }
      if unknown.contains(position) { runs[surface, default: []].append(position) }
    }
    for run in runs.values where run.count > Self.mostReplaced { found.formUnion(run) }
    return found
  }

  private func addFrames(to builder: inout TraceBuilder) {
    let timed = Set(rows.lazy.filter { $0.row[.displayed] != nil }.map(\.surface))
    let unknownRows = unknownRows
    var unknown = 0
    for (position, (surface, row)) in rows.enumerated() {
      var row = row
      if unknownRows.contains(position), timed.contains(surface) {
        row[.fate] = FrameColumn.Fate.unknown.rawValue
        unknown += 1
      }
      builder.trace.surfaces[surface].frames.append(row)
    }
    builder.log.note(
      .framesWithheld, .info,
      "rows without a display time among rows that have one, as for a hidden window: their fate "
        + "is unknown", count: unknown)
  }

  private mutating func note(_ values: [Substring: Int64], _ intended: Int64) {
    if let shown = values["DisplayPresentTime"], shown > 0,
      !(intended...intended + Self.farthest).contains(shown)
    {
      staleTimes += 1
    }
  }

  /// Assigns each surface a display with the median interval of its frames. Each frame states the
  /// interval of the latest refreshes.
  func finish(_ builder: inout TraceBuilder) {
    addFrames(to: &builder)
    for (position, stated) in intervals.sorted(by: { $0.key < $1.key }) {
      let interval = stated.sorted()[(stated.count - 1) / 2]
      let display = builder.display("display")
      builder.trace.displays[display].interval =
        builder.trace.displays[display].interval ?? Nanoseconds(interval)
      builder.trace.surfaces[position].display = display
    }
    addRefreshes(&builder)
    builder.log.note(
      .malformedValue, .dataLoss, "rows without an intended vsync or with too few cells, left out",
      count: broken)
    builder.log.note(
      .unknownRecord, .info, "rows repeated from an earlier dump", count: repeated)
    builder.log.note(
      .malformedValue, .info,
      "display times that belong to the previous frame, or to none, left out", count: staleTimes)
  }

  /// Adds the refreshes that rows state to the displays. Rows do not state refreshes between
  /// frames.
  private func addRefreshes(_ builder: inout TraceBuilder) {
    var times: [Int: [Int64]] = [:]
    for (surface, own) in vsyncs {
      guard let display = builder.trace.surfaces[surface].display else { continue }
      times[display, default: []] += own
    }
    for (display, times) in times.sorted(by: { $0.key < $1.key }) {
      builder.trace.displays[display].hasSampledRefreshes = true
      for time in Set(times).sorted() {
        var row = Table<RefreshColumn>.Row()
        row[.time] = time
        builder.trace.displays[display].refreshes.append(row)
      }
    }
  }
}

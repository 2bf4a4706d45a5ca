import FrameTrace

/// Converts the frame timeline to frames.
///
/// A layer's frame lasts from the app's start to the later of its queueing and its fence. It is
/// displayed when the display frame with its display token ends. SurfaceFlinger's display frames
/// form a separate surface only if they show no layer's frame.
struct PerfettoFrames {
  private typealias Slice = PerfettoTimeline.Slice

  private var join: PerfettoJoin
  private let timeline: PerfettoTimeline
  /// Whether inputs name frames by their tokens.
  private let hasInputs: Bool
  private var displays = PerfettoDisplayFrames()
  /// The slice indexes of expected surface frames without an actual frame so far.
  private var expected: PairTable
  /// When threads worked on frames, by process and the token in the slice's name.
  private var work = TokenSpans()
  /// When SurfaceFlinger worked on display frames.
  private var composition = TokenSpans()
  private var withoutDisplay = 0
  /// What each of the trace's judgments says.
  private let said: [Said]

  /// What a judgment says about each frame with this judgment.
  private struct Said {
    let isDropped: Bool
    /// The values of the columns `verdict` of the frame and `kind` of its hitch; no hitch without a kind.
    let verdict, kind: Int64?
    let narrative: String

    init(_ judgment: PerfettoTimeline.Judgment) {
      isDropped = judgment.isDropped
      verdict = judgment.jank.verdict?.rawValue
      kind = judgment.jank.isPerceived ? judgment.jank.kind.rawValue : nil
      narrative = [
        judgment.jank.name, judgment.presentName, "severity \(judgment.severityName)",
      ].joined(separator: "; ")
    }
  }

  private typealias Row = Table<FrameColumn>.Row

  private struct Source: Hashable {
    let process: Int64
    let layer: Int32?
  }

  /// The surface indexes of layers.
  private var positions: [Source: Int] = [:]
  /// The layer of the last frame, and its surface.
  private var last: (source: Source, position: Int)?
  /// The process that uses each layer name.
  private var owners: [String: Int64] = [:]

  static func add(to join: inout PerfettoJoin) {
    var frames = PerfettoFrames(join)
    frames.addAll()
    join = frames.join
  }

  private init(_ join: PerfettoJoin) {
    self.join = join
    timeline = join.recording.timeline
    hasInputs = !join.recording.inputs.frames.isEmpty
    expected = timeline.expected
    said = timeline.judgments.map(Said.init)
    for (position, slice) in timeline.slices.enumerated() {
      switch slice.kind {
      case .actualDisplay: displays.add(actual: Int32(position), slice.token)
      case .expectedDisplay: displays.add(expected: Int32(position), slice.token)
      case .expectedSurface, .actualSurface: break
      }
    }
  }

  private func isDropped(_ slice: Slice) -> Bool {
    slice.judgment.map { said[Int($0)].isDropped } ?? false
  }

  private func end(at position: Int32) -> Int64? { timeline.slices[Int(position)].end }

  /// Collects slices of the app and of SurfaceFlinger that state a frame token: `DrawFrames
  /// 191058`.
  private mutating func collectWork() {
    let marks = join.recording.marks
    let names = marks.meanings(Self.meaning)
    for slice in marks.slices {
      guard let (isComposition, token) = names[slice.name], let end = slice.end else { continue }
      if isComposition {
        composition.add(slice.process, token, from: slice.start, to: end)
      } else {
        work.add(slice.process, token, from: slice.start, to: end)
      }
    }
  }

  /// Whether slices with a name are work of SurfaceFlinger or of the app, and the frame's token; `nil` for other names.
  private static func meaning(
    _ bytes: Span<UInt8>, _ name: Range<Int>
  ) -> (isComposition: Bool, token: Int64)? {
    guard let blank = bytes.last(0x20, in: name),
      let token = bytes.integer(blank + 1..<name.upperBound)
    else { return nil }
    let work = name.lowerBound..<blank
    if appWork.contains(where: { bytes.holds($0, in: work) }) { return (false, token) }
    return compositorWork.contains { bytes.holds($0, in: work) } ? (true, token) : nil
  }

  private static let appWork: [ByteName] = ["Choreographer#doFrame", "DrawFrames", "DrawFrame"]
  private static let compositorWork: [ByteName] = ["commit", "composite"]

  private mutating func addAll() {
    collectWork()
    // The memory of one row is reused for all frames.
    var row = Row()
    for slice in timeline.slices where slice.kind == .actualSurface { add(slice, with: &row) }
    // Frames that were only expected.
    for slice in timeline.slices where slice.kind == .expectedSurface {
      if expected[slice.process, slice.token] != nil { addExpected(slice, with: &row) }
    }
    for slice in timeline.slices where slice.kind == .actualDisplay {
      let display = displays[slice.token]
      if display?.showsFrame != true { addDisplay(slice, display, with: &row) }
    }
    for slice in timeline.slices where slice.kind == .expectedDisplay {
      let display = displays[slice.token]
      if display?.actual == nil, display?.showsFrame != true {
        addDisplay(slice, display, with: &row)
      }
    }
    join.builder.log.note(
      .malformedLine, .dataLoss, "frames of the timeline without a cookie, token, process or time",
      count: timeline.broken)
    join.builder.log.note(
      .unknownRecord, .info, "further expected times of a frame, for other layers, left out",
      count: timeline.repeated)
    join.builder.log.note(
      .brokenReference, .info, "frames whose display frame was not recorded",
      count: withoutDisplay)
  }

  private mutating func surface(of slice: Slice) -> Int {
    let source = Source(process: slice.process, layer: slice.layer)
    if let last, last.source == source { return last.position }
    let position = findSurface(of: slice, source)
    last = (source, position)
    return position
  }

  private mutating func findSurface(of slice: Slice, _ source: Source) -> Int {
    if let position = positions[source] { return position }
    let process = join.name(ofProcess: slice.process)
    var layer = timeline.layer(of: slice) ?? "layer of \(process ?? "\(slice.process)")"
    // Layers of several processes can share a name.
    if owners[layer, default: slice.process] != slice.process { layer += " of \(slice.process)" }
    owners[layer] = slice.process
    let position = join.builder.surface(layer) {
      Surface(
        id: layer, process: process, processID: Int(exactly: slice.process), bufferOwner: .app,
        numbersCountFrames: false)
    }
    positions[source] = position
    return position
  }

  private mutating func add(_ slice: Slice, with row: inout Row) {
    let position = surface(of: slice)
    row.clear()
    row[.identifier] = slice.token
    row[.appStart] = slice.start
    addHandOver(of: slice, to: &row)
    row[.compositorFrame] = slice.displayToken
    if let promise = expected.remove(slice.process, slice.token).map({ timeline.slices[Int($0)] }) {
      row[.deadline] = promise.end
      // The app should have started at that time; until it started, its thread was busy.
      if promise.start < slice.start {
        (row[.appStart], row[.workStart]) = (promise.start, slice.start)
      }
    }
    if let token = slice.displayToken {
      let shown = displays.show(token)
      row[.expectedDisplay] = expectedDisplay(shown, deadline: row[.deadline])
      if let display = shown?.actual.map({ timeline.slices[Int($0)] }) {
        let own =
          composition[display.process, token]
        row[.compositorStart] = own?.start ?? display.start
        row[.compositorEnd] = own?.end
        if !isDropped(slice) { row[.displayed] = display.end }
      } else {
        withoutDisplay += 1
      }
    }
    if isDropped(slice) {
      row[.fate] = FrameColumn.Fate.discarded.rawValue
    }
    append(&row, slice, to: position)
  }

  /// Adds the end of a surface's frame, which is the later of its queueing and its fence. If the
  /// app finished earlier, it queued the buffer while the GPU still drew into it.
  private func addHandOver(of slice: Slice, to row: inout Row) {
    let done = work[slice.process, slice.token]?.end
    row[.appEnd] = done
    guard let done, let end = slice.end, done < end else {
      row[.queued] = slice.end
      return
    }
    row[.queued] = done
    row[.fenceSignaled] = end
    row[.gpuEnd] = end
  }

  private mutating func addExpected(_ slice: Slice, with row: inout Row) {
    let position = surface(of: slice)
    row.clear()
    row[.identifier] = slice.token
    row[.deadline] = slice.end
    row[.compositorFrame] = slice.displayToken
    row[.expectedDisplay] = slice.displayToken.flatMap {
      expectedDisplay(displays[$0], deadline: slice.end)
    }
    append(&row, slice, to: position)
  }

  /// When a surface's frame was expected on the display.
  ///
  /// A frame of a late app is shown by a later display frame than planned, and that display frame is itself on time.
  /// The app's deadline is the time at which SurfaceFlinger was to begin (AOSP, `Scheduler/EventThread.cpp`: the
  /// deadline is the expected presentation less SurfaceFlinger's work duration). The frame's expected display time is
  /// therefore its own deadline plus the time that SurfaceFlinger is given.
  private func expectedDisplay(_ display: PerfettoDisplayFrames.Frame?, deadline: Int64?) -> Int64?
  {
    guard let position = display?.expected else { return nil }
    let slice = timeline.slices[Int(position)]
    guard let deadline, let end = slice.end, end >= slice.start else { return slice.end }
    let (due, isTooFar) = deadline.addingReportingOverflow(end &- slice.start)
    return isTooFar ? end : due
  }

  /// Adds a SurfaceFlinger frame that shows no recorded frame of a layer.
  private mutating func addDisplay(
    _ slice: Slice, _ display: PerfettoDisplayFrames.Frame?, with row: inout Row
  ) {
    let name = join.name(ofProcess: slice.process)
    let position = join.builder.surface("SurfaceFlinger") {
      Surface(
        id: "SurfaceFlinger", process: name, processID: Int(exactly: slice.process),
        bufferOwner: .compositor, numbersCountFrames: false)
    }
    row.clear()
    row[.identifier] = slice.token
    row[.expectedDisplay] = display?.expected.flatMap { end(at: $0) }
    if slice.kind == .actualDisplay {
      row[.compositorStart] = slice.start
      if !isDropped(slice) { row[.displayed] = slice.end }
    }
    append(&row, slice, to: position)
  }

  private func isShownFirst(_ token: Int64, _ row: Row) -> Bool {
    guard let known = join.frames[token], row[.displayed] != nil else { return false }
    return join.builder.trace.surfaces[known.surface].frames[known.frame, .displayed] == nil
  }

  /// Appends a row with the judgment of its slice.
  private mutating func append(_ row: inout Row, _ slice: Slice, to position: Int) {
    let judged = slice.judgment.map { said[Int($0)] }
    row[.verdict] = judged?.verdict
    let frame = join.builder.trace.surfaces[position].frames.count
    join.builder.trace.surfaces[position].frames.append(row)
    // If layers have frames with the same token, the first one on the display counts.
    if hasInputs, slice.kind == .actualSurface,
      join.frames[slice.token] == nil || isShownFirst(slice.token, row)
    {
      join.frames[slice.token] = (position, frame)
    }
    guard let judged, let kind = judged.kind else { return }
    var hitch = Table<HitchColumn>.Row()
    hitch[.surface] = Int64(position)
    hitch[.frame] = Int64(frame)
    hitch[.kind] = kind
    hitch[.narrative] = join.builder.trace.statedHitches.texts.number(of: judged.narrative)
    hitch[.start] = row[.expectedDisplay] ?? slice.start
    join.builder.trace.statedHitches.append(hitch)
  }
}

/// The span from the first to the last work on each frame, by process and token.
private struct TokenSpans {
  private var positions = PairTable()
  private var spans: [(start: Int64, end: Int64)] = []
  /// The frame of the last slice; the slices of a frame are usually consecutive.
  private var last: (process: Int64, token: Int64, position: Int)?

  subscript(process: Int64, token: Int64) -> (start: Int64, end: Int64)? {
    spans.isEmpty ? nil : positions[process, token].map { spans[Int($0)] }
  }

  mutating func add(_ process: Int64, _ token: Int64, from start: Int64, to end: Int64) {
    let position = position(process, token)
    guard position < spans.count else { return spans.append((start, end)) }
    spans[position].start = min(spans[position].start, start)
    spans[position].end = max(spans[position].end, end)
  }

  /// The index of a frame's span; for a new frame, the index of the next span, which is to be appended.
  private mutating func position(_ process: Int64, _ token: Int64) -> Int {
    if let last, last.token == token, last.process == process { return last.position }
    let position = positions[process, token].map(Int.init) ?? spans.count
    if position == spans.count { positions[process, token] = Int32(position) }
    last = (process, token, position)
    return position
  }
}

import FrameTrace

/// Frames from the marks that Chromium set before it had frame reports: `BeginFrame`, `DrawFrame`.
///
/// Chromium, `cc/base/devtools_instrumentation.h`. `DrawFrame` marks when the page's compositor
/// submitted a frame to the display compositor, not when the frame was displayed.
struct ChromeMarks {
  private struct Page: Hashable {
    let process, tree: Int64?
  }

  private enum Kind { case begin, draw }

  private struct Mark {
    let time: Int64
    let kind: Kind
    let sequence: Int64?
  }

  private var pages: [(page: Page, marks: [Mark])] = []
  private var positions: [Page: Int] = [:]
  /// The page of the last mark; the next mark is usually of the same page.
  private var lastPage: Page?
  private var lastPosition = 0
  private var arguments = JSONMembers()
  /// The numbers of lost frames, and of frames shown without the main thread's part.
  private var dropped = 0
  private var partial = 0
  private(set) var drawCount = 0

  /// Consumes an event if it is one of these marks.
  mutating func consume(
    _ event: ChromeTraceEvent, _ bytes: Span<UInt8>, _ numbers: inout ChromeNumbers
  ) {
    let kind: Kind?
    if bytes.holds(ChromeName.beginFrame, in: event.name) {
      kind = .begin
    } else if bytes.holds(ChromeName.drawFrame, in: event.name) {
      kind = .draw
    } else if bytes.holds(ChromeName.droppedFrame, in: event.name) {
      kind = nil
    } else {
      return
    }
    guard let time = event.time, let own = event.arguments, own.kind == .object,
      (try? arguments.read(bytes, from: own.range.lowerBound, before: own.range.upperBound)) != nil
    else { return }
    guard let kind else {
      let isPartial = arguments.value(bytes, ChromeName.hasPartialUpdate)?.kind == .true
      if isPartial { partial += 1 } else { dropped += 1 }
      return
    }
    guard let tree = numbers.whole(bytes, arguments.value(bytes, ChromeName.layerTree)) else {
      return
    }
    if kind == .draw { drawCount += 1 }
    let sequence = numbers.whole(bytes, arguments.value(bytes, ChromeName.frameSequence))
    let mark = Mark(time: time, kind: kind, sequence: sequence)
    let page = Page(process: event.process, tree: tree)
    if page != lastPage { (lastPage, lastPosition) = (page, position(of: page)) }
    pages[lastPosition].marks.append(mark)
  }

  private mutating func position(of page: Page) -> Int {
    if let position = positions[page] { return position }
    positions[page] = pages.count
    pages.append((page, []))
    return pages.count - 1
  }

  /// Adds the frames, with a surface for each page that drew any.
  func add(to builder: inout TraceBuilder, name: (Int64) -> String?) {
    let inOrder = pages.sorted {
      ($0.page.process ?? -1, $0.page.tree ?? -1) < ($1.page.process ?? -1, $1.page.tree ?? -1)
    }
    for (page, marks) in inOrder where marks.contains(where: { $0.kind == .draw }) {
      let id = "page \(page.tree ?? 0)" + (page.process.map { " of \($0)" } ?? "")
      let display = builder.display("begin frames of \(id)")
      let position = builder.surface(id) {
        Surface(
          id: id, process: page.process.flatMap(name),
          processID: page.process.flatMap { Int(exactly: $0) }, display: display,
          bufferOwner: .compositor,
          numbersCountFrames: false)
      }
      add(marks, to: position, display, &builder)
    }
    builder.log.note(
      .conditions, .info, "frames that Chromium reports as dropped", count: dropped)
    builder.log.note(
      .conditions, .info,
      "frames that Chromium reports as dropped, although the compositor's part was shown",
      count: partial)
  }

  private func add(
    _ marks: [Mark], to position: Int, _ display: Int, _ builder: inout TraceBuilder
  ) {
    var begins: [Int64: Int64] = [:]
    var last: Mark?
    for index in marks.indices.sorted(by: { (marks[$0].time, $0) < (marks[$1].time, $1) }) {
      let mark = marks[index]
      switch mark.kind {
      case .begin:
        last = mark
        if let sequence = mark.sequence { begins[sequence] = mark.time }
        var row = Table<RefreshColumn>.Row()
        row[.time] = mark.time
        builder.trace.displays[display].refreshes.append(row)
      case .draw:
        var row = Table<FrameColumn>.Row()
        row[.identifier] = mark.sequence
        // Without sequence numbers, a frame is assigned to the latest refresh.
        row[.compositorStart] = mark.sequence.flatMap { begins[$0] } ?? last?.time
        row[.compositorEnd] = mark.time
        row[.queued] = mark.time
        builder.trace.surfaces[position].frames.append(row)
      }
    }
  }
}

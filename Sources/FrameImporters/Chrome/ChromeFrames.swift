import FrameStatistics
import FrameTrace

/// Converts Chromium's reports to frames.
///
/// A frame is an update of a page's pixels on the display. A page's reporters that were displayed at the same time,
/// from the main thread and the compositor, form one frame. The main thread counts as the app, both compositors as the
/// compositor, and the swap as the GPU.
struct ChromeFrames {
  private let reporters: [ChromeReporter]
  private let events: [ChromeEvent]
  private let stageNames: [String]
  private let judged: [ChromeScrollJank.Frame: Bool]
  /// The surface and frame index, by the identifier that frames share with events.
  private var positions: [UInt64: (surface: Int, frame: Int)] = [:]

  /// Adds the frames, the refreshes that began them, and the inputs that they show.
  /// - Parameter judged: Whether Chromium calls a frame of a scroll janky.
  static func add(
    _ reports: ChromeReportList, judged: [ChromeScrollJank.Frame: Bool],
    to builder: inout TraceBuilder, name: (Int64) -> String?
  ) {
    var frames = ChromeFrames(reports, judged: judged)
    frames.addRefreshes(to: &builder)
    frames.addFrames(to: &builder, name)
    frames.addEvents(to: &builder)
    frames.note(in: &builder)
  }

  private init(_ reports: ChromeReportList, judged: [ChromeScrollJank.Frame: Bool]) {
    (reporters, events) = (reports.frames, reports.inputs)
    stageNames = reports.stageNames.texts
    self.judged = judged
  }

  private struct Page: Hashable {
    let process, host: Int64?
  }

  /// Adds the refreshes that began frames; a reporter has the time and number of its refresh.
  private func addRefreshes(to builder: inout TraceBuilder) {
    var refreshes: [Int64: [(number: Int64, time: Int64)]] = [:]
    let list = reporters.span
    for position in list.indices {
      guard let number = list[position].facts.sequence else { continue }
      refreshes[list[position].facts.source ?? 0, default: []].append(
        (number, list[position].start))
    }
    var row = Table<RefreshColumn>.Row()
    for (source, times) in refreshes.sorted(by: { $0.key < $1.key }) {
      let position = builder.display(Self.display(source))
      for (number, time) in Self.last(times) {
        row[.number] = number
        row[.time] = time
        builder.trace.displays[position].refreshes.append(row)
      }
    }
  }

  /// Each refresh once, as last listed, ordered by time.
  private static func last(
    _ times: [(number: Int64, time: Int64)]
  ) -> [(number: Int64, time: Int64)] {
    var positions = Array(times.indices)
    // Refreshes with equal numbers keep their order.
    positions.sortNearlySorted { times[$0].number < times[$1].number }
    let last = positions.indices.lazy.filter {
      $0 + 1 == positions.count || times[positions[$0 + 1]].number != times[positions[$0]].number
    }
    var refreshes = Array(last.map { times[positions[$0]] })
    refreshes.sortNearlySorted { ($0.time, $0.number) < ($1.time, $1.number) }
    return refreshes
  }

  private static func display(_ source: Int64) -> String { "begin frame source \(source)" }

  private mutating func addFrames(to builder: inout TraceBuilder, _ name: (Int64) -> String?) {
    let inOrder = updatesByPage.sorted {
      ($0.page.process ?? -1, $0.page.host ?? -1) < ($1.page.process ?? -1, $1.page.host ?? -1)
    }
    var row = Table<FrameColumn>.Row()
    let drops = dropsByPage
    for (page, unordered) in inOrder {
      let process = page.process.flatMap(name)
      let id = "page \(page.host ?? 0)" + (page.process.map { " of \($0)" } ?? "")
      var updates = unordered
      updates.sortNearlySorted { ($0.presented, $0.position) < ($1.presented, $1.position) }
      let display = updates.first.flatMap { reporters[$0.position].facts.source }
        .map { builder.display(Self.display($0)) }
      let position = builder.surface(id) {
        Surface(
          id: id, process: process, processID: page.process.flatMap { Int(exactly: $0) },
          display: display, bufferOwner: .compositor,
          numbersCountFrames: false)
      }
      builder.trace.surfaces[position].statedDrops = drops[page].map {
        stated($0, shown: updates.map { reporters[$0.position].start })
      }
      var start = 0
      while start < updates.count {
        let presented = updates[start].presented
        let end = updates[start...].firstIndex { $0.presented != presented } ?? updates.count
        let group = updates[start..<end]
        for update in group {
          guard !events.isEmpty, let key = reporters[update.position].facts.surfaceFrame else {
            continue
          }
          positions[key] = (position, builder.trace.surfaces[position].frames.count)
        }
        let isJanky =
          judged.isEmpty
          ? nil : judged[ChromeScrollJank.Frame(process: page.process, presented: presented)]
        row.clear()
        fill(&row, group, isJanky: isJanky)
        builder.trace.surfaces[position].frames.append(row)
        start = end
      }
    }
  }

  /// A displayed reporter: its display time, and its position in the list of all reporters.
  private typealias Update = (presented: Int64, position: Int)

  /// The displayed reporters of each page, in the order of the list.
  private var updatesByPage: [(page: Page, updates: [Update])] {
    var pages: [(page: Page, updates: [Update])] = []
    var numbers: [Page: Int] = [:]
    var last = 0
    let list = reporters.span
    for position in list.indices {
      guard let presented = list[position].presented else { continue }
      let page = Page(process: list[position].process, host: list[position].facts.host)
      // Consecutive reporters usually belong to the same page.
      if last == pages.count || pages[last].page != page {
        last = numbers[page] ?? pages.count
        if last == pages.count {
          numbers[page] = last
          pages.append((page, []))
        }
      }
      pages[last].updates.append((presented, position))
    }
    return pages
  }

  /// The dropped reporters of each page, by their positions in the list.
  private var dropsByPage: [Page: [Int]] {
    var drops: [Page: [Int]] = [:]
    let list = reporters.span
    for position in list.indices where list[position].facts.outcome == .dropped {
      let page = Page(process: list[position].process, host: list[position].facts.host)
      drops[page, default: []].append(position)
    }
    return drops
  }

  /// What Chromium states about a page's dropped frames.
  /// - Parameter shown: When the displayed frames began.
  private func stated(_ drops: [Int], shown: [Int64]) -> StatedDrops {
    var visible = drops.filter { reporters[$0].facts.affectsSmoothness }
    var stated = StatedDrops(visible: visible.count, invisible: drops.count - visible.count)
    visible.sortNearlySorted { (reporters[$0].start, $0) < (reporters[$1].start, $1) }
    var shown = shown
    shown.sortNearlySorted(by: <)
    var (first, next) = (0, 0)
    for position in visible.indices {
      let start = reporters[visible[position]].start
      if position > 0, next < shown.count, shown[next] <= start { first = position }
      while next < shown.count, shown[next] <= start { next += 1 }
      let frames = position - first + 1
      guard frames > stated.longest?.frames ?? 0 else { continue }
      let from = reporters[visible[first]].start
      let end = next < shown.count ? shown[next] : reporters[visible[position]].end ?? start
      stated.longest = StatedRun(
        frames: frames, start: Timestamp(nanoseconds: from), length: Nanoseconds(end &- from))
    }
    return stated
  }

  /// Fills in an update's row from all of its reporters.
  /// - Parameter isJanky: Chromium's verdict; `nil` if it has none.
  private func fill(
    _ row: inout Table<FrameColumn>.Row, _ group: ArraySlice<Update>, isJanky: Bool?
  ) {
    // The latest reporter is the one that was drawn; the main thread's update may be of an earlier frame.
    var (drawn, main): (Int?, Int?) = (nil, nil)
    var number: Int64?
    // The main thread missed a frame that the compositor showed without it.
    var isPartial = true
    let list = reporters.span
    for update in group {
      let position = update.position
      let start = list[position].start
      if drawn.map({ list[$0].start < start }) ?? true { drawn = position }
      if list[position].stages[.commit] != nil, main.map({ list[$0].start < start }) ?? true {
        main = position
      }
      if let own = list[position].facts.sequence { number = max(number ?? own, own) }
      if list[position].facts.outcome != .presentedPartly { isPartial = false }
    }
    row[.identifier] = number
    // The display compositor draws as soon as it receives an update.
    row[.mode] = FrameColumn.Mode.lowLatency.rawValue
    if let main {
      let stages = list[main].stages
      row[.appStart] = stages[.beginMainFrame]?.start
      row[.appEnd] = stages[.commit]?.end
      row[.commit] = stages[.commit]?.end
    }
    if let drawn {
      let stages = list[drawn].stages
      let (swap, draw) = (stages.swap, stages[.draw])
      // The time between the commit and the draw is mostly spent waiting for earlier frames.
      row[.compositorStart] = draw?.start
      row[.compositorEnd] = draw?.end ?? swap?.start
      row[.gpuStart] = swap?.start
      row[.gpuEnd] = swap?.end
    }
    row[.displayed] = group.first?.presented
    let verdict: FrameColumn.StatedVerdict? =
      isPartial ? .partial : isJanky.map { $0 ? .late : .onTime }
    row[.verdict] = verdict?.rawValue
  }

  private func addEvents(to builder: inout TraceBuilder) {
    for event in events {
      guard let device = event.device else { continue }
      var row = Table<TouchColumn>.Row()
      row[.kind] = TouchColumn.Kind.main.rawValue
      row[.device] = device.rawValue
      row[.phase] = event.phase?.rawValue
      row[.scanStart] = event.start
      // The page's threads count as the app that the input is delivered to.
      row[.delivered] =
        event.stages[.delivery]?.end
        ?? event.stages[.processing]?.start
      let position = event.facts.surfaceFrame.flatMap { positions[$0] }
      row[.surface] = position.map { Int64($0.surface) }
      row[.frame] = position.map { Int64($0.frame) }
      builder.trace.touches.append(row)
      addStages(of: event, to: &builder)
    }
  }

  /// Adds the duration of each stage of an input, as Chromium reports it.
  private func addStages(of event: ChromeEvent, to builder: inout TraceBuilder) {
    for stage in event.stages.all {
      let name = stageNames[Int(stage.name)]
      guard let end = stage.end, name.utf8.allSatisfy(Self.isLetter) else { continue }
      let metric = StatedMetric.inputStage
      builder.add(
        StatedFigure(
          scene: nil, run: 0, metric: "\(metric.rawValue).\(name)",
          value: Nanoseconds(end &- stage.start).milliseconds, unit: metric.unit,
          label: "EventLatency"))
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xdf)
  }

  /// Adds the counts that Chromium itself keeps, and notes the frames it dropped.
  private func note(in builder: inout TraceBuilder) {
    let dropped = reporters.filter { $0.facts.outcome == .dropped }
    let counted: [(metric: StatedMetric, name: String, count: Int)] = [
      (.droppedFrames, "smoothness", dropped.count { $0.facts.affectsSmoothness }),
      (.jankCount, "scroll", events.count { $0.facts.isJanky }),
    ]
    for (metric, name, count) in counted where count > 0 {
      builder.add(
        StatedFigure(
          scene: nil, run: 0, metric: "\(metric.rawValue).\(name)", value: Double(count),
          unit: metric.unit, label: "Chromium"))
    }
    for (kind, text) in [
      (.forked, "main-thread updates that missed the frame shown by the compositor"),
      (.backfilled, "frames that Chromium reports as dropped and never begun"),
      (nil, "frames that Chromium reports as dropped"),
    ] as [(ChromeReporter.Kind?, String)] {
      builder.log.note(
        .conditions, .info, text, count: dropped.count { $0.facts.kind == kind })
    }
  }
}

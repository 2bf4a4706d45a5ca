import FrameTrace

/// Converts Chromium's reports to frames.
///
/// A frame is an update of a page's pixels on the display. Reporters of a page that were displayed
/// at the same time, the main thread's and the compositor's, form one frame. The main thread counts
/// as the app, both compositors as the compositor, and the swap as the GPU's.
struct ChromeFrames {
  private let reporters: [ChromeReporter]
  private let events: [ChromeEvent]
  private let judged: [ChromeScrollJank.Frame: Bool]
  /// The surface and frame index, by the identifier that frames share with events.
  private var places: [UInt64: (surface: Int, frame: Int)] = [:]

  /// Adds the frames, the refreshes that began them, and the inputs that they show.
  /// - Parameter judged: Whether Chromium calls a frame of a scroll janky.
  static func add(
    _ reporters: [ChromeReporter], _ events: [ChromeEvent],
    judged: [ChromeScrollJank.Frame: Bool], to builder: inout TraceBuilder,
    name: (Int64) -> String?
  ) {
    var frames = ChromeFrames(reporters: reporters, events: events, judged: judged)
    frames.addRefreshes(to: &builder)
    frames.addFrames(to: &builder, name)
    frames.addEvents(to: &builder)
    frames.note(in: &builder)
  }

  private init(
    reporters: [ChromeReporter], events: [ChromeEvent], judged: [ChromeScrollJank.Frame: Bool]
  ) {
    (self.reporters, self.events, self.judged) = (reporters, events, judged)
  }

  private struct Page: Hashable {
    let process, host: Int64?
  }

  /// Adds the refreshes that began frames; a reporter has the time and number of its refresh.
  private func addRefreshes(to builder: inout TraceBuilder) {
    var refreshes: [Int64: [Int64: Int64]] = [:]
    for reporter in reporters {
      guard let number = reporter.facts.sequence else { continue }
      refreshes[reporter.facts.source ?? 0, default: [:]][number] = reporter.start
    }
    for (source, times) in refreshes.sorted(by: { $0.key < $1.key }) {
      let place = builder.display(Self.display(source))
      for (number, time) in times.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
        var row = Table<RefreshColumn>.Row()
        row[.number] = number
        row[.time] = time
        builder.trace.displays[place].refreshes.append(row)
      }
    }
  }

  private static func display(_ source: Int64) -> String { "begin frame source \(source)" }

  private mutating func addFrames(to builder: inout TraceBuilder, _ name: (Int64) -> String?) {
    var pages: [Page: [(presented: Int64, place: Int)]] = [:]
    for (place, reporter) in reporters.enumerated() {
      guard let presented = reporter.presented else { continue }
      let page = Page(process: reporter.process, host: reporter.facts.host)
      pages[page, default: []].append((presented, place))
    }
    let inOrder = pages.sorted {
      ($0.key.process ?? -1, $0.key.host ?? -1) < ($1.key.process ?? -1, $1.key.host ?? -1)
    }
    for (page, updates) in inOrder {
      let process = page.process.flatMap(name)
      let id = "page \(page.host ?? 0)" + (page.process.map { " of \($0)" } ?? "")
      let updates = updates.sorted { ($0.presented, $0.place) < ($1.presented, $1.place) }
      let display = updates.first.flatMap { reporters[$0.place].facts.source }
        .map { builder.display(Self.display($0)) }
      let place = builder.surface(id) {
        Surface(
          id: id, process: process, processID: page.process.flatMap { Int(exactly: $0) },
          display: display, bufferOwner: .compositor,
          numbersCountFrames: false)
      }
      var start = 0
      while start < updates.count {
        let presented = updates[start].presented
        let end = updates[start...].firstIndex { $0.presented != presented } ?? updates.count
        let group = updates[start..<end].map { reporters[$0.place] }
        for key in group.compactMap(\.facts.surfaceFrame) {
          places[key] = (place, builder.trace.surfaces[place].frames.count)
        }
        let isJanky = judged[
          ChromeScrollJank.Frame(process: page.process, presented: presented)]
        builder.trace.surfaces[place].frames.append(Self.row(group, presented, isJanky: isJanky))
        start = end
      }
    }
  }

  /// The row of an update, from all of its reporters.
  /// - Parameter isJanky: Chromium's verdict; `nil` if it has none.
  private static func row(
    _ group: [ChromeReporter], _ presented: Int64, isJanky: Bool?
  ) -> Table<FrameColumn>.Row {
    var row = Table<FrameColumn>.Row()
    row[.identifier] = group.compactMap(\.facts.sequence).max()
    // The display compositor draws as soon as it receives an update.
    row[.mode] = FrameColumn.Mode.lowLatency.rawValue
    // The latest is the one that was drawn; the main thread's update may be of an earlier frame.
    let drawn = group.max { $0.start < $1.start }
    let main = group.filter { $0.stages["Commit"] != nil }.max { $0.start < $1.start }
    if let main {
      row[.appStart] = main.stages["SendBeginMainFrameToCommit"]?.start
      row[.appEnd] = main.stages["Commit"]?.end
      row[.commit] = main.stages["Commit"]?.end
    }
    let swap = drawn?.stages.swap
    let draw = drawn?.stages["StartDrawToSwapStart"]
    // The time between the commit and the draw is mostly a wait for earlier frames.
    row[.compositorStart] = draw?.start
    row[.compositorEnd] = draw?.end ?? swap?.start
    row[.gpuStart] = swap?.start
    row[.gpuEnd] = swap?.end
    row[.displayed] = presented
    // The main thread missed a frame that the compositor showed without it.
    let isPartial = group.allSatisfy { $0.facts.outcome == .presentedPartly }
    let verdict: FrameColumn.StatedVerdict? =
      isPartial ? .app : isJanky.map { $0 ? .late : .onTime }
    row[.verdict] = verdict?.rawValue
    return row
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
        event.stages["BrowserMainToRendererCompositor"]?.end
        ?? event.stages["RendererMainProcessing"]?.start
      let place = event.facts.surfaceFrame.flatMap { places[$0] }
      row[.surface] = place.map { Int64($0.surface) }
      row[.frame] = place.map { Int64($0.frame) }
      builder.trace.touches.append(row)
      addStages(of: event, to: &builder)
    }
  }

  /// Adds the duration of each stage of an input, as Chromium reports it.
  private func addStages(of event: ChromeEvent, to builder: inout TraceBuilder) {
    for stage in event.stages.all {
      guard let end = stage.end, stage.name.utf8.allSatisfy(Self.isLetter) else { continue }
      let metric = StatedMetric.inputStage
      builder.add(
        StatedFigure(
          scene: nil, run: 0, metric: "\(metric.rawValue).\(stage.name)",
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

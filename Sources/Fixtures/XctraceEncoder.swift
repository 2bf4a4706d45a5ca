package import FrameKit

/// Writes XML like `xctrace export` for an Instruments recording: the tables of the display and of hitches, all in one
/// document.
///
/// Instruments sees what the compositor draws for a display: one surface. A swap shows one frame of that surface and
/// reports at most one input.
package struct XctraceEncoder: TraceEncoder {
  package let name = "xctrace"
  package let importer = "xctrace"

  package init() {}

  package func whyNot(_ trace: Trace) -> String? {
    guard trace.surfaces.count == 1, let frames = trace.surfaces.first?.frames else {
      return "the format needs exactly one surface"
    }
    guard frames.has(.compositorStart), frames.has(.displayed) else {
      return "a row needs the compositor's start on a frame and the display time"
    }
    if trace.surfaces[0].bufferOwner == .app, frames.isShownUnevenly {
      return
        "the tables cannot show that the app draws a layer, so late frames would be attributed differently"
    }
    let inputs = Self.inputs(trace)
    return inputs.count == Set(inputs.map(\.frame)).count
      ? nil : "the format reports only one input per frame"
  }

  /// The main inputs, each with its frame and the time at which it was made.
  fileprivate static func inputs(_ trace: Trace) -> [(frame: Int64, made: Int64)] {
    let touches = trace.touches
    return (0..<touches.count).compactMap { row in
      guard touches[row, .kind] ?? 0 == TouchColumn.Kind.main.rawValue,
        let frame = touches[row, .frame], let made = touches[row, .scanStart]
      else { return nil }
      return (frame, made)
    }
  }

  package func encode(_ trace: Trace) -> [UInt8] {
    var recording = trace.surfaces.first.map { XctraceEncoding(trace, $0) }
    recording?.addAll()
    return Array((recording?.document ?? XctraceDocumentText()).text.utf8)
  }
}

/// The tables of a recording being written.
private struct XctraceEncoding {
  private typealias Cell = XctraceDocumentText.Cell

  private(set) var document = XctraceDocumentText()
  private let trace: Trace
  private let frames: Table<FrameColumn>
  /// The name of the display, and its refreshes if known.
  private let display: String
  private let refreshes: Table<RefreshColumn>?
  /// The shift to add to a time of the trace.
  private let shift: Int64

  /// A recording begins slightly before its first event, so that no time is 0, which would mean a
  /// missing time.
  private static let lead: Int64 = 100_000_000

  init(_ trace: Trace, _ surface: Surface) {
    self.trace = trace
    frames = surface.frames
    let display = surface.display.map { trace.displays[$0] }
    self.display = display?.id ?? "display"
    refreshes = display?.refreshes
    shift = Self.lead - (trace.timeRange?.lowerBound.nanoseconds ?? 0)
  }

  mutating func addAll() {
    addUpdates()
    addRenders()
    addGPU()
    addSwaps()
    addShown()
    addRefreshes()
    addHitches()
  }

  private func time(_ value: Int64?) -> Cell { value.map { .time($0 + shift) } ?? .none }

  private func time(_ row: Int, _ column: FrameColumn) -> Cell { time(frames[row, column]) }

  private func length(_ row: Int, _ start: FrameColumn, _ end: FrameColumn) -> Cell {
    guard let start = frames[row, start], let end = frames[row, end] else { return .none }
    return .duration(end - start)
  }

  /// The swap id of a frame, shared by all rows of the frame.
  private func swap(_ row: Int) -> Int64 { Int64(row) + 4_685_385 }

  private func buffer(_ row: Int) -> Int64? { frames[row, .buffer] }

  private static let stage: [XctraceDocumentText.Column] = [
    ("start", "start-time"), ("duration", "duration"), ("swap-id", "uint32"),
    ("display", "display-name"), ("frame-color", "event-concept"),
    ("containment-level", "uint32"), ("label", "string"),
  ]

  private mutating func addStage(_ table: String, from start: FrameColumn, to end: FrameColumn) {
    let rows = (0..<frames.count).filter { frames[$0, start] != nil && frames[$0, end] != nil }
    document.add(
      table, Self.stage,
      rows.map { row in
        [
          time(row, start), length(row, start, end), .number("uint32", swap(row)),
          .text("display-name", display), .text("event-concept", "Blue"), .number("uint32", 0),
          .text("string", ""),
        ]
      })
  }

  private mutating func addUpdates() {
    addStage("hitches-updates", from: .appStart, to: .appEnd)
  }

  private mutating func addGPU() { addStage("hitches-gpu", from: .gpuStart, to: .gpuEnd) }

  private mutating func addRenders() {
    let rows = (0..<frames.count).filter {
      frames[$0, .compositorStart] != nil && frames[$0, .compositorEnd] != nil
    }
    document.add(
      "hitches-renders",
      [
        ("start", "start-time"), ("duration", "duration"), ("display", "display-name"),
        ("offscreen-passes", "uint32"), ("swap-id", "uint32"), ("surface-id", "uint32"),
        ("frame-color", "event-concept"), ("containment-level", "uint32"), ("label", "string"),
      ],
      rows.map { row in
        [
          time(row, .compositorStart), length(row, .compositorStart, .compositorEnd),
          .text("display-name", display), .number("uint32", frames[row, .offscreenPasses]),
          .number("uint32", swap(row)), .number("uint32", buffer(row)),
          .text("event-concept", "Blue"), .number("uint32", 0), .text("string", ""),
        ]
      })
  }

  private mutating func addSwaps() {
    let inputs = Dictionary(
      XctraceEncoder.inputs(trace).map { ($0.frame, $0.made) }, uniquingKeysWith: min)
    let rows = (0..<frames.count).filter { frames[$0, .displayed] != nil }
    document.add(
      "display-surface-swap",
      [
        ("timestamp", "start-time"), ("delay", "start-time"), ("display-name", "display-name"),
        ("surface-id", "displayed-surface-swap"), ("framebuffer-index", "uint32"),
        ("swap-id", "displayed-surface-swap"), ("color", "render-buffer-depth"),
        ("pixel-format", "string"), ("hid-time", "start-time"), ("generation-time", "start-time"),
        ("min-quanta", "uint32"), ("desired-presentation-time", "start-time"),
        ("layer1-surface-id", "displayed-surface-swap"),
        ("layer2-surface-id", "displayed-surface-swap"), ("layer1-pixel-format", "string"),
        ("layer2-pixel-format", "string"),
      ],
      rows.map { row in
        let delay = frames[row, .queued].map { (frames[row, .displayed] ?? $0) - $0 }
        return [
          time(row, .displayed), delay.map { .time($0) } ?? .none,
          .text("display-name", display), .number("displayed-surface-swap", buffer(row)),
          .number("uint32", 17), .number("displayed-surface-swap", swap(row)),
          .number("render-buffer-depth", buffer(row).map { $0 % 3 }), .text("string", ""),
          inputs[Int64(row)].map { time($0) } ?? .time(0), .none, .number("uint32", 1),
          time(row, .expectedDisplay), .none, .none, .none, .none,
        ]
      })
  }

  private mutating func addShown() {
    let rows = (0..<frames.count).filter {
      frames[$0, .displayed] != nil && frames[$0, .replaced] != nil
    }
    document.add(
      "displayed-surfaces-interval",
      [
        ("start", "start-time"), ("duration", "duration"), ("cpu-to-display-latency", "duration"),
        ("display-name", "display-name"), ("surface-id", "uint64"),
        ("event-label", "narrative"), ("direct-to-display", "boolean"),
      ],
      rows.map { row in
        [
          time(row, .displayed), length(row, .displayed, .replaced), .none,
          .text("display-name", display), .number("uint64", buffer(row)),
          buffer(row).map { .text("narrative", "Surface \($0)") } ?? .none,
          .number("boolean", 0),
        ]
      })
  }

  private mutating func addRefreshes() {
    guard let refreshes else { return }
    document.add(
      "display-vsyncs-interval",
      [
        ("timestamp", "start-time"), ("duration", "duration"), ("display-name", "display-name"),
        ("event", "vsync-event"),
      ],
      (0..<refreshes.count).map { row in
        // The table needs no duration, so all rows have the same duration.
        [
          time(refreshes[row, .time]), .duration(1), .text("display-name", display),
          .text("vsync-event", "VSYNC"),
        ]
      })
  }

  private mutating func addHitches() {
    let hitches = trace.statedHitches
    document.add(
      "hitches",
      [
        ("start", "start-time"), ("duration", "duration"), ("process", "process"),
        ("is-system", "boolean"), ("swap-id", "uint32"), ("label", "string"),
        ("display", "display-name"), ("narrative-description", "string"),
      ],
      (0..<hitches.count).map { row in
        [
          time(hitches[row, .start]), hitches[row, .duration].map { .duration($0) } ?? .none,
          .none, .number("boolean", 0), .none, .none, .text("display-name", display),
          .text("string", hitches.text(row, .narrative) ?? ""),
        ]
      })
  }
}

/// What tables of one recording say, before it is put together.
struct XctraceRecording {
  /// A frame that the compositor drew.
  struct Render {
    let start, end: Int64
    let display: String
    let passes: Int64?
    let swap, surface: Int64?
  }

  /// Work on a frame, or its whole life.
  struct Stretch {
    let start, end: Int64
    let display: String
    let swap: Int64
  }

  /// A buffer that was swapped in.
  struct Swap {
    /// When it was swapped in, and when it had been handed over.
    let displayed: Int64
    let queued: Int64?
    let display: String
    let swap, surface: Int64?
    /// The input that it shows, and when it was wanted on the display.
    let input, desired: Int64?
  }

  /// A stretch of time for which a buffer was on the display.
  struct Shown {
    let start, end: Int64
    let display: String
    let surface: Int64?
  }

  /// A hitch by the recorder's own reckoning.
  struct StatedHitch {
    let start, duration: Int64
    let display: String
    let narrative: String
  }

  /// A stretch of time with a name.
  struct Mark {
    let name: String
    let start: Int64
    let end: Int64?
  }

  var renders: [Render] = []
  /// The app's updates, the GPU's work, and frames from their start to the display.
  var updates: [Stretch] = []
  var gpu: [Stretch] = []
  var lifetimes: [Stretch] = []
  var swaps: [Swap] = []
  var shown: [Shown] = []
  var refreshes: [String: [Int64]] = [:]
  var hitches: [StatedHitch] = []
  var marks: [Mark] = []
  /// Rows without a time, or without the frame that they are about.
  private(set) var brokenRows = 0

  /// What takes a row of each table; `false` for one without its time.
  private static let readers: [String: @Sendable (XctraceRow, inout XctraceRecording) -> Bool] = [
    "hitches": { $1.takeHitch($0, because: "narrative-description") },
    "hitches-summary": { $1.takeHitch($0, because: "type-label") },
    "hitches-updates": { $1.take($0, into: \.updates) },
    "hitches-gpu": { $1.take($0, into: \.gpu) },
    "hitches-frame-lifetimes": { $1.take($0, into: \.lifetimes) },
    "hitches-renders": { $1.takeRender($0) },
    "display-surface-swap": { $1.takeSwap($0) },
    "displayed-surfaces-interval": { $1.takeShown($0) },
    "display-vsyncs-interval": { $1.takeRefresh($0) },
    "display-vsync-interval": { $1.takeRefresh($0) },
    "potential-hangs": { $1.takeHang($0) },
    "os-signpost-interval": { $1.takeSignpost($0) },
    "OSSignpostIntervals": { $1.takeSignpost($0) },
  ]

  /// The tables that are read.
  static var names: [String] { readers.keys.sorted() }

  /// Whether anything is read of a table.
  static func reads(_ table: String) -> Bool { readers[table] != nil }

  mutating func take(_ row: XctraceRow) {
    guard let read = Self.readers[row.schema.name] else { return }
    if !read(row, &self) { brokenRows += 1 }
  }
}

extension XctraceRecording {
  /// The name of a row's display, as the tables spell it.
  private func display(_ row: XctraceRow) -> String {
    row.text("display") ?? row.text("display-name") ?? "display"
  }

  /// Takes a row that names its frame; one without a frame tells nothing of any.
  private mutating func take(
    _ row: XctraceRow, into stretches: WritableKeyPath<XctraceRecording, [Stretch]>
  ) -> Bool {
    guard let (start, end) = row.span, let swap = row.number("swap-id") else { return false }
    self[keyPath: stretches].append(
      Stretch(start: start, end: end, display: display(row), swap: swap))
    return true
  }

  private mutating func takeHitch(_ row: XctraceRow, because reason: String) -> Bool {
    guard let (start, end) = row.span else { return false }
    hitches.append(
      StatedHitch(
        start: start, duration: end - start, display: display(row),
        narrative: row.text(reason) ?? ""))
    return true
  }

  private mutating func takeRender(_ row: XctraceRow) -> Bool {
    guard let (start, end) = row.span else { return false }
    renders.append(
      Render(
        start: start, end: end, display: display(row),
        passes: row.number("offscreen-passes"), swap: row.number("swap-id"),
        surface: row.number("surface-id")))
    return true
  }

  private mutating func takeSwap(_ row: XctraceRow) -> Bool {
    guard let time = row.time("timestamp") else { return false }
    let delay = row.time("delay")
    let input = row.time("hid-time")
    swaps.append(
      Swap(
        displayed: time, queued: delay.map { time - $0 }, display: display(row),
        swap: row.number("swap-id"), surface: row.number("surface-id"),
        // 0 stands for no input.
        input: input == 0 ? nil : input, desired: row.time("desired-presentation-time")))
    return true
  }

  private mutating func takeShown(_ row: XctraceRow) -> Bool {
    guard let (start, end) = row.span else { return false }
    shown.append(
      Shown(
        start: start, end: end, display: display(row),
        surface: row.number("surface-id")))
    return true
  }

  private mutating func takeRefresh(_ row: XctraceRow) -> Bool {
    guard let time = row.time("timestamp") else { return false }
    refreshes[display(row), default: []].append(time)
    return true
  }

  private mutating func takeHang(_ row: XctraceRow) -> Bool {
    guard let (start, end) = row.span else { return false }
    marks.append(Mark(name: row.text("hang-type") ?? "hang", start: start, end: end))
    return true
  }

  private mutating func takeSignpost(_ row: XctraceRow) -> Bool {
    guard let start = row.time("start") else { return false }
    marks.append(
      Mark(
        name: row.text("name") ?? "signpost", start: start,
        end: row.time("duration").map { start + $0 }))
    return true
  }
}

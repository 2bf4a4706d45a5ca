/// The contents of the hitches instrument's tables: stages of frames by swap ID, and hitches.
struct XctraceFrameFacts {
  /// A frame that the compositor drew.
  struct Render {
    let start, end: Int64
    let display: String
    let passes: Int64?
    let swap, surface: Int64?
  }

  /// Work on a frame, or the frame's complete lifetime.
  struct Stretch {
    private(set) var start, end: Int64
    let display: String
    let swap: Int64

    /// Extends the stretch to cover another stretch of the same frame.
    mutating func join(_ other: Stretch) {
      (start, end) = (min(start, other.start), max(end, other.end))
    }
  }

  /// A hitch as the recorder computed it.
  struct HitchRow {
    /// The key that distinguishes the hitch from other hitches.
    struct Span: Hashable {
      let start, duration: Int64
      let display: String
    }

    let start, duration: Int64
    let display: String
    let process: String?
    let narrative: String?

    var span: Span { Span(start: start, duration: duration, display: display) }
  }

  /// An input at the device, with the frame that shows it if that is stated.
  struct Input {
    let time: Int64
    let swap: Int64?
  }

  var renders: [Render] = []
  /// The app's updates, the GPU's work, finished frames that wait for the display, and frames from
  /// their start to the display.
  var updates: [Stretch] = []
  var gpu: [Stretch] = []
  var waits: [Stretch] = []
  var lifetimes: [Stretch] = []
  var hitches: [HitchRow] = []
  var inputs: [Input] = []
}

extension XctraceRecording {
  static let frameReaders: [String: Reader] = [
    "hitches": { $1.takeHitch($0, because: .narrativeDescription) },
    "hitches-renders": { $1.takeRender($0) },
    "hitches-updates": { $1.consume($0, into: \.updates) },
    "hitches-gpu": { $1.consume($0, into: \.gpu) },
    "hitches-framewait": { $1.consume($0, into: \.waits) },
    "hitches-frame-lifetimes": { $1.consume($0, into: \.lifetimes) },
    // The tables as iOS 18 records them.
    "hitches-summary": { $1.takeHitch($0, because: .typeLabel) },
    "hitches-render-interval": { $1.takeRender($0) },
    "hitches-commit-interval": { $1.consume($0, into: \.updates) },
    "hitches-ca-commit-interval": { $1.consume($0, into: \.updates) },
    "hitches-gpu-interval": { $1.consume($0, into: \.gpu) },
    "hitches-lifetime-interval": { $1.consume($0, into: \.lifetimes) },
    "hitches-hid-input": { $1.takeInput($0) },
  ]

  /// The name of a row's display, as the tables spell it.
  static func display(_ row: XctraceRow) -> String {
    row.text(.display) ?? row.text(.displayName) ?? "display"
  }

  /// Consumes a row that names its frame; a row without a frame is not usable.
  private mutating func consume(
    _ row: XctraceRow,
    into stretches: WritableKeyPath<XctraceFrameFacts, [XctraceFrameFacts.Stretch]>
  ) -> Bool {
    guard let (start, end) = row.span, let swap = row.number(.swapId) else { return false }
    frames[keyPath: stretches].append(
      .init(start: start, end: end, display: Self.display(row), swap: swap))
    return true
  }

  private mutating func takeHitch(_ row: XctraceRow, because reason: XctraceColumn) -> Bool {
    guard let (start, end) = row.span else { return false }
    frames.hitches.append(
      .init(
        start: start, duration: end - start, display: Self.display(row),
        process: XctraceProcess(row.value(.process))?.name,
        narrative: row.text(reason).flatMap { $0.isEmpty ? nil : $0 }))
    return true
  }

  private mutating func takeRender(_ row: XctraceRow) -> Bool {
    guard let (start, end) = row.span else { return false }
    frames.renders.append(
      .init(
        start: start, end: end, display: Self.display(row),
        passes: row.number(.offscreenPasses), swap: row.number(.swapId),
        surface: row.number(.surfaceId)))
    return true
  }

  private mutating func takeInput(_ row: XctraceRow) -> Bool {
    guard let time = row.instant else { return false }
    frames.inputs.append(.init(time: time, swap: row.number(.swapId)))
    return true
  }
}

extension XctraceRow {
  /// The time of the event, under the names that tables use for it.
  var instant: Int64? { time(.start) ?? time(.timestamp) ?? time(.time) }
}

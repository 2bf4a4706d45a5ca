/// The frame timeline of SurfaceFlinger: when frames were expected, and when they came.
///
/// Perfetto, "Android Jank detection with FrameTimeline". A slice starts with a packet and ends with
/// another one of the same cookie.
struct PerfettoTimeline {
  private typealias Field = PerfettoSchema.FrameTimelineEvent

  /// Frames by who they are of: what was expected, and what came of it.
  enum Kind { case expectedDisplay, actualDisplay, expectedSurface, actualSurface }

  /// A frame of the display or of an app's surface.
  struct Slice {
    let kind: Kind
    let start: Int64
    /// `nil` for one that had not ended when the recording did.
    fileprivate(set) var end: Int64?
    let process: Int64
    let token: Int64
    /// The frame of the display that shows a surface's one.
    let displayToken: Int64?
    let layer: String?
    let verdict: Judgement?

    var key: Key { Key(process: process, token: token) }
  }

  /// What SurfaceFlinger says of a frame itself.
  struct Judgement: Hashable {
    let present, prediction, severity: Int64
    let jank: UInt64
    let isOnTimeFinish, isGPUComposition: Bool
  }

  /// A frame of a process, by its token.
  struct Key: Hashable {
    let process, token: Int64
  }

  /// In the order in which they began.
  private(set) var slices: [Slice] = []
  /// Layers are few, and frames are many.
  private var layers = StringTable()
  /// The places of slices without an end, by cookie.
  private var open: [Int64: Int] = [:]
  /// Tokens of expected frames of surfaces that were seen, by process.
  private var expected: Set<Key> = []
  /// Starts without a cookie, token, process or time, and times that cannot be.
  private(set) var broken = 0
  /// Second expected frames of a token: layers of one frame have one.
  private(set) var repeated = 0

  /// Times near the largest number stand for fences that never signalled.
  private static let absurd = Int64.max - 10_000_000_000

  mutating func take(_ context: PerfettoRecording.Context) {
    let event = context.message
    guard let time = context.time, time.magnitude < UInt64(Self.absurd) else {
      broken += 1
      return
    }
    let kinds: [(Int, Kind)] = [
      (Field.expectedDisplayFrameStart, .expectedDisplay),
      (Field.actualDisplayFrameStart, .actualDisplay),
      (Field.expectedSurfaceFrameStart, .expectedSurface),
      (Field.actualSurfaceFrameStart, .actualSurface),
    ]
    for (field, kind) in kinds {
      if let start = event.message(field) { begin(kind, start, at: time) }
    }
    if let end = event.message(Field.frameEnd) {
      guard let cookie = end.integer(Field.Frame.cookie) else {
        broken += 1
        return
      }
      // One of which the start was not recorded.
      guard let place = open.removeValue(forKey: cookie) else { return }
      slices[place].end = time
    }
  }

  private mutating func begin(_ kind: Kind, _ start: ProtobufMessage, at time: Int64) {
    let isSurface = kind == .expectedSurface || kind == .actualSurface
    let process = start.integer(isSurface ? Field.SurfaceFrame.pid : Field.DisplayFrame.pid)
    guard let cookie = start.integer(Field.Frame.cookie),
      let token = start.integer(Field.Frame.token), let process,
      !isSurface || start.integer(Field.SurfaceFrame.displayFrameToken) != nil
    else {
      broken += 1
      return
    }
    if kind == .expectedSurface, !expected.insert(Key(process: process, token: token)).inserted {
      repeated += 1
      return
    }
    open[cookie] = slices.count
    slices.append(
      Slice(
        kind: kind, start: time, end: nil, process: process, token: token,
        displayToken: isSurface ? start.integer(Field.SurfaceFrame.displayFrameToken) : nil,
        layer: isSurface ? start.text(Field.SurfaceFrame.layerName).map { layers.shared($0) } : nil,
        verdict: Self.verdict(kind, start)))
  }

  private static func verdict(_ kind: Kind, _ start: ProtobufMessage) -> Judgement? {
    switch kind {
    case .expectedDisplay, .expectedSurface: nil
    case .actualDisplay:
      Judgement(
        present: start.integer(Field.DisplayFrame.presentType) ?? 0,
        prediction: start.integer(Field.DisplayFrame.predictionType) ?? 0,
        severity: start.integer(Field.DisplayFrame.jankSeverityType) ?? 0,
        jank: start[Field.DisplayFrame.jankType]?.number ?? 0,
        isOnTimeFinish: start.flag(Field.DisplayFrame.onTimeFinish) ?? false,
        isGPUComposition: start.flag(Field.DisplayFrame.gpuComposition) ?? false)
    case .actualSurface:
      Judgement(
        present: start.integer(Field.SurfaceFrame.presentType) ?? 0,
        prediction: start.integer(Field.SurfaceFrame.predictionType) ?? 0,
        severity: start.integer(Field.SurfaceFrame.jankSeverityType) ?? 0,
        jank: start[Field.SurfaceFrame.jankType]?.number ?? 0,
        isOnTimeFinish: start.flag(Field.SurfaceFrame.onTimeFinish) ?? false,
        isGPUComposition: start.flag(Field.SurfaceFrame.gpuComposition) ?? false)
    }
  }
}

extension PerfettoTimeline.Judgement {
  /// The names of jank types, in the order in which the trace processor joins them.
  private static let jankNames: [(bit: UInt64, name: String)] = [
    (2, "SurfaceFlinger Scheduling"), (4, "Prediction Error"), (8, "Display HAL"),
    (16, "SurfaceFlinger CPU Deadline Missed"), (32, "SurfaceFlinger GPU Deadline Missed"),
    (64, "App Deadline Missed"), (128, "Buffer Stuffing"), (256, "Unknown Jank"),
    (512, "SurfaceFlinger Stuffing"), (1024, "Dropped Frame"), (2048, "Non Animating"),
    (4096, "App Resynced Jitter"), (8192, "Display not ON"),
    (16384, "ModeChange in progress"), (32768, "PowerModeChange in progress"),
  ]

  /// The jank by its upstream names.
  var jankName: String {
    if jank == 0 { return "Unspecified" }
    if jank == 1 { return "None" }
    let names = Self.jankNames.filter { jank & $0.bit != 0 }.map(\.name)
    return names.isEmpty ? "Unspecified" : names.joined(separator: ", ")
  }

  /// Whether it was perceived at all: not while nothing animates, or with the display off or about to
  /// change.
  var isPerceived: Bool { jank & ~1 != 0 && jank & (2048 | 8192 | 16384 | 32768) == 0 }

  /// Whose work was late, as far as the type tells: stuffing and drops do not name the culprit.
  var kind: HitchColumn.Kind {
    let isApp = jank & (64 | 4096) != 0
    let isCompositor = jank & (2 | 8 | 16 | 32 | 512) != 0
    return isApp == isCompositor ? .unknown : isApp ? .commit : .render
  }

  var presentName: String {
    switch present {
    case 1: "On-time Present"
    case 2: "Late Present"
    case 3: "Early Present"
    case 4: "Dropped Frame"
    case 5: "Unknown Present"
    default: "Unspecified Present"
    }
  }

  var severityName: String {
    switch severity {
    case 1: "None"
    case 2: "Partial"
    case 3: "Full"
    default: jank == 1 ? "None" : "Unknown"
    }
  }

  var isDropped: Bool { present == 4 }
}

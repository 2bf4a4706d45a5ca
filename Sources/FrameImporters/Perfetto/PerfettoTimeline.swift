import FrameTrace

/// SurfaceFlinger's frame timeline: when frames were expected, and when they came.
///
/// Perfetto, "Android Jank detection with FrameTimeline". A slice starts with a packet and ends with another packet
/// that has the same cookie.
struct PerfettoTimeline {
  private typealias Field = PerfettoSchema.FrameTimelineEvent

  /// The kinds of slices: expected and actual frames of the display and of surfaces.
  enum Kind { case expectedDisplay, actualDisplay, expectedSurface, actualSurface }

  /// A frame of the display or of an app's surface.
  struct Slice {
    let start: Int64
    let process: Int64
    let token: Int64
    // There are four slices for each frame, and an optional number takes twice the memory of a number.
    private var storedEnd = IntegerColumn.missing
    private let storedDisplayToken: Int64
    private let storedLayer, storedJudgment: Int32
    let kind: Kind

    fileprivate init(
      kind: Kind, start: Int64, process: Int64, token: Int64, displayToken: Int64?, layer: Int?,
      judgment: Int32?
    ) {
      (self.kind, self.start, self.process, self.token) = (kind, start, process, token)
      storedDisplayToken = displayToken ?? IntegerColumn.missing
      storedLayer = layer.map(Int32.init) ?? -1
      storedJudgment = judgment ?? -1
    }

    /// `nil` if the frame had not ended when the recording ended.
    fileprivate(set) var end: Int64? {
      get { storedEnd == IntegerColumn.missing ? nil : storedEnd }
      set { storedEnd = newValue ?? IntegerColumn.missing }
    }

    /// The token of the display frame that shows a surface's frame.
    var displayToken: Int64? {
      storedDisplayToken == IntegerColumn.missing ? nil : storedDisplayToken
    }

    /// The index of the layer, which many frames share.
    var layer: Int32? { storedLayer < 0 ? nil : storedLayer }

    /// The index of the judgment, which many frames share.
    var judgment: Int32? { storedJudgment < 0 ? nil : storedJudgment }
  }

  /// SurfaceFlinger's judgment of a frame.
  struct Judgment: Hashable {
    fileprivate(set) var present, prediction, severity: Int64
    fileprivate(set) var jank: FrameTimelineJank
    fileprivate(set) var isOnTimeFinish, isGPUComposition: Bool

    fileprivate init() {
      (present, prediction, severity) = (0, 0, 0)
      // An empty literal would be built as a collection for each frame.
      jank = FrameTimelineJank(rawValue: 0)
      (isOnTimeFinish, isGPUComposition) = (false, false)
    }
  }

  /// In the order in which they began.
  private(set) var slices = PieceList<Slice>()
  /// The slice index of each expected surface frame, by process and token.
  private(set) var expected = PairTable()
  /// The names of layers; there are many frames but few layers.
  private var layers = ByteTable()
  /// The distinct judgments of the trace, which slices refer to by index.
  private(set) var judgments: [Judgment] = []
  private var judgmentPositions: [Judgment: Int32] = [:]
  /// The indexes of slices without an end, by cookie.
  private var open = PairTable()
  /// The number of starts without a cookie, token, process or time, and of impossible times.
  private(set) var broken = 0
  /// The number of repeated expected frames of a token; each layer of a frame has one.
  private(set) var repeated = 0

  /// Times near the largest number stand for fences that never signaled.
  private static let absurd = Int64.max - 10_000_000_000

  /// The layer's name, if the slice has one.
  func layer(of slice: Slice) -> String? { slice.layer.map { layers.text(Int($0)) } }

  mutating func consume(_ context: PerfettoRecording.Context) {
    guard let time = context.time, time.magnitude < UInt64(Self.absurd) else {
      broken += 1
      return
    }
    let bytes = context.bytes.span
    var fields = ProtobufFields(context.range)
    while let value = fields.next(bytes) {
      guard let range = value.range else { continue }
      switch fields.number {
      case Field.expectedDisplayFrameStart: begin(.expectedDisplay, bytes, range, at: time)
      case Field.actualDisplayFrameStart: begin(.actualDisplay, bytes, range, at: time)
      case Field.expectedSurfaceFrameStart: begin(.expectedSurface, bytes, range, at: time)
      case Field.actualSurfaceFrameStart: begin(.actualSurface, bytes, range, at: time)
      case Field.frameEnd: end(bytes, range, at: time)
      default: break
      }
    }
  }

  private mutating func end(_ bytes: Span<UInt8>, _ range: Range<Int>, at time: Int64) {
    var cookie: Int64?
    var fields = ProtobufFields(range)
    while let value = fields.next(bytes) {
      if fields.number == Field.Frame.cookie { cookie = value.signed }
    }
    guard let cookie else {
      broken += 1
      return
    }
    // The start of this slice was not recorded.
    guard let position = open.remove(0, cookie) else { return }
    slices[Int(position)].end = time
  }

  private mutating func begin(
    _ kind: Kind, _ bytes: Span<UInt8>, _ range: Range<Int>, at time: Int64
  ) {
    let isSurface = kind == .expectedSurface || kind == .actualSurface
    let start = Start(bytes, range, isSurface: isSurface)
    guard let cookie = start.cookie, let token = start.token, let process = start.process,
      !isSurface || start.displayToken != nil, start.displayToken != IntegerColumn.missing
    else {
      broken += 1
      return
    }
    if kind == .expectedSurface {
      guard expected[process, token] == nil else {
        repeated += 1
        return
      }
      expected[process, token] = Int32(slices.count)
    }
    let isActual = kind == .actualDisplay || kind == .actualSurface
    open[0, cookie] = Int32(slices.count)
    slices.append(
      Slice(
        kind: kind, start: time, process: process, token: token,
        displayToken: start.displayToken, layer: start.layer.map { layers.number(bytes, $0) },
        judgment: isActual ? position(of: start.judgment) : nil))
  }

  private mutating func position(of judgment: Judgment) -> Int32 {
    // Most judgments equal the previous one.
    if let last, judgments[Int(last)] == judgment { return last }
    let position = judgmentPositions[judgment] ?? Int32(judgments.count)
    if position == judgments.count {
      judgmentPositions[judgment] = position
      judgments.append(judgment)
    }
    last = position
    return position
  }

  private var last: Int32?
}

/// The start of a display or surface frame, which have the same parts under different numbers.
private struct Start {
  private typealias Field = PerfettoSchema.FrameTimelineEvent

  var cookie, token, process, displayToken: Int64?
  var layer: Range<Int>?
  var judgment = PerfettoTimeline.Judgment()

  private enum Part {
    case cookie, token, process, displayToken, layer
    case present, onTimeFinish, gpuComposition, jank, prediction, severity
  }

  /// The parts, indexed by field number.
  private static func inOrder(_ parts: [Int: Part]) -> [Part?] {
    (0...(parts.keys.max() ?? 0)).map { parts[$0] }
  }

  private static let displayParts = inOrder([
    Field.Frame.cookie: .cookie, Field.Frame.token: .token, Field.DisplayFrame.pid: .process,
    Field.DisplayFrame.presentType: .present, Field.DisplayFrame.onTimeFinish: .onTimeFinish,
    Field.DisplayFrame.gpuComposition: .gpuComposition, Field.DisplayFrame.jankType: .jank,
    Field.DisplayFrame.predictionType: .prediction,
    Field.DisplayFrame.jankSeverityType: .severity,
  ])

  private static let surfaceParts = inOrder([
    Field.Frame.cookie: .cookie, Field.Frame.token: .token, Field.SurfaceFrame.pid: .process,
    Field.SurfaceFrame.displayFrameToken: .displayToken, Field.SurfaceFrame.layerName: .layer,
    Field.SurfaceFrame.presentType: .present, Field.SurfaceFrame.onTimeFinish: .onTimeFinish,
    Field.SurfaceFrame.gpuComposition: .gpuComposition, Field.SurfaceFrame.jankType: .jank,
    Field.SurfaceFrame.predictionType: .prediction,
    Field.SurfaceFrame.jankSeverityType: .severity,
  ])

  init(_ bytes: Span<UInt8>, _ range: Range<Int>, isSurface: Bool) {
    let parts = isSurface ? Self.surfaceParts : Self.displayParts
    var fields = ProtobufFields(range)
    while let value = fields.next(bytes) {
      guard fields.number < parts.count, let part = parts[fields.number] else { continue }
      switch part {
      case .cookie: cookie = value.signed
      case .token: token = value.signed
      case .process: process = value.signed
      case .displayToken: displayToken = value.signed
      case .layer: layer = value.range
      case .present: judgment.present = value.signed ?? 0
      case .onTimeFinish: judgment.isOnTimeFinish = value.flag
      case .gpuComposition: judgment.isGPUComposition = value.flag
      case .jank: judgment.jank = FrameTimelineJank(rawValue: value.number ?? 0)
      case .prediction: judgment.prediction = value.signed ?? 0
      case .severity: judgment.severity = value.signed ?? 0
      }
    }
  }
}

extension PerfettoTimeline.Judgment {
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
    default: jank == .onTime ? "None" : "Unknown"
    }
  }

  var isDropped: Bool { present == 4 }
}

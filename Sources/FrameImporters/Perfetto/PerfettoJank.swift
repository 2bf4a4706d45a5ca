import FrameTrace

/// SurfaceFlinger's jank types of a frame, a bit for each.
///
/// Source: Perfetto, `protos/perfetto/trace/android/frame_timeline_event.proto`, `JankType`.
struct PerfettoJank: OptionSet, Hashable {
  let rawValue: UInt64

  /// The frame was in time.
  static let onTime = PerfettoJank(rawValue: 1 << 0)
  static let compositorScheduling = PerfettoJank(rawValue: 1 << 1)
  static let predictionError = PerfettoJank(rawValue: 1 << 2)
  static let displayHAL = PerfettoJank(rawValue: 1 << 3)
  static let compositorCPUDeadlineMissed = PerfettoJank(rawValue: 1 << 4)
  static let compositorGPUDeadlineMissed = PerfettoJank(rawValue: 1 << 5)
  static let appDeadlineMissed = PerfettoJank(rawValue: 1 << 6)
  static let bufferStuffing = PerfettoJank(rawValue: 1 << 7)
  static let unknown = PerfettoJank(rawValue: 1 << 8)
  static let compositorStuffing = PerfettoJank(rawValue: 1 << 9)
  static let dropped = PerfettoJank(rawValue: 1 << 10)
  static let nonAnimating = PerfettoJank(rawValue: 1 << 11)
  static let appResyncedJitter = PerfettoJank(rawValue: 1 << 12)
  static let displayNotOn = PerfettoJank(rawValue: 1 << 13)
  static let modeChange = PerfettoJank(rawValue: 1 << 14)
  static let powerModeChange = PerfettoJank(rawValue: 1 << 15)

  /// What nobody sees: nothing animates, or the display is off or changes its mode.
  private static let unseen: PerfettoJank = [
    .nonAnimating, .displayNotOn, .modeChange, .powerModeChange,
  ]
  /// The jank of the app.
  private static let app: PerfettoJank = [.appDeadlineMissed, .appResyncedJitter]
  /// The jank of SurfaceFlinger's work on the CPU.
  private static let compositorCPU: PerfettoJank = [
    .compositorScheduling, .compositorCPUDeadlineMissed, .compositorStuffing,
  ]

  /// The upstream names, in the order in which the trace processor joins them.
  private static let names: [(type: PerfettoJank, name: String)] = [
    (.compositorScheduling, "SurfaceFlinger Scheduling"), (.predictionError, "Prediction Error"),
    (.displayHAL, "Display HAL"),
    (.compositorCPUDeadlineMissed, "SurfaceFlinger CPU Deadline Missed"),
    (.compositorGPUDeadlineMissed, "SurfaceFlinger GPU Deadline Missed"),
    (.appDeadlineMissed, "App Deadline Missed"), (.bufferStuffing, "Buffer Stuffing"),
    (.unknown, "Unknown Jank"), (.compositorStuffing, "SurfaceFlinger Stuffing"),
    (.dropped, "Dropped Frame"), (.nonAnimating, "Non Animating"),
    (.appResyncedJitter, "App Resynced Jitter"), (.displayNotOn, "Display not ON"),
    (.modeChange, "ModeChange in progress"), (.powerModeChange, "PowerModeChange in progress"),
  ]
}

extension PerfettoJank {
  /// The types under their upstream names.
  var name: String {
    if isEmpty { return "Unspecified" }
    if self == .onTime { return "None" }
    let names = Self.names.filter { contains($0.type) }.map(\.name)
    return names.isEmpty ? "Unspecified" : names.joined(separator: ", ")
  }

  /// Whether the jank could be perceived.
  var isPerceived: Bool { !subtracting(.onTime).isEmpty && isDisjoint(with: .unseen) }

  /// Which side was late, as far as the types show; buffer stuffing and drops do not name one.
  var kind: HitchColumn.Kind {
    let isApp = !isDisjoint(with: .app)
    let isCompositor = !isDisjoint(
      with: [Self.compositorCPU, .displayHAL, .compositorGPUDeadlineMissed])
    return isApp == isCompositor ? .unknown : isApp ? .commit : .render
  }

  /// The types as a verdict on the frame; `nil` if SurfaceFlinger states none or nobody could have
  /// seen the jank.
  var verdict: FrameColumn.StatedVerdict? {
    if self == .onTime { return .onTime }
    guard isPerceived else { return nil }
    let stages: [(types: PerfettoJank, stage: FrameColumn.StatedVerdict)] = [
      (.app, .app), (.compositorCPU, .compositor), (.compositorGPUDeadlineMissed, .gpu),
      (.displayHAL, .display),
    ]
    let named = stages.filter { !isDisjoint(with: $0.types) }
    return named.count == 1 ? named[0].stage : .late
  }
}

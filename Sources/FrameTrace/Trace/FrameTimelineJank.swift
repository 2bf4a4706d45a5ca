/// SurfaceFlinger's jank types of a frame, one bit for each.
///
/// Source: Perfetto, `protos/perfetto/trace/android/frame_timeline_event.proto`, `JankType`.
package struct FrameTimelineJank: OptionSet, Hashable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The frame was on time.
  package static let onTime = FrameTimelineJank(rawValue: 1 << 0)
  package static let compositorScheduling = FrameTimelineJank(rawValue: 1 << 1)
  package static let predictionError = FrameTimelineJank(rawValue: 1 << 2)
  package static let displayHAL = FrameTimelineJank(rawValue: 1 << 3)
  package static let compositorCPUDeadlineMissed = FrameTimelineJank(rawValue: 1 << 4)
  package static let compositorGPUDeadlineMissed = FrameTimelineJank(rawValue: 1 << 5)
  package static let appDeadlineMissed = FrameTimelineJank(rawValue: 1 << 6)
  package static let bufferStuffing = FrameTimelineJank(rawValue: 1 << 7)
  package static let unknown = FrameTimelineJank(rawValue: 1 << 8)
  package static let compositorStuffing = FrameTimelineJank(rawValue: 1 << 9)
  package static let dropped = FrameTimelineJank(rawValue: 1 << 10)
  package static let nonAnimating = FrameTimelineJank(rawValue: 1 << 11)
  package static let appResyncedJitter = FrameTimelineJank(rawValue: 1 << 12)
  package static let displayNotOn = FrameTimelineJank(rawValue: 1 << 13)
  package static let modeChange = FrameTimelineJank(rawValue: 1 << 14)
  package static let powerModeChange = FrameTimelineJank(rawValue: 1 << 15)

  /// Jank that nobody sees: nothing animates, or the display is off or changes its mode.
  private static let unseen: FrameTimelineJank = [
    .nonAnimating, .displayNotOn, .modeChange, .powerModeChange,
  ]
  /// The jank of the app.
  private static let app: FrameTimelineJank = [.appDeadlineMissed, .appResyncedJitter]
  /// The jank of SurfaceFlinger's work on the CPU.
  private static let compositorCPU: FrameTimelineJank = [
    .compositorScheduling, .compositorCPUDeadlineMissed, .compositorStuffing,
  ]

  /// The upstream names, in the order in which the trace processor joins them.
  private static let names: [(type: FrameTimelineJank, name: String)] = [
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

extension FrameTimelineJank {
  /// The types under their upstream names.
  package var name: String {
    if isEmpty { return "Unspecified" }
    if self == .onTime { return "None" }
    let names = Self.names.filter { contains($0.type) }.map(\.name)
    return names.isEmpty ? "Unspecified" : names.joined(separator: ", ")
  }

  /// Whether the jank could be perceived.
  package var isPerceived: Bool { !subtracting(.onTime).isEmpty && isDisjoint(with: .unseen) }

  /// Which side was late, as far as the types show; buffer stuffing and drops do not name a side.
  package var kind: HitchColumn.Kind {
    let isApp = !isDisjoint(with: .app)
    let isCompositor = !isDisjoint(
      with: [Self.compositorCPU, .displayHAL, .compositorGPUDeadlineMissed])
    return isApp == isCompositor ? .unknown : isApp ? .commit : .render
  }

  /// The types as a verdict on the frame; `nil` if SurfaceFlinger states none or nobody could have
  /// seen the jank.
  package var verdict: FrameColumn.StatedVerdict? {
    if self == .onTime { return .onTime }
    guard isPerceived else { return nil }
    let stages: [(types: FrameTimelineJank, stage: FrameColumn.StatedVerdict)] = [
      (.app, .app), (.compositorCPU, .compositor), (.compositorGPUDeadlineMissed, .gpu),
      (.displayHAL, .display),
    ]
    let named = stages.filter { !isDisjoint(with: $0.types) }
    return named.count == 1 ? named[0].stage : contains(.dropped) ? .dropped : .late
  }
}

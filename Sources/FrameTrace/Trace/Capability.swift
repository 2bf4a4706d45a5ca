/// A question that a trace can answer because of what its source recorded.
public enum Capability: String, Sendable, CaseIterable {
  case frames, appStage, commits, compositorStage, gpuStage, gpuBusy, queueTimes, displayTimes
  case expectedTimes, refreshes, bufferIdentities, bufferEvents, inputs, touchScans
  case lowLatencyMode, layers, animation, launches, threadStates, calls, offscreenPasses, markers
  case statedHitches, hangs, figures, telemetry, interactions

  /// What the capability means.
  public var summary: String {
    switch self {
    case .frames: "frames"
    case .appStage: "when the app started on each frame"
    case .commits: "when the app submitted each frame"
    case .compositorStage: "when the compositor worked on each frame"
    case .gpuStage: "when the GPU worked on each frame"
    case .gpuBusy: "how long the GPU was busy with each frame"
    case .queueTimes: "when each finished buffer was queued"
    case .displayTimes: "when each frame was on the display"
    case .expectedTimes: "when each frame was expected on the display"
    case .refreshes: "the display's refreshes"
    case .bufferIdentities: "which buffer each frame was drawn into"
    case .bufferEvents: "what happened to each buffer"
    case .inputs: "inputs and the frames that show them"
    case .touchScans: "touch scans and deliveries"
    case .lowLatencyMode: "whether the compositor waited for a refresh"
    case .layers: "the layers of each transaction"
    case .animation: "the app's simulation time or its error"
    case .launches: "launches and their phases"
    case .threadStates: "thread states and reasons for waits"
    case .calls: "which functions threads were in"
    case .offscreenPasses: "offscreen passes"
    case .markers: "marks set by the app or the tester"
    case .statedHitches: "hitches that the source reports"
    case .hangs: "hangs that the source reports"
    case .interactions: "interactions with a page, and their handlers"
    case .figures: "summary figures that the source reports for runs or the field"
    case .telemetry: "sensor readings"
    }
  }
}

extension Trace {
  /// The capabilities for which at least one row of the trace has data.
  public var capabilities: Set<Capability> {
    Set(Capability.allCases.filter(has))
  }

  private func has(_ capability: Capability) -> Bool {
    switch capability {
    case .frames: surfaces.contains { $0.frames.count > 0 }
    case .appStage: hasFrames(.appStart)
    case .commits: hasFrames(.commit) || commits.count > 0
    case .compositorStage: hasFrames(.compositorStart)
    case .gpuStage: hasFrames(.gpuEnd)
    case .gpuBusy: hasFrames(.gpuBusy)
    case .queueTimes: hasFrames(.queued) || hasFrames(.fenceSignaled)
    case .displayTimes: hasFrames(.displayed)
    case .expectedTimes: hasFrames(.expectedDisplay)
    case .refreshes: displays.contains { $0.refreshes.count > 0 }
    case .bufferIdentities: hasFrames(.buffer)
    case .bufferEvents: bufferEvents.count > 0
    case .inputs: touches.count > 0
    case .touchScans: touches.has(.scanStart) && touches.has(.delivered)
    case .lowLatencyMode: hasFrames(.mode)
    case .layers: layers.count > 0
    case .animation: hasFrames(.animationTime) || hasFrames(.animationError)
    case .launches: launches.count > 0
    case .threadStates: threadStates.count > 0
    case .calls: calls.count > 0
    case .offscreenPasses: passes.count > 0 || hasFrames(.offscreenPasses)
    case .markers: markers.count > 0
    case .statedHitches: statedHitches.count > 0
    case .hangs: hangs.count > 0
    case .interactions: pageEvents.count > 0
    case .figures: figures.count > 0 || bins.count > 0
    case .telemetry: !telemetry.isEmpty || surfaces.contains { $0.frames.hasSensors }
    }
  }

  private func hasFrames(_ column: FrameColumn) -> Bool {
    surfaces.contains { $0.frames.has(column) }
  }
}

extension Table {
  /// Whether a column outside the model holds sensor readings, which have a unit.
  fileprivate var hasSensors: Bool { extras.contains { $0.unit != nil && $0.unit != "ms" } }
}

/// The parts of a trace that are needed; a reader may skip the other parts.
///
/// The frames, and whether and when each was displayed, are always needed. A reader may return more than requested, but
/// never different values.
public struct TraceDemand: Hashable, Sendable {
  /// The columns of frames that are needed; `nil` for all.
  public var frameColumns: Set<FrameColumn>?
  /// Whether inputs are needed.
  public var inputs: Bool

  /// Everything in an input.
  public static let everything = TraceDemand(frameColumns: nil, inputs: true)

  /// A request for some columns of frames.
  public init(frameColumns: Set<FrameColumn>?, inputs: Bool = false) {
    self.frameColumns = frameColumns
    self.inputs = inputs
  }

  /// Everything that either of the two needs.
  package func union(_ other: TraceDemand) -> TraceDemand {
    let both = frameColumns.flatMap { own in other.frameColumns.map { own.union($0) } }
    return TraceDemand(frameColumns: both, inputs: inputs || other.inputs)
  }

  /// Whether any of these columns is needed.
  package func needs(_ columns: [FrameColumn]) -> Bool {
    frameColumns.map { !$0.isDisjoint(with: columns) } ?? true
  }
}

import FrameKit

/// Families of traces whose dropped refreshes are known, one for each way in which a pipeline is slow or only appears
/// slow.
package enum JankFamily: String, CaseIterable, Sendable {
  case singleFault = "single-fault"
  case overload
  case bufferStuffing = "buffer-stuffing"
  case cadence
  case limiter
  case rateChanges = "rate-changes"
  case variableRefresh = "variable-refresh"
  case rests
  case hiddenWindow = "hidden-window"
  case generatedFrames = "generated-frames"
  case twoSurfaces = "two-surfaces"
  case scheduling

  /// What happens in the family's traces, in one sentence.
  package var summary: String {
    switch self {
    case .singleFault:
      "An animation at every refresh in which a stage takes 0.25 to 3 refreshes longer once or twice."
    case .overload: "A stage takes more than a refresh for every frame, in a part or in all of it."
    case .bufferStuffing:
      "One late frame fills a queue of buffers, and all frames after it are shown late but in step."
    case .cadence: "24, 30 or 40 frames a second on a display of 60, 90 or 120 Hz."
    case .limiter: "A game whose limiter waits in the present call."
    case .rateChanges: "A game on a display that changes between 60, 90 and 120 Hz."
    case .variableRefresh:
      "A game on a display that waits for frames, and repeats one when its longest interval runs out."
    case .rests: "Animations with rests between them."
    case .hiddenWindow:
      "A window that is hidden for seconds, and draws once a second during that time."
    case .generatedFrames: "A game whose driver shows an extrapolated frame between every two."
    case .twoSurfaces: "Two surfaces that share the compositor and the GPU."
    case .scheduling:
      "An app whose main thread loses its processor, or waits for a lock, a disk, or another process."
    }
  }

  /// The work of a trace of the family.
  /// - Parameter isClean: Whether the trace has no faults.
  func plan(isClean: Bool, _ random: inout SplitMix64) -> any JankPlan {
    switch self {
    case .singleFault: DrivenPlan.singleFault(isClean: isClean, &random)
    case .overload: DrivenPlan.overload(isClean: isClean, &random)
    case .bufferStuffing: DrivenPlan.bufferStuffing(isClean: isClean, &random)
    case .cadence: DrivenPlan.cadence(isClean: isClean, &random)
    case .rests: DrivenPlan.rests(isClean: isClean, &random)
    case .hiddenWindow: DrivenPlan.hiddenWindow(isClean: isClean, &random)
    case .twoSurfaces: DrivenPlan.twoSurfaces(isClean: isClean, &random)
    case .scheduling: DrivenPlan.scheduling(isClean: isClean, &random)
    case .limiter: ChainPlan.limiter(isClean: isClean, &random)
    case .rateChanges: ChainPlan.rateChanges(isClean: isClean, &random)
    case .variableRefresh: ChainPlan.variableRefresh(isClean: isClean, &random)
    case .generatedFrames: ChainPlan.generatedFrames(isClean: isClean, &random)
    }
  }
}

/// The rules that charge dropped refreshes to stages. All rules are active; tests leave out each one to prove that it
/// matters.
struct ChargeRules: OptionSet {
  let rawValue: Int

  /// Hidden refreshes are first subtracted from the steps in which the previous frame was late too.
  static let hiddenBySharedStep = ChargeRules(rawValue: 1 << 0)
  /// Hidden refreshes are subtracted from rendering before waiting.
  static let hiddenRenderingFirst = ChargeRules(rawValue: 1 << 1)
  /// Waiting is charged to the frame that held the compositor or the GPU.
  static let waitingHasCulprit = ChargeRules(rawValue: 1 << 2)
  /// A stage is compared by the time it took beyond its usual time.
  static let usualTimes = ChargeRules(rawValue: 1 << 3)
  /// Waiting for the GPU counts separately.
  static let gpuWait = ChargeRules(rawValue: 1 << 4)
  /// Waiting for the compositor counts separately if commits are taken at once.
  static let startWait = ChargeRules(rawValue: 1 << 5)
  /// Waiting for a buffer counts separately.
  static let bufferWait = ChargeRules(rawValue: 1 << 6)
  /// An earlier app interval that ran into the frame's interval counts where commits are taken at
  /// once.
  static let appBefore = ChargeRules(rawValue: 1 << 7)
  /// The app is charged only for the time up to the compositor's start.
  static let appUntilStart = ChargeRules(rawValue: 1 << 8)
  /// In a tie, the stage that used more time is charged.
  static let tieByUse = ChargeRules(rawValue: 1 << 9)

  /// Waiting for a finished buffer that the display did not take is charged to the display.
  static let readyBuffer = ChargeRules(rawValue: 1 << 10)

  static let all: ChargeRules = [
    .hiddenBySharedStep, .hiddenRenderingFirst, .waitingHasCulprit, .usualTimes, .gpuWait,
    .startWait, .bufferWait, .appBefore, .appUntilStart, .tieByUse, .readyBuffer,
  ]
}

/// Refreshes charged to one stage of one frame.
struct ChargedShare {
  var stage: PipelineStage
  let cause: FrameReference
  var count: Int64
  var isInferred = false
  var whyUnknown: String?

  /// The share's refreshes, taken from the front of the remaining stretches.
  func dropped(at positions: inout ArraySlice<Range<RefreshNumber>>, frame: Int)
    -> [DroppedRefreshes]
  {
    var dropped: [DroppedRefreshes] = []
    var left = count
    while left > 0, let position = positions.popFirst() {
      let taken = min(left, Int64(position.count))
      left -= taken
      dropped.append(
        DroppedRefreshes(
          refresh: position.lowerBound, count: taken, frame: frame, stage: stage, cause: cause,
          isInferred: isInferred, whyUnknown: whyUnknown))
      let rest = position.lowerBound + taken..<position.upperBound
      if !rest.isEmpty { positions.insert(rest, at: positions.startIndex) }
    }
    return dropped
  }
}

extension DroppedRefreshes {
  /// This charge and the next one, merged; `nil` if they differ.
  func joined(with next: DroppedRefreshes) -> DroppedRefreshes? {
    guard stage == next.stage, cause == next.cause, whyUnknown == next.whyUnknown,
      isInferred == next.isInferred, refresh + count == next.refresh
    else { return nil }
    return DroppedRefreshes(
      refresh: refresh, count: count + next.count, frame: frame, stage: stage, cause: cause,
      isInferred: isInferred, whyUnknown: whyUnknown)
  }
}

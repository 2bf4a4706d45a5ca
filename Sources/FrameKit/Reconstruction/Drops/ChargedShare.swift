/// Refreshes charged to one stage of one frame.
struct ChargedShare {
  let stage: PipelineStage
  let cause: FrameReference
  var count: Int64
  var isInferred = false
  var whyUnknown: String?

  func dropped(at refresh: Int64, frame: Int) -> DroppedRefreshes {
    DroppedRefreshes(
      refresh: refresh, count: count, frame: frame, stage: stage, cause: cause,
      isInferred: isInferred, whyUnknown: whyUnknown)
  }
}

extension DroppedRefreshes {
  /// This charge and the one that follows it as one; `nil` when they differ.
  func joined(with next: DroppedRefreshes) -> DroppedRefreshes? {
    guard stage == next.stage, cause == next.cause, whyUnknown == next.whyUnknown,
      isInferred == next.isInferred, refresh + count == next.refresh
    else { return nil }
    return DroppedRefreshes(
      refresh: refresh, count: count + next.count, frame: frame, stage: stage, cause: cause,
      isInferred: isInferred, whyUnknown: whyUnknown)
  }
}

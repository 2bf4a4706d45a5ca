/// Refreshes charged to one stage of one frame.
struct ChargedShare {
  let stage: PipelineStage
  let cause: FrameReference
  var count: Int64
  var isInferred = false
  var whyUnknown: String?

  /// The share's refreshes, taken from the front of the stretches that are left.
  func dropped(at places: inout ArraySlice<Range<Int64>>, frame: Int) -> [DroppedRefreshes] {
    var dropped: [DroppedRefreshes] = []
    var left = count
    while left > 0, let place = places.popFirst() {
      let taken = min(left, Int64(place.count))
      left -= taken
      dropped.append(
        DroppedRefreshes(
          refresh: place.lowerBound, count: taken, frame: frame, stage: stage, cause: cause,
          isInferred: isInferred, whyUnknown: whyUnknown))
      let rest = place.lowerBound + taken..<place.upperBound
      if !rest.isEmpty { places.insert(rest, at: places.startIndex) }
    }
    return dropped
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

import FrameTrace

/// Why frames were late, from the two numbers that a recorder has for the thread that handed them over: how long it ran
/// for a frame, and how long it had no processor. The numbers do not show what else the thread waited for, nor who ran
/// instead.
struct PresentingThread {
  private let rebuilt: RebuiltSurface
  private let frames: Table<FrameColumn>

  /// - Returns: `nil` where no frame has these numbers.
  init?(_ rebuilt: RebuiltSurface) {
    let frames = rebuilt.trace.surfaces[rebuilt.timeline.surface].frames
    guard frames.has(.threadRan), frames.has(.threadStarved) else { return nil }
    (self.rebuilt, self.frames) = (rebuilt, frames)
  }

  /// The causes of the drops that the app is charged with; `nil` if too few frames were on time.
  func causes(of drops: DropFindings) -> LateCauses? {
    let accounts = LateCauseSearch.onTimeRows(rebuilt.timeline).compactMap(account)
    guard accounts.count >= LateCauseSearch.fewestFrames else { return nil }
    let usual = LateCauseSearch.medians(accounts)
    var (byFrame, refreshes, charged, withoutCause) = (
      [FrameReference: LateCause](), [LateCause.Kind: Int](), 0, 0
    )
    for drop in drops.drops where drop.refreshes.stage == .app {
      let (frame, count) = (drop.refreshes.cause, Int(drop.refreshes.count))
      charged += count
      let isOwn = frame.surface == rebuilt.timeline.surface
      let found = isOwn ? account(frame.row) : nil
      let most = found?.max { left, right in
        (left.value - (usual[left.key] ?? .zero), right.key.rawValue)
          < (right.value - (usual[right.key] ?? .zero), left.key.rawValue)
      }
      guard let (kind, time) = most,
        (time - (usual[kind] ?? .zero)).count >= drop.budget.count / LateCauseSearch.leastShare
      else {
        withoutCause += count
        continue
      }
      refreshes[kind, default: 0] += count
      byFrame[frame] = LateCause(
        thread: ThreadName(identifier: 0, name: "presenting thread"), isMain: false, kind: kind,
        time: time, usual: usual[kind] ?? .zero, n: accounts.count, what: nil, whatTime: nil,
        whatUsual: nil, holders: [], instead: nil, insteadTime: nil)
    }
    return LateCauses(
      byFrame: byFrame, refreshes: refreshes, charged: charged, withoutCause: withoutCause,
      byWhat: [:],
      onTime: accounts.count)
  }

  /// What the thread did for a frame, from the return of the last present call to this one.
  private func account(_ row: Int) -> [LateCause.Kind: Nanoseconds]? {
    guard let ran = frames[row, .threadRan], let starved = frames[row, .threadStarved], ran >= 0,
      starved >= 0
    else { return nil }
    var times: [LateCause.Kind: Nanoseconds] = [
      .running: Nanoseconds(ran), .processor: Nanoseconds(starved),
    ]
    // If a frame began elsewhere, as markers of a game say, it does not show how long the thread waited for it.
    let start = frames[row, .appStart]
    if let commit = frames[row, .commit], let start,
      row == 0 || frames[row - 1, .appEnd].map({ $0 == start }) ?? true
    {
      times[.unrecorded] = Nanoseconds(max(0, commit - start - ran - starved))
    }
    return times
  }
}

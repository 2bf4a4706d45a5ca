/// Charges dropped refreshes to the stages that lost them.
struct DropCharge {
  let timeline: SurfaceTimeline
  let inFlight: FramesInFlight
  let rules: ChargeRules
  /// By how many refreshes frames are usually shown behind their finished buffer, where
  /// nothing tells what lies between.
  let lag: Int64
  /// Whether the app's long work may have been a rest.
  let derivesStarts: Bool
  var grid: RefreshGrid { timeline.schedule.grid }

  /// - Parameter inFlight: The frames of all surfaces of the display.
  init(_ timeline: SurfaceTimeline, _ inFlight: FramesInFlight, _ rules: ChargeRules = .all) {
    self.timeline = timeline
    self.inFlight = inFlight
    self.rules = rules
    derivesStarts =
      timeline.schedule.isFree && timeline.hasDrops && timeline.stages.derivesStarts
    lag = timeline.schedule.isFree && timeline.hasDrops ? timeline.usualLag : 0
  }

  /// All dropped refreshes of the surface with their charge, in order of the frames.
  func charges() -> [DroppedRefreshes] {
    timeline.late.lazy.filter { !$0.dropped.isEmpty }.flatMap(charge)
  }

  private func charge(_ late: LateFrame) -> [DroppedRefreshes] {
    let frame = frame(late.row)
    let parts = HiddenRefreshes(rules).remove(
      late.hidden, from: steps(late.row), before: late.before.map(steps))
    var places = late.dropped[...]
    var charges: [DroppedRefreshes] = []
    for dropped in parts.flatMap({ shares(of: $0, frame, late) }).flatMap({
      $0.dropped(at: &places, frame: late.row)
    }) {
      if let last = charges.last, let joined = last.joined(with: dropped) {
        charges[charges.count - 1] = joined
      } else {
        charges.append(dropped)
      }
    }
    return charges
  }

  private func frame(_ row: Int) -> FramesInFlight.Frame {
    FramesInFlight.Frame(
      reference: FrameReference(surface: timeline.surface, row: row),
      times: timeline.stages[row], usual: timeline.usual)
  }

  private func steps(_ row: Int) -> LateSteps {
    let schedule = timeline.schedule
    let due = schedule.due[row]
    let shown = schedule.shownRefresh(row) ?? due
    return LateSteps(
      timeline.stages[row], due: due == FrameSchedule.none ? shown : due, shown: shown, grid,
      isFree: schedule.isFree, lag: lag, rules)
  }
}

extension DropCharge {
  private func shares(
    of part: LateSteps.Part, _ frame: FramesInFlight.Frame, _ late: LateFrame
  ) -> [ChargedShare] {
    let own = { (stage: PipelineStage) in
      ChargedShare(stage: stage, cause: frame.reference, count: part.count)
    }
    switch part.step {
    case .app where frame.times.isFilledByApp: return shared(part.count, [.app, .gpu], frame, late)
    case .app:
      var share = own(.app)
      share.isInferred = frame.times.isCommitInferred
      return [share]
    case .waiting: return waiting(part.count, frame)
    case .rendering where frame.times.isFilledByApp: return [own(.compositor)]
    case .rendering: return shared(part.count, [.compositor, .gpu], frame, late)
    case .all where frame.times.isFilledByApp:
      return shared(part.count, [.app, .gpu, .compositor], frame, late)
    case .all: return shared(part.count, [.app, .compositor, .gpu], frame, late)
    case .display: return [own(.display)]
    case .compositorSide:
      var share = own(.compositor)
      share.isInferred = true
      return [share]
    case .unknown(let missing):
      var share = own(.unknown)
      share.whyUnknown = "the trace does not tell \(missing)"
      return [share]
    }
  }

  /// Charges the refreshes at which the compositor could not start a frame, the last ones
  /// before it did, each to the frame that was in its way.
  private func waiting(_ count: Int64, _ frame: FramesInFlight.Frame) -> [ChargedShare] {
    guard let start = frame.times.compositorStart, rules.contains(.waitingHasCulprit) else {
      return [ChargedShare(stage: .compositor, cause: frame.reference, count: count)]
    }
    let end = grid.last(start)
    // Who was in the way differs for no more refreshes than frames can be on their way.
    let distinct = min(count, 64)
    var shares = (end - distinct..<end).map { refresh in
      holder(at: grid.time(refresh), of: frame, startedAt: start)
    }
    shares[0].count += count - distinct
    return shares
  }

  private func holder(
    at time: Int64, of frame: FramesInFlight.Frame, startedAt start: Int64
  ) -> ChargedShare {
    guard
      let holder = inFlight.oldestRendered(at: time, startedBefore: start, not: frame.reference)
    else {
      if inFlight.hasUntold(at: time, before: frame.reference) {
        return unknown("when the compositor worked on the frame before", frame.reference)
      }
      return ChargedShare(stage: .compositor, cause: frame.reference, count: 1)
    }
    let times = holder.times
    guard let compositor = holder.usual.excess(.compositor, of: times) else {
      return unknown("when the compositor was done with the frame before", holder.reference)
    }
    guard let gpu = holder.usual.excess(.gpu, of: times) else {
      // What the GPU was not needed for is the compositor's all the same.
      if let end = times.compositorEnd, end > time {
        return ChargedShare(stage: .compositor, cause: holder.reference, count: 1)
      }
      return unknown("when the GPU worked on the frame before", holder.reference)
    }
    let items = [
      item(.compositor, holder, excess: compositor), item(.gpu, holder, excess: gpu),
    ]
    let given = SharedStep(rules).give(1, to: items, interval: grid.interval)
    return ChargedShare(
      stage: given[0] == 1 ? .compositor : .gpu, cause: holder.reference, count: 1)
  }

  private func unknown(_ missing: String, _ cause: FrameReference) -> ChargedShare {
    ChargedShare(
      stage: .unknown, cause: cause, count: 1, whyUnknown: "the trace does not tell \(missing)")
  }

  func item(
    _ stage: PipelineStage, _ frame: FramesInFlight.Frame, excess: Int64
  ) -> SharedStep.Item {
    let used = frame.times.time(in: stage) ?? 0
    return SharedStep.Item(
      stage: stage, cause: frame.reference,
      excess: rules.contains(.usualTimes) ? excess : used, used: used)
  }
}

extension SurfaceTimeline {
  /// By how many refreshes frames are usually shown behind the one after their buffer was
  /// finished: those of a compositor that needs one, or of a queue.
  var usualLag: Int64 {
    let dropped = droppedRows
    let lags = schedule.displayed.indices.compactMap { row -> Int64? in
      guard schedule.displayed[row] != FrameSchedule.none, !dropped.contains(row),
        let ready = stages[row].queued ?? stages[row].commit
      else { return nil }
      return max(0, schedule.displayed[row] - schedule.grid.first(ready))
    }.sorted()
    return lags.count < 3 ? 0 : lags[lags.count / 2]
  }
}

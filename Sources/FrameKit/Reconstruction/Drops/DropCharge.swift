/// Charges dropped refreshes to the stages that lost them.
struct DropCharge {
  private let timeline: SurfaceTimeline
  private let inFlight: FramesInFlight
  private let rules: ChargeRules
  private let lag: Int64
  private var grid: RefreshGrid { timeline.schedule.grid }

  /// - Parameter inFlight: The frames of all surfaces of the display.
  init(_ timeline: SurfaceTimeline, _ inFlight: FramesInFlight, _ rules: ChargeRules = .all) {
    self.timeline = timeline
    self.inFlight = inFlight
    self.rules = rules
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
    var refresh = late.dropped.lowerBound
    var charges: [DroppedRefreshes] = []
    for share in parts.flatMap({ shares(of: $0, frame, late) }) where share.count > 0 {
      let dropped = share.dropped(at: refresh, frame: late.row)
      refresh += share.count
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

/// Refreshes charged to one stage of one frame.
private struct ChargedShare {
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
  fileprivate func joined(with next: DroppedRefreshes) -> DroppedRefreshes? {
    guard stage == next.stage, cause == next.cause, whyUnknown == next.whyUnknown,
      isInferred == next.isInferred, refresh + count == next.refresh
    else { return nil }
    return DroppedRefreshes(
      refresh: refresh, count: count + next.count, frame: frame, stage: stage, cause: cause,
      isInferred: isInferred, whyUnknown: whyUnknown)
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
    case .app: return [own(.app)]
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
    // No more refreshes than frames can be on their way for differ in who was.
    let distinct = min(count, 1024)
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
    else { return ChargedShare(stage: .compositor, cause: frame.reference, count: 1) }
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

  private func item(
    _ stage: PipelineStage, _ frame: FramesInFlight.Frame, excess: Int64
  ) -> SharedStep.Item {
    let used = frame.times.time(in: stage) ?? 0
    return SharedStep.Item(
      stage: stage, cause: frame.reference,
      excess: rules.contains(.usualTimes) ? excess : used, used: used)
  }
}

extension DropCharge {
  /// Shares refreshes out among stages that lost them together.
  private func shared(
    _ count: Int64, _ stages: [PipelineStage], _ frame: FramesInFlight.Frame, _ late: LateFrame
  ) -> [ChargedShare] {
    var items: [SharedStep.Item] = []
    var missing: [PipelineStage] = []
    for stage in stages {
      if let excess = frame.usual.excess(stage, of: frame.times) {
        items.append(item(stage, frame, excess: excess))
      } else if stage != .compositor || timeline.usual.has(.compositor)
        || !frame.times.isFilledByApp
      {
        missing.append(stage)
      }
    }
    items += waits(stages, frame, late)
    items = items.enumerated().sorted { one, other in
      let (first, second) = (place(one.element, stages), place(other.element, stages))
      return (first, one.offset) < (second, other.offset)
    }.map(\.element)
    if missing.isEmpty { return give(count, to: items) }
    return give(count, to: items, missing, frame, stages)
  }

  private func place(_ item: SharedStep.Item, _ stages: [PipelineStage]) -> Int {
    stages.firstIndex(of: item.stage) ?? stages.count
  }

  private func give(_ count: Int64, to items: [SharedStep.Item]) -> [ChargedShare] {
    let given = SharedStep(rules).give(count, to: items, interval: grid.interval)
    return zip(items, given).map {
      ChargedShare(stage: $0.stage, cause: $0.cause, count: $1)
    }
  }

  /// Shares refreshes out where times of some stages are missing: these may have taken as much
  /// as the known ones leave, so that a known stage is charged only where it took more.
  private func give(
    _ count: Int64, to items: [SharedStep.Item], _ missing: [PipelineStage],
    _ frame: FramesInFlight.Frame, _ stages: [PipelineStage]
  ) -> [ChargedShare] {
    let left =
      frame.times.span(of: stages)
      - stages.reduce(0) {
        $0 + (frame.times.time(in: $1) ?? 0)
      }
    let unknown = SharedStep.Item(
      stage: .unknown, cause: frame.reference, excess: max(0, left), used: max(0, left))
    var shares = give(count, to: items + [unknown])
    let names = missing.map(\.possessive).joined(separator: " and ")
    shares[shares.count - 1].whyUnknown = "the trace does not tell \(names) times"
    return shares
  }

  /// The waits that take part in a shared step, each as an item of its own.
  private func waits(
    _ stages: [PipelineStage], _ frame: FramesInFlight.Frame, _ late: LateFrame
  ) -> [SharedStep.Item] {
    let isAtOnce = frame.times.isLowLatency || timeline.schedule.isFree
    var items: [SharedStep.Item] = []
    if let wait = frame.times.gpuWait, rules.contains(.gpuWait),
      let holder = inFlight.holdingGPU(in: wait, not: frame.reference)
    {
      items.append(Self.wait(.gpu, holder.reference, Int64(wait.count)))
    }
    if isAtOnce, stages.contains(.app), stages.contains(.compositor), rules.contains(.startWait),
      let commit = frame.times.commit, let start = frame.times.compositorStart, start > commit,
      !frame.times.isFilledByApp
    {
      items.append(held(commit..<start, frame))
    }
    if let blocked = frame.times.blocked, stages.contains(.app), rules.contains(.bufferWait) {
      items.append(held(blocked, frame))
    }
    if isAtOnce, rules.contains(.appBefore), let item = appBefore(late) { items.append(item) }
    return items
  }

  private static func wait(
    _ stage: PipelineStage, _ cause: FrameReference, _ length: Int64
  ) -> SharedStep.Item {
    SharedStep.Item(stage: stage, cause: cause, excess: length, used: length)
  }

  /// A wait charged to the stage that the oldest frame on its way was in when it began.
  private func held(_ wait: Range<Int64>, _ frame: FramesInFlight.Frame) -> SharedStep.Item {
    let length = Int64(wait.count)
    guard let holder = inFlight.oldest(at: wait.lowerBound, before: frame.reference),
      let stage = holder.times.stage(at: wait.lowerBound)
    else { return Self.wait(.compositor, frame.reference, length) }
    return Self.wait(stage, holder.reference, length)
  }

  /// The app's work on the frame started before, where it ran past the refresh at which this
  /// one should have started.
  private func appBefore(_ late: LateFrame) -> SharedStep.Item? {
    guard late.row > 0 else { return nil }
    let before = timeline.stages[late.row - 1]
    guard let start = before.appStart, let end = before.appEnd ?? before.commit else { return nil }
    let refresh = late.due - 1 - lag
    guard end > grid.time(refresh), end - start > grid.interval else { return nil }
    let reference = FrameReference(surface: timeline.surface, row: late.row - 1)
    return SharedStep.Item(
      stage: .app, cause: reference, excess: end - start - grid.interval, used: end - start)
  }
}

extension StageTimes {
  /// The time from the start of the first of some stages to the finished buffer; as far as it
  /// is known.
  fileprivate func span(of stages: [PipelineStage]) -> Int64 {
    let start = stages.contains(.app) ? appStart ?? commit : compositorStart ?? commit
    guard let start, let queued else { return 0 }
    return max(0, queued - start)
  }
}

extension PipelineStage {
  fileprivate var possessive: String { self == .gpu ? "the GPU's" : "the \(rawValue)'s" }
}

extension SurfaceTimeline {
  /// By how many refreshes frames are usually shown behind the one after their buffer was
  /// finished: those of a compositor that needs one, or of a queue.
  var usualLag: Int64 {
    let dropped = Set(late.lazy.filter { !$0.dropped.isEmpty }.map(\.row))
    let lags = schedule.displayed.indices.compactMap { row -> Int64? in
      guard schedule.displayed[row] != FrameSchedule.none, !dropped.contains(row),
        let ready = stages[row].queued ?? stages[row].commit
      else { return nil }
      return max(0, schedule.displayed[row] - schedule.grid.first(ready))
    }.sorted()
    return lags.count < 3 ? 0 : lags[lags.count / 2]
  }
}

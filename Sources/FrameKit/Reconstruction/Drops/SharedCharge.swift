extension DropCharge {
  /// Shares refreshes out among stages that lost them together.
  func shared(
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
    // A wait comes before the work that it held up; where two are charged to one stage, what
    // stands first in the list is told first.
    items = waits(stages, frame, late) + items
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
    return zip(items, given).map { item, count in
      var share = ChargedShare(stage: item.stage, cause: item.cause, count: count)
      share.isInferred = derivesStarts && item.stage == .app && item.used > 4 * grid.interval
      return share
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

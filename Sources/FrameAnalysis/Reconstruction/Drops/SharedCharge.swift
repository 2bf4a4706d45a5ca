import FrameTrace

extension DropCharge {
  /// Distributes refreshes among stages that lost them together.
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
    // A wait comes before the work that it held up. If two items are charged to one stage, the
    // first in the list is reported first.
    let all = waits(stages, frame, late) + items
    items = stages.flatMap { stage in all.filter { $0.stage == stage } }
    items += all.filter { !stages.contains($0.stage) }
    let interval = grid.interval(after: late.due)
    if missing.isEmpty { return give(count, to: items, interval) }
    return give(count, to: items, missing, frame, stages, interval)
  }

  private func give(
    _ count: Int64, to items: [SharedStep.Item], _ interval: Nanoseconds
  ) -> [ChargedShare] {
    let given = SharedStep(rules).give(count, to: items, interval: interval)
    // If no stage took longer than usual, an unrecorded compositor may have taken longer.
    let isDoubtful =
      timeline.schedule.isFree && !items.contains { $0.excess * 16 >= interval }
    return zip(items, given).map { item, count in
      var share = ChargedShare(stage: item.stage, cause: item.cause, count: count)
      share.isInferred =
        item.isInferred || isDoubtful
        || (derivesStarts && item.stage == .app && item.used > interval * 4)
      return share
    }
  }

  /// Distributes refreshes when times of some stages are missing. These stages may have taken all the time that the
  /// known stages leave, so a known stage is charged only if it took more. An app whose start is missing may have taken
  /// all the time that the known stages do not explain.
  private func give(
    _ count: Int64, to items: [SharedStep.Item], _ missing: [PipelineStage],
    _ frame: FramesInFlight.Frame, _ stages: [PipelineStage], _ interval: Nanoseconds
  ) -> [ChargedShare] {
    let left =
      frame.times.span(of: stages)
      - stages.reduce(.zero) { $0 + (frame.times.time(in: $1) ?? .zero) }
    let explained = items.reduce(.zero) { $0 + max(.zero, $1.excess) }
    let unexplained = missing.contains(.app) ? interval * count - explained : .zero
    let unknown = SharedStep.Item(
      stage: .unknown, cause: frame.reference, excess: max(.zero, left, unexplained),
      used: max(.zero, left, unexplained))
    var shares = give(count, to: items + [unknown], interval)
    let names = missing.map(\.possessive).joined(separator: " and ")
    shares[shares.count - 1].whyUnknown = "the trace does not show \(names) times"
    return shares
  }

  /// The waits that are part of a shared step, each as a separate item.
  private func waits(
    _ stages: [PipelineStage], _ frame: FramesInFlight.Frame, _ late: LateFrame
  ) -> [SharedStep.Item] {
    let isAtOnce = frame.times.isLowLatency || timeline.schedule.isFree
    var items: [SharedStep.Item] = []
    if let wait = frame.times.gpuWait, rules.contains(.gpuWait),
      let holder = inFlight.holdingGPU(in: wait, not: frame.reference)
    {
      items.append(Self.wait(.gpu, holder.reference, wait.length))
    }
    if isAtOnce, stages.contains(.app), stages.contains(.compositor), rules.contains(.startWait),
      let commit = frame.times.commit, let start = frame.times.compositorStart, start > commit,
      !frame.times.isFilledByApp
    {
      items.append(held(commit..<start, frame))
    }
    if let blocked = frame.times.blocked, stages.contains(.app), rules.contains(.bufferWait) {
      items.append(blockedForBuffer(blocked, frame))
    }
    if timeline.schedule.isFree, frame.times.isComposited, let item = handOver(frame) {
      items.append(item)
    }
    if frame.times.isLowLatency, rules.contains(.appBefore), let item = appBefore(late) {
      items.append(item)
    }
    return items
  }

  /// The time that a program spent waiting, for no known reason, in the call that hands a frame over: the GPU no longer
  /// drew the frame, and the previous frame no longer held the display.
  private func handOver(_ frame: FramesInFlight.Frame) -> SharedStep.Item? {
    guard let commit = frame.times.commit, let queued = frame.times.queued else { return nil }
    let before = timeline.schedule.refreshBefore(frame.reference.row)
      .map(timeline.schedule.displayTime(at:))
    let start = [frame.times.gpuEnd, before].reduce(commit) { max($0, $1 ?? $0) }
    guard queued > start else { return nil }
    var item = Self.wait(.app, frame.reference, queued - start)
    item.isInferred = true
    return item
  }

  private static func wait(
    _ stage: PipelineStage, _ cause: FrameReference, _ length: Nanoseconds
  ) -> SharedStep.Item {
    SharedStep.Item(stage: stage, cause: cause, excess: length, used: length)
  }

  /// A wait charged to the stage that the oldest frame in flight was in when the wait began.
  private func held(_ wait: Range<Timestamp>, _ frame: FramesInFlight.Frame) -> SharedStep.Item {
    let length = wait.length
    guard let holder = inFlight.oldest(at: wait.lowerBound, before: frame.reference),
      let stage = holder.times.stage(at: wait.lowerBound)
    else { return Self.wait(.compositor, frame.reference, length) }
    return Self.wait(stage, holder.reference, length)
  }

  /// A wait for a buffer, charged to the stage that exceeded its usual time the most in any frame that occupied a
  /// buffer during the wait. If no stage exceeded its usual time by a sixteenth of an interval, the wait is charged to
  /// the stage that used the most time.
  private func blockedForBuffer(
    _ wait: Range<Timestamp>, _ frame: FramesInFlight.Frame
  ) -> SharedStep.Item {
    let length = max(.zero, wait.length - timeline.usual.bufferWait)
    var most: (stage: PipelineStage, cause: FrameReference, excess: Nanoseconds)?
    var longest: (stage: PipelineStage, cause: FrameReference, used: Nanoseconds)?
    let rows = occupants(during: wait, before: frame.reference.row)
    for row in rows {
      let other = self.frame(row)
      for stage in [PipelineStage.app, .compositor, .gpu] {
        guard let used = other.times.time(in: stage),
          let excess = other.usual.excess(stage, of: other.times)
        else { continue }
        if most.map({ excess > $0.excess }) ?? true { most = (stage, other.reference, excess) }
        if longest.map({ used > $0.used }) ?? true { longest = (stage, other.reference, used) }
      }
    }
    if let kept = keptLongest(of: rows), most.map({ kept.excess > $0.excess }) ?? true {
      most = (.compositor, FrameReference(surface: timeline.surface, row: kept.row), kept.excess)
    }
    if let most, most.excess * 16 >= grid.interval(at: wait.lowerBound) {
      return Self.wait(most.stage, most.cause, length)
    }
    // A stage that was not recorded may have held the buffers as well.
    let isKnown = rows.allSatisfy { timeline.stages[$0].knowsAllStages }
    guard isKnown || timeline.schedule.isFree else {
      return Self.wait(.unknown, frame.reference, length)
    }
    guard let longest else { return held(wait, frame) }
    var item = Self.wait(longest.stage, longest.cause, length)
    item.isInferred = !isKnown
    return item
  }

  /// The frame whose buffer the compositor kept longest beyond the usual time after another buffer was shown; `nil` if
  /// it kept none.
  private func keptLongest(of rows: [Int]) -> (row: Int, excess: Nanoseconds)? {
    rows.compactMap { row in timeline.kept(row).map { (row, $0 - usualKept) } }
      .max { $0.1 < $1.1 }
  }

  /// The earlier frames with buffers in use at some time during a wait.
  private func occupants(during wait: Range<Timestamp>, before row: Int) -> [Int] {
    (max(0, row - FramesInFlight.farthest)..<row).filter { row in
      inUse[row].map { $0.overlaps(wait) } ?? false
    }
  }

  /// The app's work on the previously started frame, if that work ran past the refresh at which this frame should have
  /// started.
  private func appBefore(_ late: LateFrame) -> SharedStep.Item? {
    guard late.row > 0 else { return nil }
    let before = timeline.stages[late.row - 1]
    guard let start = before.appStart, let end = before.appEnd ?? before.commit else { return nil }
    let lag = lags(late.row, timeline.stages[late.row]).ready
    let refresh = late.due - 1 - lag
    let interval = grid.interval(after: refresh)
    guard end > grid.time(refresh), end - start > interval else { return nil }
    let reference = FrameReference(surface: timeline.surface, row: late.row - 1)
    return SharedStep.Item(
      stage: .app, cause: reference, excess: end - start - interval, used: end - start)
  }
}

extension StageTimes {
  /// Whether the trace shows how long each stage worked on the frame.
  fileprivate var knowsAllStages: Bool {
    appTime != nil && compositorTime != nil && gpuTime != nil
  }

  /// The time from the start of the first of several stages to the finished buffer, as far as it is known.
  fileprivate func span(of stages: [PipelineStage]) -> Nanoseconds {
    let start = stages.contains(.app) ? appStart ?? commit : compositorStart ?? commit
    guard let start, let queued else { return .zero }
    return max(.zero, queued - start)
  }
}

extension PipelineStage {
  fileprivate var possessive: String { self == .gpu ? "the GPU's" : "the \(rawValue)'s" }
}

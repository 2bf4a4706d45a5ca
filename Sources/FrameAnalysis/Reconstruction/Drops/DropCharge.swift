import FrameStatistics
import FrameTrace

/// Charges dropped refreshes to the stages that lost them.
struct DropCharge {
  let timeline: SurfaceTimeline
  let inFlight: FramesInFlight
  let rules: ChargeRules
  /// Whether the app's long work may have been a rest.
  let derivesStarts: Bool
  /// When buffers were in use, by the row of the frame in the buffer; empty if no late frame waited for a buffer.
  let inUse: [Int: Range<Timestamp>]
  /// How long the compositor usually keeps a buffer once another buffer is shown.
  let usualKept: Nanoseconds
  var grid: RefreshGrid { timeline.schedule.grid }

  /// - Parameter inFlight: The frames of all surfaces on the display.
  init(
    _ trace: Trace, _ timeline: SurfaceTimeline, _ inFlight: FramesInFlight,
    _ rules: ChargeRules = .all
  ) {
    self.timeline = timeline
    self.inFlight = inFlight
    self.rules = rules
    let hasWaited = timeline.late.contains {
      !$0.dropped.isEmpty && timeline.stages[$0.row].blocked != nil
    }
    inUse = hasWaited ? BufferUses.ranges(trace, timeline) : [:]
    usualKept = hasWaited ? timeline.usualKept : .zero
    derivesStarts =
      timeline.schedule.isFree && timeline.hasDrops
      && timeline.stages.evidence.derivesStarts
  }

  /// All dropped refreshes of the surface with their charge, in order of the frames.
  func charges() -> [DroppedRefreshes] {
    // A closure would copy the timeline for every late frame, and so would the closures of a charge.
    var charges: [DroppedRefreshes] = []
    for late in timeline.late where !late.dropped.isEmpty { charges += charge(late) }
    return charges
  }

  private func charge(_ late: LateFrame) -> [DroppedRefreshes] {
    guard let steps = steps(late.row) else { return [] }
    let frame = frame(late.row)
    if timeline.changedMode(late.row) { return late.dropped.map { modeChange($0, frame) } }
    var before: LateSteps?
    if let row = late.before { before = self.steps(row) }
    let parts = HiddenRefreshes(rules).remove(late.hidden, from: steps, before: before)
    var positions = late.dropped[...]
    var charges: [DroppedRefreshes] = []
    for part in parts {
      for share in shares(of: part, frame, late).map(evidenced) {
        for dropped in share.dropped(at: &positions, frame: late.row) {
          if let last = charges.last, let joined = last.joined(with: dropped) {
            charges[charges.count - 1] = joined
          } else {
            charges.append(dropped)
          }
        }
      }
    }
    return charges
  }

  /// A share without a charge to the app or the compositor if the source does not measure when the app started, unless
  /// it measures the GPU's work and its end: the time may have been the GPU's, or a rest. If the GPU's utilization
  /// fills the time of the app's work, and a refresh, the time was the GPU's.
  private func evidenced(_ share: ChargedShare) -> ChargedShare {
    guard derivesStarts, timeline.stages.evidence.statesDerivation,
      share.stage == .app || share.stage == .compositor
    else { return share }
    let times = timeline.stages[share.cause.row]
    guard times.measuredLoad == nil || times.queued == nil else { return share }
    var other = share
    let refresh = times.appStart.map(grid.interval(at:)) ?? grid.interval
    if let busy = times.estimatedBusy, GPULoads.isHeavy(busy, max(refresh, times.appTime ?? .zero))
    {
      (other.stage, other.isInferred) = (.gpu, true)
    } else {
      other.stage = .unknown
      other.whyUnknown = "the trace shows neither when the app started nor all of the GPU's work"
    }
    return other
  }

  /// Refreshes lost while the system changes how frames reach the display are charged to the
  /// display.
  private func modeChange(
    _ refreshes: Range<RefreshNumber>, _ frame: FramesInFlight.Frame
  ) -> DroppedRefreshes {
    DroppedRefreshes(
      refresh: refreshes.lowerBound, count: Int64(refreshes.count), frame: frame.reference.row,
      stage: .display, cause: frame.reference, isInferred: true, whyUnknown: nil)
  }

  func frame(_ row: Int) -> FramesInFlight.Frame {
    FramesInFlight.Frame(
      reference: FrameReference(surface: timeline.surface, row: row),
      times: timeline.stages[row], usual: timeline.usual)
  }

  func lags(_ row: Int, _ times: StageTimes) -> StepLags {
    timeline.schedule.lags(row, times, hasExpected: timeline.hasExpected(row))
  }

  /// The steps of a frame's lateness; `nil` if it is unknown when the frame was due or when it was shown.
  private func steps(_ row: Int) -> LateSteps? {
    let schedule = timeline.schedule
    let due = schedule.due[row]
    guard let shown = schedule.shownRefresh(row) ?? due else { return nil }
    let times = timeline.stages[row]
    return LateSteps(
      times, due: due ?? shown, shown: shown, grid,
      isFree: schedule.isFree, lags(row, times), rules)
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
    case .app where timeline.schedule.isFree: return handedOver(part.count, frame, late)
    case .app where frame.times.isFilledByApp: return shared(part.count, [.app, .gpu], frame, late)
    case .app:
      var share = own(.app)
      // Without the app's start, it is unknown whether the app worked that long or was held up.
      share.isInferred =
        frame.times.isCommitInferred || frame.times.appStart == nil || mayBeTaken(frame, late)
      return [share]
    case .waiting: return waiting(part.count, frame)
    case .rendering where frame.times.isFilledByApp: return [own(.compositor)]
    case .rendering: return shared(part.count, [.compositor, .gpu], frame, late)
    case .all where frame.times.isFilledByApp:
      return shared(part.count, [.app, .gpu, .compositor], frame, late)
    case .all: return shared(part.count, [.app, .compositor, .gpu], frame, late)
    case .display:
      // Where the trace has no data about a compositor, the compositor may also have been the
      // cause.
      var share = own(.display)
      share.isInferred = timeline.schedule.isFree && frame.times.isFilledByApp
      return [share]
    case .compositorSide:
      var share = own(.compositor)
      share.isInferred = true
      return [share]
    case .unknown(let missing):
      var share = own(.unknown)
      share.whyUnknown = "the trace does not show \(missing)"
      return [share]
    }
  }

  /// Whether a compositor without known times may still have taken a commit on time because the commit came only just
  /// after a refresh.
  private func mayBeTaken(_ frame: FramesInFlight.Frame, _ late: LateFrame) -> Bool {
    guard frame.times.compositorStart == nil, let commit = frame.times.commit else { return false }
    let lag = lags(late.row, frame.times).app
    return grid.first(commit - grid.interval(at: commit) / 16) <= late.due - lag
  }

  /// Charges refreshes that were lost when a frame was handed over in a chain that runs freely, if the time when its
  /// buffer was finished is unknown. The refreshes are charged to the app only if it took longer than usual, and with
  /// certainty only if the trace records waits for buffers.
  private func handedOver(
    _ count: Int64, _ frame: FramesInFlight.Frame, _ late: LateFrame
  ) -> [ChargedShare] {
    guard let excess = frame.usual.excess(.app, of: frame.times) else {
      return [unknown("when the app started", frame.reference, count)]
    }
    let isApp = excess * 16 >= grid.interval(after: late.due)
    var share = ChargedShare(
      stage: isApp ? .app : .compositor, cause: frame.reference, count: count)
    share.isInferred = !timeline.knowsBufferWaits || !isApp || frame.times.isCommitInferred
    return [share]
  }

  /// Charges the last refreshes at which the compositor could not start a frame, each to the frame
  /// that was in the way.
  private func waiting(_ count: Int64, _ frame: FramesInFlight.Frame) -> [ChargedShare] {
    guard let start = frame.times.compositorStart, rules.contains(.waitingHasCulprit) else {
      return [ChargedShare(stage: .compositor, cause: frame.reference, count: count)]
    }
    let end = grid.last(start + grid.interval(at: start) / 16)
    // The blocking frame differs for at most as many refreshes as there can be frames in flight.
    let distinct = min(count, 64)
    var shares = (end - distinct..<end).map { refresh in
      holder(at: grid.time(refresh), of: frame, startedAt: start)
    }
    shares[0].count += count - distinct
    return shares
  }

  private func holder(
    at time: Timestamp, of frame: FramesInFlight.Frame, startedAt start: Timestamp
  ) -> ChargedShare {
    if rules.contains(.readyBuffer), let ready = readyFrame(at: time, before: frame.reference.row) {
      return ChargedShare(stage: .display, cause: ready, count: 1)
    }
    guard
      let holder = inFlight.oldestRendered(at: time, startedBefore: start, not: frame.reference)
    else {
      if inFlight.hasUnknownFrame(at: time, before: frame.reference) {
        return unknown("when the compositor worked on the previous frame", frame.reference)
      }
      return ChargedShare(stage: .compositor, cause: frame.reference, count: 1)
    }
    let times = holder.times
    guard let compositor = holder.usual.excess(.compositor, of: times) else {
      return unknown("when the compositor was done with the previous frame", holder.reference)
    }
    guard let gpu = holder.usual.excess(.gpu, of: times) else {
      // Time in which the GPU was not needed is still charged to the compositor.
      if let end = times.compositorEnd, end > time {
        return ChargedShare(stage: .compositor, cause: holder.reference, count: 1)
      }
      return unknown("when the GPU worked on the previous frame", holder.reference)
    }
    let items = [
      item(.compositor, holder, excess: compositor), item(.gpu, holder, excess: gpu),
    ]
    let given = SharedStep(rules).give(1, to: items, interval: grid.interval(at: time))
    return ChargedShare(
      stage: given[0] == 1 ? .compositor : .gpu, cause: holder.reference, count: 1)
  }

  /// A frame that was finished by a refresh but neither shown at it nor replaced before it, while
  /// the display repeated an older frame: the display held the buffer that others waited for.
  private func readyFrame(at time: Timestamp, before row: Int) -> FrameReference? {
    let schedule = timeline.schedule
    let refresh = grid.nearest(time)
    var oldest: Int?
    for other in stride(from: row - 1, through: max(0, row - FramesInFlight.farthest), by: -1) {
      if schedule.displayed[other] == refresh { return nil }
      let times = timeline.stages[other]
      guard let ready = times.isFilledByApp ? times.compositorEnd : times.queued, ready <= time,
        let shown = schedule.shownRefresh(other), shown > refresh
      else { continue }
      oldest = other
    }
    return oldest.map { FrameReference(surface: timeline.surface, row: $0) }
  }

  private func unknown(
    _ missing: String, _ cause: FrameReference, _ count: Int64 = 1
  ) -> ChargedShare {
    ChargedShare(
      stage: .unknown, cause: cause, count: count, whyUnknown: "the trace does not show \(missing)")
  }

  func item(
    _ stage: PipelineStage, _ frame: FramesInFlight.Frame, excess: Nanoseconds
  ) -> SharedStep.Item {
    let used = frame.times.time(in: stage) ?? .zero
    return SharedStep.Item(
      stage: stage, cause: frame.reference,
      excess: rules.contains(.usualTimes) ? excess : used, used: used)
  }
}

extension SurfaceTimeline {
  /// How long a frame's buffer was kept after the next frame was shown; `nil` where its release is
  /// unknown.
  func kept(_ row: Int) -> Nanoseconds? {
    guard let released = released(row), let next = schedule.order.after[row],
      let shown = schedule.shownTime(next)
    else { return nil }
    return released - shown
  }

  /// The median time for which buffers are kept after the next frame; zero where fewer than three
  /// are known.
  fileprivate var usualKept: Nanoseconds {
    let kept = (0..<stages.count).compactMap(kept).sorted()
    return kept.count < 3 ? .zero : kept.medianOfSorted ?? .zero
  }
}

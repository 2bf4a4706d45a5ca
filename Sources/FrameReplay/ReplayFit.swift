import FrameAnalysis
import FrameStatistics
import FrameTrace

/// The agreement of a replay with the recording.
struct ReplayFit {
  /// The number of frames shown at their recorded refresh.
  var hits = 0
  /// The mean distance of the app's starts from the recorded starts, in nanoseconds.
  var distance = 0.0

  /// Whether the fit is better by more than jitter explains: 2 % of the frames, or starts that are closer by a length.
  /// The margin favors a real explanation over a mere repetition of the recording.
  func isBetter(than other: ReplayFit, of shown: Int, by length: Double) -> Bool {
    if abs(hits - other.hits) * 50 > shown { return hits > other.hits }
    return distance < other.distance - length
      || (hits > other.hits && distance <= other.distance)
  }
}

extension ReplayRecording {
  /// Infers what the recording does not contain: when the compositor wakes, how long finished frames are held back, how
  /// the display takes frames, and the number of buffers.
  mutating func findConditions() {
    simulator.isLowLatency = hasLowLatency
    findWakes()
    findDisplay()
  }

  /// Finds the usual delay from a refresh to the compositor's wake-up; any further delay belongs to
  /// the frame.
  private mutating func findWakes() {
    inferLowLatency()
    let delays = work.indices.compactMap { position in
      work[position].compositor > 0 && !isAtOnce(position) ? work[position].compositorDelay : nil
    }.sorted()
    guard delays.count >= 3 else { return }
    let usual = delays[delays.count / 10]
    simulator.wakeDelay = usual > schedule.grid.interval.count / 16 ? usual : 0
    for position in work.indices where work[position].compositor > 0 && !isAtOnce(position) {
      work[position].compositorDelay = max(0, work[position].compositorDelay - simulator.wakeDelay)
    }
  }

  /// Infers low latency if the source does not name modes: the compositor starts some frames when they are committed
  /// and others at refreshes. The frames that wait for refreshes are animations.
  private mutating func inferLowLatency() {
    guard simulator.chain == .compositor, !surface.frames.has(.mode) else { return }
    let slack = schedule.grid.interval.count / 16
    let composed = work.indices.filter { work[$0].compositor > 0 }
    let atOnce = composed.filter {
      work[$0].compositorDelay > slack && work[$0].delaySinceCommit.map { $0 <= slack } ?? false
    }
    let atRefresh = composed.filter { work[$0].compositorDelay <= slack }
    // If all frames start at the same distance from refreshes, the compositor wakes at that distance.
    guard atOnce.count >= 3, atRefresh.count >= 3, atOnce.count + atRefresh.count == composed.count
    else { return }
    simulator.isLowLatency = true
    for position in atRefresh { work[position].animates = true }
    for position in atOnce { work[position].compositorDelay = work[position].delaySinceCommit ?? 0 }
  }

  private func isAtOnce(_ position: Int) -> Bool {
    simulator.isLowLatency && !work[position].animates
  }

  /// The number of refreshes from a frame's end to its display, and whether the display of the previous frame may have
  /// delayed the frame.
  private struct Distance {
    let position: Int
    let refreshes: Int64
    let isHeldUp: Bool
  }

  private func distances(
    in pipeline: ReplaySimulator, of work: ArraySlice<ReplayedWork>
  ) -> [Distance] {
    let callbacks = ReplayCallbacks(pipeline)
    var distances: [Distance] = []
    var before: Int64?
    for position in work.indices where Self.isLast(position, in: work) {
      let row = work[position].row
      guard let shown = schedule.displayed[row]?.number else { continue }
      let times = rebuilt.timeline.stages[row]
      let handOver = callbacks.flatMap { callbacks in
        callback(of: times, at: callbacks.offset).map(callbacks.handOver)
      }
      let finished = handOver ?? finish(times)
      distances.append(
        Distance(
          position: position,
          refreshes: shown - simulator.refreshes.first(finished + pipeline.latch),
          isHeldUp: callbacks == nil && before.map { shown <= $0 + 1 } ?? false))
      before = shown
    }
    return distances
  }

  /// The usual number of refreshes from a frame's end to its display: the median over frames without a delay. If every
  /// frame may have been delayed, a low quantile over all frames.
  private func usualDelay(
    _ distances: [Distance], _ mode: ReplaySimulator.Display
  ) -> Int64 {
    guard !schedule.isVariable, !distances.isEmpty else { return 0 }
    let free = distances.filter { !isHeldUp($0, mode) }.map(\.refreshes).sorted()
    if free.count >= 3, let usual = free.medianOfSorted { return usual }
    // An app that starts itself may have kept the queue full all the time, so that each frame
    // waited for the others.
    if simulator.chain == .free { return 0 }
    let all = distances.map(\.refreshes).sorted()
    return all[all.count / 20]
  }

  /// Whether only the display of another frame may have delayed a frame.
  private func isHeldUp(_ distance: Distance, _ mode: ReplaySimulator.Display) -> Bool {
    if case .mailbox = mode { return false }
    return distance.isHeldUp
  }

  /// Sets the number of refreshes from each frame's end to its display to the usual or the observed number.
  /// - Returns: The number of frames that were later than usual for no known reason.
  private func setDelays(
    of work: inout [ReplayedWork], _ distances: [Distance], _ pipeline: ReplaySimulator
  ) -> Int {
    guard !schedule.isVariable, !distances.isEmpty else { return 0 }
    let usual = pipeline.usualDelay
    // Frames that were never shown are treated like other frames.
    for position in work.indices { work[position].shownLater = usual }
    var heldBack = 0
    for distance in distances {
      let isHeldUp = isHeldUp(distance, pipeline.display)
      work[distance.position].shownLater =
        isHeldUp ? min(usual, distance.refreshes) : distance.refreshes
      if !isHeldUp, distance.refreshes > usual { heldBack += 1 }
    }
    return heldBack
  }

  /// When a frame was finished, from the display's point of view.
  private func finish(_ times: StageTimes) -> Int64 {
    let finished = times.queued ?? times.gpuEnd ?? times.commit
    return StageTimes.later(finished, times.compositorEnd)?.nanoseconds ?? 0
  }

  /// Finds how the display takes frames, and the number of buffers: the present mode and the count, near the number of
  /// buffers in use, for which the most frames are shown at their recorded refresh. In-order display is preferred if
  /// another mode is no better, unless many frames were replaced.
  private mutating func findDisplay() {
    let used = max(2, usedBuffers ?? 3)
    // A compositor takes a third buffer when it needs one; if it had only two, two buffers fit better.
    let usual = simulator.chain == .compositor ? [max(3, used)] : []
    var counts: [Int] = []
    for count in usual + [used, used + 1, used - 1, 2, 3, 4]
    where (2...8).contains(count) && !counts.contains(count) {
      counts.append(count)
    }
    // A copy, so that all work items can be changed in place.
    let sample = Array(work.prefix(Self.mostTried))
    let shown = Self.count(sample[...]) { schedule.displayed[$0] != nil }
    var best: ReplayExplanation?
    var others: [ReplayExplanation] = []
    let close = Double(schedule.grid.interval.count) / 32
    for way in ways {
      var candidate = way.pipeline
      var delayed = sample
      let heldBack = setDelays(of: &delayed, way.distances, candidate)
      // If every call waits for a callback, all of its time is waiting, and so is the time after
      // the GPU's work.
      let calls =
        candidate.waitsInside ? [nil] : candidate.callback == nil ? calls(candidate.display) : [0]
      for call in calls {
        var own = delayed
        setCalls(of: &own, atMost: call, in: candidate)
        if !candidate.isMailbox, !isReplacing { markNeverShown(&own) }
        for (buffers, ownsImages) in images(of: candidate, counts, used) {
          (candidate.buffers, candidate.ownsImages) = (buffers, ownsImages)
          let fit = fit(candidate.play(own), of: own)
          let own = ReplayExplanation(
            simulator: candidate, call: call, work: own, heldBack: heldBack, fit: fit)
          let isPerfect = best.map { $0.fit.hits == shown && $0.fit.distance < close } ?? false
          if let before = best, isPerfect || !fit.isBetter(than: before.fit, of: shown, by: close) {
            others.append(own)
          } else {
            if let best { others.append(best) }
            best = own
          }
        }
      }
    }
    guard let best else { return }
    alternatives = others.filter { $0.isAsGood(as: best, of: shown, by: close) }
    consume(best)
  }

  /// Applies the explanation found on a part of the recording to the complete recording.
  private mutating func consume(_ best: ReplayExplanation) {
    (simulator, heldBack) = (best.simulator, best.heldBack)
    guard work.count > best.work.count else {
      work = best.work
      return
    }
    let delays = distances(in: simulator, of: work[...])
    // The work is changed in place: copying a long recording takes as long as replaying it.
    var own: [ReplayedWork] = []
    swap(&own, &work)
    heldBack = setDelays(of: &own, delays, simulator)
    setCalls(of: &own, atMost: best.call, in: simulator)
    if !simulator.isMailbox, !isReplacing { markNeverShown(&own) }
    swap(&own, &work)
  }

  /// The buffer counts to try, and whether an app whose newest frame is shown waits for a buffer.
  private func images(
    of pipeline: ReplaySimulator, _ counts: [Int], _ used: Int
  ) -> [(count: Int, areOwned: Bool)] {
    guard !pipeline.waitsForBuffers else { return counts.map { ($0, false) } }
    let owned = pipeline.isMailbox && pipeline.chain == .free ? counts : []
    return [(used, false)] + owned.map { ($0, true) }
  }

  /// A way in which the display may take frames.
  private struct Way {
    let pipeline: ReplaySimulator
    /// The delays from end to display under this assumption.
    let distances: [Distance]
  }

  /// The ways that are tried, most likely first.
  private var ways: [Way] {
    var modes: [ReplaySimulator.Display] = [.fifo]
    if schedule.isVariable {
      modes = [
        .variable(shortest: (rebuilt.refreshes.scanOutInterval ?? .zero).count, longest: nil)
      ]
    } else if simulator.chain != .compositor {
      modes = isReplacing ? [.mailbox, .fifo] : [.fifo, .mailbox]
    }
    // A recorded wait may be a wait for a buffer at the start of the frame, or an effect of a callback.
    let waits = statesWaits ? [false, true] : [false]
    let all = waits.flatMap { isInside in
      modes.flatMap { mode in
        (isInside ? [nil] : callbacks(mode)).map { (mode: mode, callback: $0, isInside: isInside) }
      }
    }
    return all.map { mode, callback, isInside in
      var pipeline = simulator
      (pipeline.display, pipeline.callback) = (mode, callback)
      pipeline.waitsInside = isInside
      // A frame handed over after a callback is taken at the next callback, and displayed at the
      // refresh after that.
      pipeline.latch = callback.map { schedule.grid.interval.count - $0 } ?? latch(mode)
      let distances = distances(in: pipeline, of: work.prefix(Self.mostTried))
      pipeline.usualDelay = usualDelay(distances, mode)
      return Way(pipeline: pipeline, distances: distances)
    }
  }

  /// Whether so many frames were replaced that each refresh must take the newest frame.
  private var isReplacing: Bool { outcomes.dropped * 50 > outcomes.count }

  /// If frames are shown in order, the few frames that were never shown, such as the first ones of a window, take no
  /// refresh from other frames.
  private func markNeverShown(_ work: inout [ReplayedWork]) {
    for position in work.indices {
      work[position].isNeverShown = schedule.displayed[work[position].row] == nil
    }
  }

  /// The number of work items on which conditions are tried.
  static let mostTried = 20_000

  /// The possible distances from refreshes to callbacks of an app that starts itself: the common distance, if nearly
  /// all calls end at the same distance from refreshes, and `nil` for no callbacks. Buffers also become free at the
  /// refreshes themselves, but a call that waits for a buffer has already handed over its frame.
  private func callbacks(_ mode: ReplaySimulator.Display) -> [Int64?] {
    guard simulator.chain == .free, case .fifo = mode, !schedule.isVariable else { return [nil] }
    let interval = schedule.grid.interval.count
    let calls = work.indices.compactMap { position -> (phase: Int64, handsOverAtEnd: Bool)? in
      let times = rebuilt.timeline.stages[work[position].row]
      guard let end = times.appEnd?.nanoseconds else { return nil }
      let handsOver = times.queued.map { abs($0.nanoseconds - end) * 16 <= interval } ?? false
      return (end - simulator.refreshes.time(simulator.refreshes.last(end)), handsOver)
    }
    guard calls.count >= 10 else { return [nil] }
    let middle = RankSelection.select([calls.count / 2], of: calls.map(\.phase))[0]
    let isAtRefresh = min(middle, interval - middle) * 16 <= interval
    let near = calls.count {
      let distance = abs($0.phase - middle)
      return min(distance, interval - distance) * 16 <= interval
        && (!isAtRefresh || $0.handsOverAtEnd)
    }
    return near * 5 >= calls.count * 4 ? [middle, nil] : [nil]
  }

  /// The time before a refresh by which a frame must be finished to be shown at that refresh. It can be observed only
  /// if each refresh had several frames to choose from: the frames shown are the newest that were finished in time.
  private func latch(_ mode: ReplaySimulator.Display) -> Int64 {
    guard case .mailbox = mode, simulator.chain != .app(isComposited: true),
      outcomes.dropped > outcomes.displayed
    else { return 0 }
    let leads = work.indices.compactMap { position -> Int64? in
      let row = work[position].row
      return schedule.displayed[row].map {
        simulator.refreshes.time($0.number) - finish(rebuilt.timeline.stages[row])
      }
    }.sorted()
    guard leads.count >= 3 else { return 0 }
    return min(max(0, leads[leads.count / 20]), Self.mostLatch * schedule.grid.interval.count)
  }

  /// The maximum number of intervals for which a compositor may hold a frame before it is displayed.
  private static let mostLatch: Int64 = 4

  /// The possible durations of calls that hand over a frame, without waiting, for an app that
  /// starts itself and frames shown in order; the rest of a call is waiting for a buffer. If nearly
  /// all calls wait, only the first ones, before the queue is full, may show the duration. `nil`
  /// means that calls take as long as recorded.
  private func calls(_ mode: ReplaySimulator.Display) -> [Int64?] {
    guard simulator.chain == .free, case .fifo = mode else { return [nil] }
    let least = RankSelection.select([work.count / 100], of: work.indices.map { work[$0].call })[0]
    return [usualCall, least, nil]
  }

  /// Limits the durations of calls, and makes calls wait for their callbacks if there are any.
  private func setCalls(
    of work: inout [ReplayedWork], atMost most: Int64?, in pipeline: ReplaySimulator
  ) {
    guard let most else { return }
    for position in work.indices { work[position].call = min(work[position].call, most) }
    guard let offset = pipeline.callback, var callbacks = ReplayCallbacks(pipeline) else { return }
    for position in work.indices {
      let times = rebuilt.timeline.stages[work[position].row]
      guard let commit = times.commit?.nanoseconds, let number = callback(of: times, at: offset)
      else { continue }
      work[position].callbacksLater = callbacks.note(number, committed: commit)
      if work[position].callbacksLater != nil { work[position].finish = 0 }
      callbacks.consume(shownAt: schedule.displayed[work[position].row]?.number)
    }
  }

  /// The refresh with the callback nearest to the end of a call.
  private func callback(of times: StageTimes, at callback: Int64) -> Int64? {
    guard let end = times.appEnd?.nanoseconds else { return nil }
    let refreshes = simulator.refreshes
    return refreshes.last(
      end - callback + refreshes.interval(after: refreshes.last(end)) / Self.callbackSlack)
  }

  /// The fraction of an interval by which jitter may let a call end before its callback.
  private static let callbackSlack: Int64 = 8

  /// The duration of a call that does not wait: the shortest tenth of the calls that did not end when a frame was
  /// shown. If nearly all calls did, the duration is unknown and set to 0..
  private var usualCall: Int64 {
    let free = work.indices.compactMap { position -> Int64? in
      guard let end = rebuilt.timeline.stages[work[position].row].appEnd else { return nil }
      let refresh = simulator.refreshes.last(end.nanoseconds)
      let isAtRefresh =
        (end.nanoseconds - simulator.refreshes.time(refresh)) * 16
        <= simulator.refreshes.interval(after: refresh)
      return isAtRefresh ? nil : work[position].call
    }
    guard free.count * 20 >= work.count else { return 0 }
    return RankSelection.select([free.count / 10], of: free)[0]
  }

  /// The number of recorded frames shown at their recorded refresh, or, on a variable refresh display, within half the
  /// shortest interval. If the newest frame is shown, a frame that started within a sixteenth of an interval of the
  /// recorded frame counts, too.
  func reproduced(_ played: [ReplayedFrame]) -> Int { fit(played, of: work).hits }

  private func fit(_ played: [ReplayedFrame], of work: [ReplayedWork]) -> ReplayFit {
    var fit = ReplayFit()
    // If frames can be replaced, each refresh takes the newest frame.
    let isNewest = played.indices.contains {
      played[$0].displayed == nil && !work[played[$0].work.lowerBound].isNeverShown
    }
    let newest = NewestFrames(isNewest ? played : [])
    let all = work[...]
    // Accessed by index, because copying each frame would take longer than reading the few fields needed.
    for index in played.indices {
      let first = work[played[index].work.lowerBound].row
      fit.distance += abs(Double(played[index].appStart - started(first)))
      for position in played[index].work where Self.isLast(position, in: all) {
        let row = work[position].row
        guard let shown = schedule.displayed[row] else { continue }
        // Among frames close together, a neighbor may be the newest frame and show the same content.
        let near = newest.start(at: shown.number).map {
          abs($0 - started(row)) * 16 <= schedule.grid.interval.count
        }
        if played[index].refresh == shown.number || near == true || isAtTime(played[index], shown) {
          fit.hits += 1
        }
      }
    }
    fit.distance /= Double(max(1, played.count))
    return fit
  }

  private func isAtTime(_ frame: ReplayedFrame, _ shown: RefreshNumber) -> Bool {
    guard schedule.isVariable, let displayed = frame.displayed else { return false }
    let shortest = (rebuilt.refreshes.scanOutInterval ?? schedule.grid.interval).count
    return abs(displayed - schedule.grid.time(shown).nanoseconds) * 2 <= shortest
  }

  /// When the app started a recorded frame, or handed it over.
  private func started(_ row: Int) -> Int64 {
    rebuilt.timeline.stages.begun(row)?.nanoseconds ?? 0
  }

  /// The number of played frames that were shown in the recording.
  var shownCount: Int { Self.count(work[...]) { schedule.displayed[$0] != nil } }

  /// The number of frames of the work whose row meets a condition.
  private static func count(_ work: ArraySlice<ReplayedWork>, _ isCounted: (Int) -> Bool) -> Int {
    work.indices.count { isLast($0, in: work) && isCounted(work[$0].row) }
  }

  /// Whether a work item is the last one of its frame.
  private static func isLast(_ position: Int, in work: ArraySlice<ReplayedWork>) -> Bool {
    position == work.endIndex - 1 || work[position + 1].row != work[position].row
  }
}

/// When the app started the newest frame shown at each refresh.
private struct NewestFrames {
  private let refreshes: RisingIntegers
  private let starts: [Int64]

  init(_ frames: [ReplayedFrame]) {
    var shown: [(refresh: Int64, start: Int64)] = []
    shown.reserveCapacity(frames.count)
    for index in frames.indices {
      if let refresh = frames[index].refresh { shown.append((refresh, frames[index].appStart)) }
    }
    // Frames are nearly always in the order of their refreshes, so sorting takes hardly any time.
    shown.sort { ($0.refresh, $0.start) < ($1.refresh, $1.start) }
    refreshes = RisingIntegers(shown.map(\.refresh))
    starts = shown.map(\.start)
  }

  /// The app's start of the frame shown at a refresh; `nil` if there was none.
  func start(at refresh: Int64) -> Int64? {
    let position = refreshes.position(of: refresh)
    return position >= 0 && refreshes.values[position] == refresh ? starts[position] : nil
  }
}

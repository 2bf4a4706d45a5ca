import FrameAnalysis
import FrameTrace

/// How near a replay comes to what was recorded.
struct ReplayFit {
  /// How many frames come at their recorded refresh.
  var hits = 0
  /// How far starts of the app are from the recorded ones, on average, in nanoseconds.
  var distance = 0.0

  /// Whether it fits better by more than what jitter makes of it, so that what explains a recording goes before what
  /// only repeats it: 2 % of the frames, or starts that are nearer by a length.
  func isBetter(than other: ReplayFit, of shown: Int, by length: Double) -> Bool {
    if abs(hits - other.hits) * 50 > shown { return hits > other.hits }
    return distance < other.distance - length
      || (hits > other.hits && distance <= other.distance)
  }
}

extension ReplayRecording {
  /// Finds what the recording does not state: when the compositor wakes, how long frames are held back once they are
  /// finished, how the display takes them, and how many buffers there were.
  mutating func findConditions() {
    simulator.isLowLatency = hasLowLatency
    findWakes()
    findDisplay()
  }

  /// The compositor's usual distance from the refresh that wakes it; what frames have beyond it is their own.
  private mutating func findWakes() {
    inferLowLatency()
    let delays = work.filter { $0.compositor > 0 && !isAtOnce($0) }.map(\.compositorDelay).sorted()
    guard delays.count >= 3 else { return }
    let usual = delays[delays.count / 10]
    simulator.wakeDelay = usual > schedule.grid.interval.count / 16 ? usual : 0
    for place in work.indices where work[place].compositor > 0 && !isAtOnce(work[place]) {
      work[place].compositorDelay = max(0, work[place].compositorDelay - simulator.wakeDelay)
    }
  }

  /// Where the source does not name modes, a compositor that starts on some frames as they are committed and on others
  /// at refreshes has low latency, and what waits is an animation.
  private mutating func inferLowLatency() {
    guard simulator.chain == .compositor, !measured.surface.frames.has(.mode) else { return }
    let slack = schedule.grid.interval.count / 16
    let composed = work.indices.filter { work[$0].compositor > 0 }
    let atOnce = composed.filter {
      work[$0].compositorDelay > slack && work[$0].delaySinceCommit.map { $0 <= slack } ?? false
    }
    let atRefresh = composed.filter { work[$0].compositorDelay <= slack }
    // Where all start at one distance from refreshes, that is when the compositor wakes.
    guard atOnce.count >= 3, atRefresh.count >= 3, atOnce.count + atRefresh.count == composed.count
    else { return }
    simulator.isLowLatency = true
    for place in atRefresh { work[place].animates = true }
    for place in atOnce { work[place].compositorDelay = work[place].delaySinceCommit ?? 0 }
  }

  private func isAtOnce(_ work: ReplayedWork) -> Bool { simulator.isLowLatency && !work.animates }

  /// How many refreshes after it was finished a frame was shown, and whether that may be as the one before it was
  /// shown just then.
  private struct Distance {
    let place: Int
    let refreshes: Int64
    let isHeldUp: Bool
  }

  private func distances(
    in pipeline: ReplaySimulator, of work: ArraySlice<ReplayedWork>
  ) -> [Distance] {
    let callbacks = ReplayCallbacks(pipeline)
    var distances: [Distance] = []
    var before: Int64?
    for place in work.indices where Self.isLast(place, in: work) {
      let row = work[place].row
      guard let shown = schedule.displayed[row]?.number else { continue }
      let times = rebuilt.timeline.stages[row]
      let handOver = callbacks.flatMap { callbacks in
        callback(of: times, at: callbacks.offset).map(callbacks.handOver)
      }
      let finished = handOver ?? finish(times)
      distances.append(
        Distance(
          place: place, refreshes: shown - simulator.refreshes.first(finished + pipeline.latch),
          isHeldUp: callbacks == nil && before.map { shown <= $0 + 1 } ?? false))
      before = shown
    }
    return distances
  }

  /// How many refreshes after it is finished a frame is usually shown: as many as those are that nothing held up, or, where
  /// each might have been, as few as hardly any is shown after.
  private func usualDelay(
    _ distances: [Distance], _ mode: ReplaySimulator.Display
  ) -> Int64 {
    guard !schedule.isVariable, !distances.isEmpty else { return 0 }
    let free = distances.filter { !isHeldUp($0, mode) }.map(\.refreshes).sorted()
    if free.count >= 3 { return free[free.count / 2] }
    // An app that starts itself may have kept the queue full all along, so that each frame waited for the others.
    if simulator.chain == .free { return 0 }
    let all = distances.map(\.refreshes).sorted()
    return all[all.count / 20]
  }

  /// Whether a frame may be shown no earlier only as another was shown just then.
  private func isHeldUp(_ distance: Distance, _ mode: ReplaySimulator.Display) -> Bool {
    if case .mailbox = mode { return false }
    return distance.isHeldUp
  }

  /// Sets how many refreshes after they are finished frames are shown: as usual, or as was seen.
  /// - Returns: How many frames came later than usual for no known reason.
  private func setDelays(
    of work: inout [ReplayedWork], _ distances: [Distance], _ pipeline: ReplaySimulator
  ) -> Int {
    guard !schedule.isVariable, !distances.isEmpty else { return 0 }
    let usual = pipeline.usualDelay
    // What was never shown would have been like the others.
    for place in work.indices { work[place].shownLater = usual }
    var heldBack = 0
    for distance in distances {
      let isHeldUp = isHeldUp(distance, pipeline.display)
      work[distance.place].shownLater =
        isHeldUp ? min(usual, distance.refreshes) : distance.refreshes
      if !isHeldUp, distance.refreshes > usual { heldBack += 1 }
    }
    return heldBack
  }

  /// When a frame was finished as far as the display is concerned.
  private func finish(_ times: StageTimes) -> Int64 {
    let finished = times.queued ?? times.gpuEnd ?? times.commit
    return [finished, times.compositorEnd].compactMap(\.?.nanoseconds).max() ?? 0
  }

  /// How the display takes frames, and how many buffers there are: what makes most frames come when they did, of
  /// present modes and of the numbers near that of the buffers in use. Frames in order are believed where another mode
  /// does no better, unless many were replaced.
  private mutating func findDisplay() {
    let used = max(2, measured.listing.map(\.bufferCount) ?? 3)
    // A compositor takes a third buffer when it needs one; where it had none more, fewer fit better.
    let usual = simulator.chain == .compositor ? [max(3, used)] : []
    var counts: [Int] = []
    for count in usual + [used, used + 1, used - 1, 2, 3, 4]
    where (2...8).contains(count) && !counts.contains(count) {
      counts.append(count)
    }
    // A copy, so that all of the work can be changed where it is.
    let sample = Array(work.prefix(Self.mostTried))
    let shown = Self.count(sample[...]) { schedule.displayed[$0] != nil }
    var best: ReplayExplanation?
    var others: [ReplayExplanation] = []
    let close = Double(schedule.grid.interval.count) / 32
    for way in ways {
      var candidate = way.pipeline
      var delayed = sample
      let heldBack = setDelays(of: &delayed, way.distances, candidate)
      // Where every call waits to be let go on, all of it is waiting, and so is what comes after the GPU's work.
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
    take(best)
  }

  /// Takes what a part of the recording is explained by for all of it.
  private mutating func take(_ best: ReplayExplanation) {
    (simulator, heldBack) = (best.simulator, best.heldBack)
    guard work.count > best.work.count else {
      work = best.work
      return
    }
    let delays = distances(in: simulator, of: work[...])
    // Changed where it is: a copy of a long recording takes as long as playing it.
    var own: [ReplayedWork] = []
    swap(&own, &work)
    heldBack = setDelays(of: &own, delays, simulator)
    setCalls(of: &own, atMost: best.call, in: simulator)
    if !simulator.isMailbox, !isReplacing { markNeverShown(&own) }
    swap(&own, &work)
  }

  /// How many buffers are tried, and whether an app whose newest frame is shown waits for one of them.
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
    /// How long after they were finished frames were shown, seen so.
    let distances: [Distance]
  }

  /// The ways that are tried, the likeliest first.
  private var ways: [Way] {
    var modes: [ReplaySimulator.Display] = [.fifo]
    if schedule.isVariable {
      modes = [
        .variable(shortest: (rebuilt.refreshes.scanOutInterval ?? .zero).count, longest: nil)
      ]
    } else if simulator.chain != .compositor {
      modes = isReplacing ? [.mailbox, .fifo] : [.fifo, .mailbox]
    }
    // A wait that the source states may be for a buffer at the start of the frame, or what a callback makes of it.
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
      // What is handed over by a callback is there for the next one, and on the display at the refresh after that.
      pipeline.latch = callback.map { schedule.grid.interval.count - $0 } ?? latch(mode)
      let distances = distances(in: pipeline, of: work.prefix(Self.mostTried))
      pipeline.usualDelay = usualDelay(distances, mode)
      return Way(pipeline: pipeline, distances: distances)
    }
  }

  /// Whether so many frames were replaced that each refresh takes the newest one.
  private var isReplacing: Bool { measured.outcomes.dropped * 50 > measured.outcomes.count }

  /// Where frames are shown in order, a few that never were, as the first of a window, take no refresh from others.
  private func markNeverShown(_ work: inout [ReplayedWork]) {
    for place in work.indices {
      work[place].isNeverShown = schedule.displayed[work[place].row] == nil
    }
  }

  /// How much of the work conditions are tried on.
  static let mostTried = 20_000

  /// How long after refreshes calls of an app that starts itself may be let go on: where nearly all of them end at the
  /// same distance from refreshes; and `nil` for not at all. At the refreshes themselves buffers get free as well, but
  /// a call that waits for one has handed its frame over before.
  private func callbacks(_ mode: ReplaySimulator.Display) -> [Int64?] {
    guard simulator.chain == .free, case .fifo = mode, !schedule.isVariable else { return [nil] }
    let interval = schedule.grid.interval.count
    let calls = work.compactMap { item -> (phase: Int64, handsOverAtEnd: Bool)? in
      let times = rebuilt.timeline.stages[item.row]
      guard let end = times.appEnd?.nanoseconds else { return nil }
      let handsOver = times.queued.map { abs($0.nanoseconds - end) * 16 <= interval } ?? false
      return (end - simulator.refreshes.time(simulator.refreshes.last(end)), handsOver)
    }
    let phases = calls.map(\.phase).sorted()
    guard phases.count >= 10 else { return [nil] }
    let middle = phases[phases.count / 2]
    let isAtRefresh = min(middle, interval - middle) * 16 <= interval
    let near = calls.count {
      let distance = abs($0.phase - middle)
      return min(distance, interval - distance) * 16 <= interval
        && (!isAtRefresh || $0.handsOverAtEnd)
    }
    return near * 5 >= phases.count * 4 ? [middle, nil] : [nil]
  }

  /// How long before a refresh a frame has to be finished to be shown at it. Only where each refresh had several frames
  /// to choose from is it seen: those that were shown are the newest that were finished by then.
  private func latch(_ mode: ReplaySimulator.Display) -> Int64 {
    guard case .mailbox = mode, simulator.chain != .app(isComposited: true),
      measured.outcomes.dropped > measured.outcomes.displayed
    else { return 0 }
    let leads = work.compactMap { item -> Int64? in
      schedule.displayed[item.row].map {
        simulator.refreshes.time($0.number) - finish(rebuilt.timeline.stages[item.row])
      }
    }.sorted()
    guard leads.count >= 3 else { return 0 }
    return min(max(0, leads[leads.count / 20]), Self.mostLatch * schedule.grid.interval.count)
  }

  /// For how many intervals a compositor may have a frame before it is displayed.
  private static let mostLatch: Int64 = 4

  /// How long calls that hand a frame over may take by themselves, where frames are shown in order by an app that starts
  /// itself: the rest of them is waiting for a buffer. Where nearly all wait, the first ones, before the queue is full,
  /// may be the only ones that tell; `nil` where calls are what they are.
  private func calls(_ mode: ReplaySimulator.Display) -> [Int64?] {
    guard simulator.chain == .free, case .fifo = mode else { return [nil] }
    let sorted = work.map(\.call).sorted()
    return [usualCall, sorted[sorted.count / 100], nil]
  }

  /// Makes calls take no longer than they may, and wait for their callbacks where these let them go on.
  private func setCalls(
    of work: inout [ReplayedWork], atMost most: Int64?, in pipeline: ReplaySimulator
  ) {
    guard let most else { return }
    for place in work.indices { work[place].call = min(work[place].call, most) }
    guard let offset = pipeline.callback, var callbacks = ReplayCallbacks(pipeline) else { return }
    for place in work.indices {
      let times = rebuilt.timeline.stages[work[place].row]
      guard let commit = times.commit?.nanoseconds, let number = callback(of: times, at: offset)
      else { continue }
      work[place].callbacksLater = callbacks.note(number, committed: commit)
      if work[place].callbacksLater != nil { work[place].finish = 0 }
      callbacks.take(shownAt: schedule.displayed[work[place].row]?.number)
    }
  }

  /// The refresh whose callback is nearest to the end of a call.
  private func callback(of times: StageTimes, at callback: Int64) -> Int64? {
    guard let end = times.appEnd?.nanoseconds else { return nil }
    let refreshes = simulator.refreshes
    return refreshes.last(
      end - callback + refreshes.interval(after: refreshes.last(end)) / Self.callbackSlack)
  }

  /// The part of an interval by which calls may end before the callback that lets them go on, by jitter.
  private static let callbackSlack: Int64 = 8

  /// How long a call takes that does not wait: the shortest tenth of those that did not end as a frame was shown;
  /// nothing where nearly all did, as nobody knows then.
  private var usualCall: Int64 {
    let free = work.indices.compactMap { place -> Int64? in
      guard let end = rebuilt.timeline.stages[work[place].row].appEnd else { return nil }
      let refresh = simulator.refreshes.last(end.nanoseconds)
      let isAtRefresh =
        (end.nanoseconds - simulator.refreshes.time(refresh)) * 16
        <= simulator.refreshes.interval(after: refresh)
      return isAtRefresh ? nil : work[place].call
    }.sorted()
    return free.count * 20 < work.count ? 0 : free[free.count / 10]
  }

  /// How many recorded frames come at their recorded refresh, or within half the shortest interval of a display that
  /// waits; where the newest frame is shown, one that started within a sixteenth of an interval of it counts as well.
  func reproduced(_ played: [ReplayedFrame]) -> Int { fit(played, of: work).hits }

  private func fit(_ played: [ReplayedFrame], of work: [ReplayedWork]) -> ReplayFit {
    var fit = ReplayFit()
    // Where frames give way to others each refresh takes the newest one.
    let isNewest = played.contains {
      $0.displayed == nil && !work[$0.work.lowerBound].isNeverShown
    }
    var starts: [Int64: Int64] = [:]
    for frame in played where isNewest {
      if let refresh = frame.refresh { starts[refresh] = frame.appStart }
    }
    for frame in played {
      fit.distance += abs(Double(frame.appStart - started(work[frame.work.lowerBound].row)))
      for place in frame.work where Self.isLast(place, in: work[...]) {
        let row = work[place].row
        guard let shown = schedule.displayed[row] else { continue }
        // Of frames that follow each other closely a neighbor may be the newest one: it shows the same.
        let near = starts[shown.number].map {
          abs($0 - started(row)) * 16 <= schedule.grid.interval.count
        }
        if frame.refresh == shown.number || near == true || isAtTime(frame, shown) { fit.hits += 1 }
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

  /// When the app started on a recorded frame, or handed it over.
  private func started(_ row: Int) -> Int64 {
    let times = rebuilt.timeline.stages[row]
    return (times.appStart ?? times.commit)?.nanoseconds ?? 0
  }

  /// How many recorded frames were shown, of those that are played.
  var shownCount: Int { Self.count(work[...]) { schedule.displayed[$0] != nil } }

  /// How many frames of some work there are whose row meets a condition.
  private static func count(_ work: ArraySlice<ReplayedWork>, _ isCounted: (Int) -> Bool) -> Int {
    work.indices.count { isLast($0, in: work) && isCounted(work[$0].row) }
  }

  /// Whether work is the last that its frame consists of.
  private static func isLast(_ place: Int, in work: ArraySlice<ReplayedWork>) -> Bool {
    place == work.endIndex - 1 || work[place + 1].row != work[place].row
  }
}

/// A simulator that plays recorded work through app, compositor, GPU and display, frame by frame,
/// in time linear in the number of frames.
///
/// It is independent of trace analysis and shares no code with the scenario simulator, so that each
/// tests the other.
struct ReplaySimulator: Sendable {
  /// The component that starts the app, and the one that draws into the buffers.
  enum Chain: Hashable, Sendable {
    /// Refreshes start the app, and the compositor draws.
    case compositor
    /// Refreshes start the app, which draws; a compositor or the display takes its frames.
    case app(isComposited: Bool)
    /// The app starts itself and draws.
    case free
  }

  /// How the display takes frames.
  enum Display: Sendable {
    case fifo, mailbox
    /// Frames are shown immediately.
    case immediate
    /// The display waits for frames, refreshes no faster than the shortest interval, and shows the old frame again
    /// after the longest interval.
    case variable(shortest: Int64, longest: Int64?)
  }

  let chain: Chain
  var refreshes: ReplayRefreshes
  var display = Display.fifo
  var buffers = 3
  var isLowLatency = false
  /// The time after a refresh at which a call that hands over a frame is unblocked, one call at each refresh, as with
  /// the frame callbacks of Wayland. The frame is handed over only then. `nil` if only buffers block calls.
  var callback: Int64?
  /// The time before a refresh by which a frame must be finished to be shown at that refresh.
  var latch: Int64 = 0
  /// The usual number of further refreshes until the frame is shown.
  var usualDelay: Int64 = 0
  /// The time after a refresh at which the compositor wakes.
  var wakeDelay: Int64 = 0
  /// The number of frames that the app may work ahead of the GPU, which then takes the buffers. `nil` if the app takes
  /// its buffer itself.
  var renderAhead: Int?
  /// Whether the app waits for an image of its swap chain if each refresh shows the newest frame;
  /// otherwise the driver has as many images as needed.
  var ownsImages = false
  /// Whether an app that starts itself waits for its buffer at the start of its frame, as recorded;
  /// otherwise it waits in the call that hands over the previous frame.
  var waitsInside = false
  /// Whether work starts at its recorded time or later, because it is unknown what starts the app.
  var startsAtRecordedTimes = false
  /// The shortest time between starts; `nil` if there is no limit.
  var cap: Int64?
  /// The rule for `cap` in an app that is started by refreshes.
  var capRule = FramePace.Rule.onAverage
  /// Whether a frame was on the display before the first one, so that one buffer is in use.
  var hasShownBefore = false

  func play(_ work: [ReplayedWork]) -> [ReplayedFrame] {
    var frames = chain == .compositor ? playComposed(work) : playDrawn(work)
    if chain != .compositor, case .mailbox = display { showNewest(&frames, work) }
    addEnds(&frames, work)
    return frames
  }

  /// When the compositor wakes for a refresh.
  private func wake(_ number: Int64) -> Int64 { refreshes.time(number) + wakeDelay }

  /// The first refresh whose wake is at or after a time.
  private func firstWake(_ time: Int64) -> Int64 { refreshes.first(time - wakeDelay) }

  /// When a buffer becomes free for the next frame, given the previous frames.
  private func bufferFree(_ frames: [ReplayedFrame], _ work: [ReplayedWork]) -> Int64 {
    // The frame that replaces the buffer's last user on the display.
    let after = frames.count - buffers + 1
    guard after >= (hasShownBefore ? 0 : 1), after < frames.count else { return .min }
    guard after > 0 else { return frames[after].shown }
    return frames[after - 1].free(before: frames[after], work)
  }
}

extension ReplaySimulator {
  /// The time and the refresh at which an app started by refreshes begins a frame.
  private func start(
    _ work: ReplayedWork, free: Int64, before: Int64?, pace: inout FramePace
  ) -> (time: Int64, refresh: Int64) {
    let begun = start(work, free: free, before: before, allowed: pace.next(refreshes))
    pace.consume(begun.time, refreshes)
    return begun
  }

  private func start(
    _ work: ReplayedWork, free: Int64, before: Int64?, allowed: Int64
  ) -> (time: Int64, refresh: Int64) {
    if startsAtRecordedTimes {
      let time = max(refreshes.time(work.demand) + work.offset, free, allowed)
      return (time, refreshes.last(time))
    }
    var refresh = max(work.demand, before.map { $0 + 1 } ?? .min)
    let ready = max(free, allowed)
    if refreshes.time(refresh) + work.offset >= ready {
      return (refreshes.time(refresh) + work.offset, refresh)
    }
    if work.startsWhenFree { return (ready, max(refresh, refreshes.last(ready))) }
    refresh = max(refresh, refreshes.first(ready - work.offset))
    return (refreshes.time(refresh) + work.offset, refresh)
  }

  /// Plays a pipeline in which the compositor draws, so that the app's commits wait for the compositor.
  private func playComposed(_ work: [ReplayedWork]) -> [ReplayedFrame] {
    var commits: [(time: Int64, unit: Int)] = []
    var intervals: [(start: Int64, end: Int64, commit: Int64, refresh: Int64)] = []
    commits.reserveCapacity(work.count)
    intervals.reserveCapacity(work.count)
    var (free, before): (Int64, Int64?) = (.min, nil)
    var pace = FramePace(cap: cap, capRule)
    // A span, because taking an item out of the array would copy the complete item.
    let items = work.span
    for unit in items.indices {
      let (time, refresh) = start(items[unit], free: free, before: before, pace: &pace)
      let commit = time + items[unit].app
      for earlier in items[unit].earlierCommits { commits.append((commit - earlier, unit)) }
      commits.append((commit, unit))
      free = commit + items[unit].call
      before = refresh
      intervals.append((time, free, commit, refresh))
    }
    commits.sort { ($0.time, $0.unit) < ($1.time, $1.unit) }
    return compose(commits, intervals, work)
  }

  private func compose(
    _ commits: [(time: Int64, unit: Int)],
    _ intervals: [(start: Int64, end: Int64, commit: Int64, refresh: Int64)],
    _ work: [ReplayedWork]
  ) -> [ReplayedFrame] {
    var frames: [ReplayedFrame] = []
    var last: (compositor: Int64, gpu: Int64, refresh: Int64?) = (.min, .min, nil)
    var next = 0
    frames.reserveCapacity(work.count)
    while next < commits.count {
      let first = commits[next]
      let free = bufferFree(frames, work)
      let ready = max(first.time, last.compositor, free)
      let isAtOnce = isLowLatency && !work[first.unit].animates
      let taken = isAtOnce ? ready : wake(firstWake(ready))
      var end = next
      while end < commits.count, commits[end].time <= taken { end += 1 }
      let newest = commits[end - 1].unit
      let item = work[newest]
      let oldest = intervals[first.unit]
      // The frame's commit is the last one taken from the oldest interval.
      let own = commits[next..<end].last { $0.unit == first.unit }?.time ?? first.time
      var frame = ReplayedFrame(
        first.unit..<newest + 1, appStart: oldest.start, commit: own, appEnd: oldest.end)
      (frame.startRefresh, frame.isLowLatency) = (oldest.refresh, isAtOnce)
      if newest > first.unit {
        frame.more = (first.unit + 1...newest).map { unit in
          let own = commits[next..<end].last { $0.unit == unit }?.time ?? intervals[unit].commit
          return (intervals[unit].start, intervals[unit].end, own)
        }
      }
      let start = taken + item.compositorDelay
      frame.compositor = start..<start + item.compositor
      draw(&frame, item, after: start + item.compositor - item.gpuOverlap, last.gpu, free: .min)
      frame.queued = max(frame.queued, start + item.compositor + item.finish)
      show(&frame, item, finished: frame.queued, after: last.refresh, frames.last?.shown)
      last = (start + item.compositor, frame.gpu.upperBound, frame.refresh ?? last.refresh)
      frames.append(frame)
      next = end
    }
    return frames
  }

  /// Plays a pipeline in which the app draws and hands its frames to a compositor or the display.
  private func playDrawn(_ work: [ReplayedWork]) -> [ReplayedFrame] {
    var frames: [ReplayedFrame] = []
    var last: (free: Int64, refresh: Int64?, start: Int64?) = (.min, nil, nil)
    var (gpu, compositor, wakeNumber, shownNumber): (Int64, Int64, Int64?, Int64?) = (
      .min, .min, nil, nil
    )
    var callbacks = ReplayCallbacks(self)
    var pace = FramePace(cap: cap, capRule)
    var images = isMailbox && ownsImages ? ReplayImages(count: buffers) : nil
    frames.reserveCapacity(work.count)
    let items = work.span
    for unit in items.indices {
      let free = images?.free(refreshes) ?? (waitsForBuffers ? bufferFree(frames, work) : .min)
      let limit =
        if let renderAhead {
          unit >= renderAhead ? frames[unit - renderAhead].gpu.upperBound : .min
        } else {
          free
        }
      var refresh: Int64?
      var time: Int64
      if chain == .free {
        // An app that starts itself waits in the call that hands over the previous frame.
        let begin = waitsInside ? last.free : max(last.free, limit)
        if unit > 0 { frames[unit - 1].appEnd = begin }
        time =
          unit == 0
          ? refreshes.time(items[unit].demand) + items[unit].offset : begin + items[unit].pause
        if let cap, let start = last.start { time = max(time, start + cap) }
      } else {
        let begun = start(items[unit], free: last.free, before: last.refresh, pace: &pace)
        (time, refresh) = (begun.time, begun.refresh)
      }
      let ready = chain == .free && !waitsInside ? time : max(time, limit)
      let commit = ready + items[unit].app
      var frame = ReplayedFrame(
        unit..<unit + 1, appStart: time, commit: commit, appEnd: commit + items[unit].call)
      if ready > time { frame.blocked = time..<ready }
      frame.startRefresh = refresh
      draw(&frame, items[unit], after: commit, gpu, free: renderAhead == nil ? .min : free)
      frame.queued = max(frame.queued, commit + items[unit].finish)
      gpu = frame.gpu.upperBound
      let finished = callbacks?.letGo(&frame, items[unit]) ?? frame.queued
      if case .app(true) = chain, !isMailbox {
        let number = max(
          firstWake(max(takenFrom(frame, items[unit]), compositor)),
          wakeNumber.map { $0 + 1 } ?? .min)
        let begin = wake(number) + items[unit].compositorDelay
        frame.compositor = begin..<begin + items[unit].compositor
        (compositor, wakeNumber) = (begin + items[unit].compositor, number)
        show(
          &frame, items[unit], finished: max(compositor, frame.queued), after: shownNumber,
          frames.last?.shown)
      } else if !isMailbox {
        show(&frame, items[unit], finished: finished, after: shownNumber, frames.last?.shown)
      }
      images?.consume(
        finished: frame.queued, at: refreshes.first(frame.queued + latch) + items[unit].shownLater,
        refreshes)
      shownNumber = frame.refresh ?? shownNumber
      callbacks?.consume(shownAt: frame.refresh)
      last = (frame.appEnd, refresh ?? last.refresh, frame.appStart)
      frames.append(frame)
    }
    return frames
  }

  /// Whether frames are shown in order, each at a refresh.
  var isInOrder: Bool {
    if case .fifo = display { return true }
    return false
  }

  /// The time from a refresh to its callback for a compositor with this interval, which unblocks
  /// calls when it takes the frame for a later refresh.
  func callback(every interval: Int64) -> Int64 { (interval - latch % interval) % interval }

  var isMailbox: Bool {
    if case .mailbox = display { return true }
    return false
  }

  private var isImmediate: Bool {
    if case .immediate = display { return true }
    return false
  }

  /// Whether the app waits while all buffers are in use. If each refresh takes the newest frame, or frames are shown
  /// immediately, the other buffers become free immediately.
  var waitsForBuffers: Bool { !isMailbox && !isImmediate }

  /// When a compositor can first take a frame that an app has drawn.
  @inline(__always)
  private func takenFrom(_ frame: ReplayedFrame, _ work: ReplayedWork) -> Int64 {
    work.isTakenUnfinished ? frame.commit : frame.queued
  }

  @inline(__always)
  private func draw(
    _ frame: inout ReplayedFrame, _ work: ReplayedWork, after ready: Int64, _ gpu: Int64,
    free: Int64
  ) {
    let start = max(ready, gpu, free) + work.gpuDelay
    frame.gpu = start..<start + work.gpu
    frame.queued = start + work.gpu + work.finish
  }

  /// Shows a frame after the previous one.
  private func show(
    _ frame: inout ReplayedFrame, _ work: ReplayedWork, finished: Int64, after refresh: Int64?,
    _ shown: Int64?
  ) {
    if work.isNeverShown { return }
    if case .variable(let shortest, let longest) = display {
      frame.displayed = Self.displayed(finished, after: shown, shortest, longest)
      return
    }
    if isImmediate {
      frame.displayed = max(finished, shown.map { $0 + 1 } ?? .min)
      return
    }
    let number = max(
      refreshes.first(finished + latch) + work.shownLater, work.soonest ?? .min,
      refresh.map { $0 + 1 } ?? .min)
    frame.refresh = number
    frame.displayed = refreshes.time(number)
  }

  /// When a variable refresh display shows a frame: as soon as it is finished, but no earlier than
  /// the shortest interval after the last refresh, which may have shown the old frame again.
  private static func displayed(
    _ finished: Int64, after shown: Int64?, _ shortest: Int64, _ longest: Int64?
  ) -> Int64 {
    guard let shown else { return finished }
    var last = shown
    if let longest, longest > 0, finished > shown + longest {
      last += (finished - shown - 1) / longest * longest
    }
    return max(finished, last + shortest)
  }

  /// Shows the newest finished frame at each refresh, or lets the compositor take it.
  private func showNewest(_ frames: inout [ReplayedFrame], _ work: [ReplayedWork]) {
    let items = work.span
    var last: Int64?
    var compositor = Int64.min
    let isComposited = chain == .app(isComposited: true)
    // In reverse order, the first frame found for a refresh is its newest.
    var isTaken = [Bool](repeating: false, count: frames.count)
    for index in frames.indices.reversed() {
      let number =
        isComposited
        ? firstWake(takenFrom(frames[index], items[index]))
        : refreshes.first(frames[index].queued + latch) + items[index].shownLater
      if last.map({ number < $0 }) ?? true {
        isTaken[index] = true
        last = number
      }
    }
    last = nil
    for index in frames.indices where isTaken[index] {
      var finished = frames[index].queued
      if isComposited {
        let begin =
          wake(firstWake(max(takenFrom(frames[index], items[index]), compositor)))
          + items[index].compositorDelay
        compositor = begin + items[index].compositor
        frames[index].compositor = begin..<compositor
        finished = max(finished, compositor)
      }
      show(&frames[index], items[index], finished: finished, after: isComposited ? last : nil, nil)
      last = frames[index].refresh
    }
  }

  /// Records when frames were swapped out and when their buffers became free.
  private func addEnds(_ frames: inout [ReplayedFrame], _ work: [ReplayedWork]) {
    var next: Int?
    for index in frames.indices.reversed() {
      guard frames[index].displayed != nil else {
        // A newer frame replaces this frame.
        if isMailbox, index + 1 < frames.count {
          frames[index].released = frames[index].free(before: frames[index + 1], work)
        }
        continue
      }
      if let next {
        frames[index].replaced = frames[next].displayed
        frames[index].released = frames[index].free(
          before: frames[next], handedOver: frames[index + 1], work)
      }
      next = index
    }
  }
}

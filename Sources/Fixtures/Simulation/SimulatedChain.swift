import FrameKit

/// The state of one surface in a simulation.
struct SimulatedChain {
  let work: SurfaceWork
  private(set) var frames: [SimulatedFrame] = []
  /// Commits that the compositor has not taken yet.
  private(set) var pending: [SimulatedCommit] = []
  /// The next interval of work to start.
  private(set) var nextUnit = 0
  private var appFree = Int64.min
  /// When the app began to wait for a buffer; `nil` if it is not waiting.
  private var appWaitsSince: (time: Int64, start: Int64)?
  /// Finished frames that wait for the compositor, if it takes them from the app.
  private var finished: [Int] = []
  /// Frames that are ready to show, in order, each with the number of refreshes that the display still misses.
  private var showable: [(frame: Int, misses: Int)] = []
  private var shown: Int?
  /// The number of buffers; the free buffers, in the order in which they were freed.
  private var bufferCount = 0
  private var free: [Int] = []
  private var unshown = 0
  /// The buffers taken by the app's intervals of work.
  private var taken: [Int] = []

  init(_ work: SurfaceWork) { self.work = work }

  /// Whether any event is still to come.
  var isBusy: Bool { nextUnit < work.units.count || !pending.isEmpty || unshown > 0 || isAppBusy }
  private var isAppBusy: Bool { commitsToCome > 0 || appWaitsSince != nil }
  private var commitsToCome = 0

  var hasFreeBuffer: Bool { bufferCount < work.buffers || !free.isEmpty }

  /// How far from a refresh the app starts; `nil` if it has nothing to do at that refresh.
  func startOffset(at refresh: Int64) -> Int64? {
    guard nextUnit < work.units.count, work.units[nextUnit].refresh <= refresh else { return nil }
    return work.units[nextUnit].startOffset
  }

  /// Starts the app on its next interval.
  /// - Returns: The commits it will make; `nil` if it is still busy or must wait for a buffer.
  mutating func startApp(at time: Int64) -> [SimulatedCommit]? {
    guard nextUnit < work.units.count, appWaitsSince == nil, appFree <= time else { return nil }
    if work.isFilledByApp, !hasFreeBuffer {
      appWaitsSince = (time, time)
      return nil
    }
    return runApp(from: time, blocked: nil)
  }

  /// Whether the app starts as soon as it is idle, without waiting for the next refresh.
  func startsNow(after refresh: Int64) -> Bool {
    work.startsWhenFree && nextUnit < work.units.count && work.units[nextUnit].refresh <= refresh
  }

  /// Lets an app that waits for a buffer continue, if a buffer is free.
  mutating func takeWaitingApp(at time: Int64) -> [SimulatedCommit]? {
    guard let waiting = appWaitsSince, hasFreeBuffer else { return nil }
    appWaitsSince = nil
    return runApp(from: waiting.start, blocked: waiting.time..<time)
  }

  private mutating func runApp(from start: Int64, blocked: Range<Int64>?) -> [SimulatedCommit] {
    let unit = work.units[nextUnit]
    let end = (blocked?.upperBound ?? start) + unit.app
    appFree = end + unit.afterCommit
    if work.isFilledByApp { taken.append(takeBuffer()) }
    let times = unit.earlierCommits.map { end - $0 } + [end]
    defer { nextUnit += 1 }
    commitsToCome += times.count
    return times.map {
      SimulatedCommit(time: $0, app: start..<appFree, unit: nextUnit, blocked: blocked, work: unit)
    }
  }

  mutating func consume(_ commit: SimulatedCommit) {
    pending.append(commit)
    commitsToCome -= 1
  }

  /// The frame that the compositor takes: a frame made of all pending commits or, if the app draws, the oldest finished
  /// frame. `nil` if there is no frame, or no buffer for it.
  mutating func takeFrame(isLowLatency: Bool, isWake: Bool) -> Int? {
    if work.isFilledByApp { return isWake && !finished.isEmpty ? finished.removeFirst() : nil }
    guard let oldest = pending.first, hasFreeBuffer else { return nil }
    let isAtOnce = isLowLatency && !oldest.work.animates
    guard isWake || isAtOnce else { return nil }
    defer { pending = [] }
    return addFrame(pending, isLowLatency: isAtOnce)
  }

  /// Adds a frame made of commits, and returns its index.
  mutating func addFrame(_ commits: [SimulatedCommit], isLowLatency: Bool) -> Int {
    var frame = SimulatedFrame(commits: commits, isLowLatency: isLowLatency)
    if work.isFilledByApp {
      commitsToCome -= commits.count
      frame.buffer = taken[commits[0].unit]
    } else {
      frame.buffer = takeBuffer()
    }
    frames.append(frame)
    unshown += 1
    return frames.count - 1
  }

  /// The buffer that has been free longest, or a new one.
  private mutating func takeBuffer() -> Int {
    if !free.isEmpty { return free.removeFirst() }
    bufferCount += 1
    return bufferCount - 1
  }

  mutating func compose(_ frame: Int, _ time: Range<Int64>) { frames[frame].compositor = time }

  /// Records a frame's GPU work.
  /// - Returns: When its buffer is finished.
  mutating func draw(_ frame: Int, _ time: Range<Int64>) -> Int64 {
    frames[frame].gpu = time
    let queued = max(time.upperBound, frames[frame].compositor?.upperBound ?? .min)
    frames[frame].queued = queued
    return queued
  }

  /// Marks a frame as finished: it can be shown, or the compositor can take it from the app.
  mutating func isReady(_ frame: Int) {
    if work.isFilledByApp, frames[frame].compositor == nil {
      finished.append(frame)
    } else {
      showable.append((frame, frames[frame].work.missedRefreshes))
    }
  }

  /// Whether the frame of an interval of work has been shown or can be shown now.
  func canSwap(_ unit: Int) -> Bool {
    guard let first = showable.first else { return shownUnit >= unit }
    return shownUnit >= unit || (frames[first.frame].commits[0].unit >= unit && first.misses == 0)
  }

  private var shownUnit: Int { shown.map { frames[$0].commits[0].unit } ?? -1 }

  /// The interval of work that would be shown next.
  var nextShown: Int? { showable.first.map { frames[$0.frame].commits[0].unit } }

  /// Shows the oldest finished frame at a refresh.
  /// - Returns: The frame whose buffer is released later; `nil` if there is none.
  mutating func swap(_ number: Int64, at time: Int64) -> Int? {
    guard let first = showable.first else { return nil }
    if first.misses > 0 {
      showable[0].misses -= 1
      return nil
    }
    showable.removeFirst()
    frames[first.frame].displayed = time
    frames[first.frame].displayedRefresh = number
    unshown -= 1
    defer { shown = first.frame }
    guard let shown else { return nil }
    frames[shown].replaced = time
    if frames[shown].work.releaseDelay > 0 { return shown }
    free.append(frames[shown].buffer)
    return nil
  }

  /// Returns a frame's buffer to the free buffers.
  mutating func release(_ frame: Int, at time: Int64) {
    frames[frame].released = time
    free.append(frames[frame].buffer)
  }
}

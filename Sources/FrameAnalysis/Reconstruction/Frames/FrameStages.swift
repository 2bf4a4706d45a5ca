package import FrameTrace

/// The stage times of a surface's frames, row by row.
///
/// The type is an immutable class: analyses pass an instance on for each frame, and a copy of its columns would cost
/// more than reading from the columns.
package final class FrameStages: Sendable {
  let count: Int
  private let references: [Int64]
  private let appStart, appEnd, commit, compositorStart, compositorEnd: IntegerColumn
  private let gpuStart, gpuEnd, queued, fenceSignaled, waitStart, waitEnd: IntegerColumn
  private let gpuBusy: IntegerColumn
  private let estimatedBusy: IntegerColumn?
  private let mode, animating, kind: IntegerColumn
  /// Whether the app draws into the buffers.
  let isFilledByApp: Bool
  private let isComposited: Bool
  /// What the source shows of the facts that judgments rest on.
  package let evidence: SurfaceEvidence
  /// The frames that follow frames missing from the recording.
  let holes: MissingFrames
  /// The oldest app interval of the frames with individually known commits.
  private let oldest: AppIntervals

  /// - Parameter commits: The rows of the surface's commits.
  convenience init(_ trace: Trace, surface index: Int, commits: ArraySlice<Int32>) {
    let surface = trace.surfaces[index]
    self.init(
      surface, oldest: AppIntervals(of: trace.commits, commits, surface.frames))
  }

  /// The stages of a surface from its columns alone, without its commits.
  convenience init(_ surface: Surface) { self.init(surface, oldest: AppIntervals()) }

  private init(_ surface: Surface, oldest: AppIntervals) {
    let frames = surface.frames
    let column = { (column: FrameColumn) in
      frames.stored(column) ?? IntegerColumn(missing: frames.count)
    }
    count = frames.count
    references = frames.references
    (appStart, appEnd, commit) = (column(.appStart), column(.appEnd), column(.commit))
    (compositorStart, compositorEnd) = (column(.compositorStart), column(.compositorEnd))
    (gpuStart, gpuEnd, gpuBusy) = (column(.gpuStart), column(.gpuEnd), column(.gpuBusy))
    estimatedBusy = GPUUtilization.estimates(frames)
    (queued, fenceSignaled) = (column(.queued), column(.fenceSignaled))
    (waitStart, waitEnd) = (column(.bufferWaitStart), column(.bufferWaitEnd))
    (mode, animating, kind) = (column(.mode), column(.animating), column(.kind))
    isFilledByApp = surface.isFilledByApp
    isComposited = surface.isFilledByApp && surface.isComposited == true
    self.oldest = oldest
    let holes = MissingFrames(surface)
    self.holes = holes
    evidence = SurfaceEvidence(
      surface, joinsStarts: Self.joinsStarts(frames, holes), estimatesBusy: estimatedBusy != nil)
  }

  /// The stage times of the frame in that row.
  package subscript(row: Int) -> StageTimes {
    let end = time(row, appEnd)
    let signaled = time(row, fenceSignaled)
    var times = StageTimes(
      appStart: time(row, appStart), appEnd: end, commit: committed(row),
      compositorStart: time(row, compositorStart), compositorEnd: time(row, compositorEnd),
      gpuStart: time(row, gpuStart), gpuEnd: time(row, gpuEnd) ?? signaled)
    times.isCommitInferred = commit[row] == nil
    times.gpuBusy = gpuBusy[row].map(Nanoseconds.init)
    times.isGPUSpanWork = !evidence.statesDerivation
    times.estimatedBusy = estimatedBusy?[row].map(Nanoseconds.init)
    let interval = oldest.isEmpty ? nil : oldest[row]
    if let interval { times.replaceApp(interval) }
    (times.isFilledByApp, times.isComposited) = (isFilledByApp, isComposited)
    times.isLowLatency = isLowLatency(row, interval)
    times.queued = queued(
      row, gpuEnd: times.gpuEnd, drawn: isFilledByApp ? times.commit : times.compositorEnd)
    times.blocked = blocked(row)
    return times
  }

  /// Whether the frame in a row goes to the compositor as soon as it is committed.
  func isLowLatency(_ row: Int) -> Bool { isLowLatency(row, oldest[row]) }

  @inline(__always)
  private func isLowLatency(_ row: Int, _ interval: AppInterval?) -> Bool {
    mode[row] == FrameColumn.Mode.lowLatency.rawValue && animating[row] != 1
      && interval?.animates != true
  }

  /// How long the frame in a row was worked on in a stage; `nil` where the trace does not say.
  func time(in stage: PipelineStage, _ row: Int) -> Nanoseconds? {
    switch stage {
    case .app: appTime(row)
    case .compositor: compositorTime(row)
    case .gpu, .display, .unknown: self[row].time(in: stage)
    }
  }

  /// Q of the frame in a row.
  func queued(_ row: Int) -> Timestamp? {
    guard oldest.isEmpty else { return self[row].queued }
    return queued(
      row, gpuEnd: time(row, gpuEnd) ?? time(row, fenceSignaled),
      drawn: isFilledByApp ? committed(row) : time(row, compositorEnd))
  }

  /// - Parameter drawn: When all of the frame's work had been handed to the GPU.
  @inline(__always)
  private func queued(_ row: Int, gpuEnd: Timestamp?, drawn: Timestamp?) -> Timestamp? {
    guard let given = StageTimes.later(time(row, queued), time(row, fenceSignaled)) else {
      // Only the end of the GPU's work is known.
      return gpuEnd.map { max($0, drawn ?? $0) }
    }
    // A compositor waits while the GPU is still drawing into a buffer it has received.
    return isComposited ? max(given, gpuEnd ?? given) : given
  }

  /// How long the GPU was busy with the frame in a row, estimated from its utilization; `nil` if the source states busy
  /// times or no utilization.
  func estimatedBusy(_ row: Int) -> Nanoseconds? { estimatedBusy?[row].map(Nanoseconds.init) }

  /// How long the app worked on the frame in a row, minus its wait for a buffer.
  func appTime(_ row: Int) -> Nanoseconds? {
    guard oldest.isEmpty else { return self[row].appTime }
    return StageTimes.appTime(
      from: time(row, appStart), to: committed(row), blocked: blocked(row))
  }

  /// How long the compositor worked on the frame in a row.
  func compositorTime(_ row: Int) -> Nanoseconds? {
    StageTimes.compositorTime(from: time(row, compositorStart), to: time(row, compositorEnd))
  }

  /// The commit in a frame's own row.
  @inline(__always)
  private func committed(_ row: Int) -> Timestamp? { time(row, commit) ?? time(row, appEnd) }

  /// When the app waited for a buffer for the frame in a row.
  @inline(__always)
  func blocked(_ row: Int) -> Range<Timestamp>? {
    guard let start = time(row, waitStart), let end = time(row, waitEnd), start < end else {
      return nil
    }
    return start..<end
  }

  /// The first time at which a frame is known to have been worked on, without computing the other times.
  package func earliest(_ row: Int) -> Timestamp? {
    if oldest.isEmpty, let start = time(row, appStart) { return start }
    return self[row].earliest
  }

  @inline(__always)
  private func time(_ row: Int, _ column: IntegerColumn) -> Timestamp? {
    let distance = column.raw(row)
    return distance == IntegerColumn.missing
      ? nil : Timestamp(nanoseconds: distance &+ references[row])
  }

  /// Whether nearly all starts are within 2 µs of the previous present call.
  private static func joinsStarts(_ frames: Table<FrameColumn>, _ holes: MissingFrames) -> Bool {
    let slack = Nanoseconds(2000)
    var (joined, counted) = (0, 0)
    for row in stride(from: 1, to: frames.count, by: max(1, frames.count / 1000))
    where !holes.isBefore(row) {
      guard let start = frames.time(row, .appStart), let before = frames.time(row - 1, .appStart)
      else { continue }
      let commit = frames.time(row - 1, .commit)
      let end = max(before, frames.time(row - 1, .appEnd) ?? commit ?? before)
      counted += 1
      if start >= min(commit ?? end, end) - slack, start <= end + slack { joined += 1 }
    }
    return counted >= 8 && joined * 20 >= counted * 19
  }

  /// The stage that determines the order of frames.
  enum Order { case compositor, app }

  /// When the stage that determines the order started on a frame, or the next known time.
  func start(_ row: Int, _ order: Order) -> Timestamp? {
    let distance =
      switch order {
      case .compositor: compositorStart[row] ?? appStart[row] ?? commit[row]
      case .app: appStart[row] ?? commit[row] ?? compositorStart[row]
      }
    return distance.map { Timestamp(nanoseconds: $0 &+ references[row]) }
  }

  /// A0 of the frame in a row, from its oldest app interval; `nil` where it is unknown.
  func appStart(_ row: Int) -> Timestamp? {
    oldest.isEmpty ? time(row, appStart) : self[row].appStart
  }

  /// When the app started on the frame in a row, otherwise when it handed the frame over; `nil` if neither is known.
  package func begun(_ row: Int) -> Timestamp? {
    guard oldest.isEmpty else {
      let times = self[row]
      return times.appStart ?? times.commit
    }
    return time(row, appStart) ?? committed(row)
  }

  /// Whether a driver generated the frame between the app's frames.
  package func isGenerated(_ row: Int) -> Bool { kind[row] == FrameColumn.Kind.generated.rawValue }
}

/// An app interval and its last commit for a frame.
private struct AppInterval: Sendable {
  var start: Timestamp?
  var end: Timestamp?
  var commit: Timestamp
  var animates: Bool
}

/// The oldest app interval of each frame with commits in the trace, with the last of its commits
/// that the compositor could take.
private struct AppIntervals: Sendable {
  /// For each frame, the position of its interval, or −1. Stages are requested so often that a dictionary took a fifth
  /// of the time of an analysis.
  private var positions: [Int32] = []
  private var intervals: [AppInterval] = []

  /// No intervals for any frame.
  init() {}

  var isEmpty: Bool { intervals.isEmpty }

  subscript(frame: Int) -> AppInterval? {
    guard frame < positions.count, positions[frame] >= 0 else { return nil }
    return intervals[Int(positions[frame])]
  }

  init(
    of commits: Table<CommitColumn>, _ rows: ArraySlice<Int32>, _ frames: Table<FrameColumn>
  ) {
    for row in rows.lazy.map(Int.init) {
      guard let frame = commits[row, .frame].map(Int.init), 0..<frames.count ~= frame,
        let time = commits.time(row, .time)
      else {
        continue
      }
      if positions.isEmpty { positions = [Int32](repeating: -1, count: frames.count) }
      let animates = commits[row, .animates] == 1
      let interval = AppInterval(
        start: commits.time(row, .appStart), end: commits.time(row, .appEnd), commit: time,
        animates: animates
      )
      guard var known = self[frame] else {
        positions[frame] = Int32(intervals.count)
        intervals.append(interval)
        continue
      }
      known.animates = known.animates || animates
      if interval.start == known.start, time <= frames.time(frame, .compositorStart) ?? .latest {
        known.commit = max(known.commit, time)
      } else if let start = interval.start, start < known.start ?? .earliest {
        known = AppInterval(
          start: start, end: interval.end, commit: time, animates: known.animates)
      }
      intervals[Int(positions[frame])] = known
    }
  }
}

extension StageTimes {
  fileprivate mutating func replaceApp(_ interval: AppInterval) {
    appStart = interval.start ?? appStart
    appEnd = interval.end ?? appEnd
    commit = interval.commit
    isCommitInferred = false
  }
}

extension Surface {
  /// Whether the app draws into the buffers. If the trace does not say, the compositor does if it is known to finish
  /// before the GPU starts.
  package var isFilledByApp: Bool {
    if let bufferOwner { return bufferOwner == .app }
    return !frames.has(.compositorStart)
  }
}

extension FrameStages {
  /// The app interval in a frame's own row, regardless of other intervals taken with it; `nil` if its start is unknown.
  /// If its end is unknown, the interval is empty.
  func app(_ row: Int) -> Range<Timestamp>? {
    guard let start = time(row, appStart) else { return nil }
    return start..<max(start, time(row, appEnd) ?? time(row, commit) ?? start)
  }
}

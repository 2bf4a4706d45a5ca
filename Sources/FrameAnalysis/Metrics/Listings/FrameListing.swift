package import FrameTrace

/// The frames of a surface with everything known about each.
public struct FrameListing: Sendable {
  /// The number of frames.
  public let count: Int
  /// Whether the buffers were rebuilt because the trace does not name them.
  public let areBuffersInferred: Bool
  /// The number of buffers.
  public let bufferCount: Int
  /// Why nothing is known about buffers; `nil` when something is.
  public let whyNoBuffers: String?
  /// Why the trace does not show dropped refreshes; `nil` if it does.
  public let whyNoDrops: String?

  private let frames: Table<FrameColumn>
  private let timeline: SurfaceTimeline
  private let drops: [Int: [DroppedRefreshes]]
  /// The hitches by frame; `nil` where the trace does not say.
  private let hitches: [Int: Hitch]?
  private let buffers: BufferOccupancy
  /// The commits that the trace lists one by one, in total and by frame.
  private let commits: Table<CommitColumn>
  private let frameCommits: FrameCommits
  /// For each frame, the index of its use of a buffer; `nil` if it has none.
  private let uses: NearbyRows

  /// - Precondition: The pipeline was rebuilt.
  init(_ surface: RebuiltSurface, _ buffers: BufferOccupancy) {
    frames = surface.trace.surfaces[surface.timeline.surface].frames
    timeline = surface.timeline
    count = frames.count
    drops = Dictionary(grouping: surface.drops, by: \.frame)
    hitches = Hitch.all(surface.trace, surface).map { hitches in
      Dictionary(hitches.map { ($0.row, $0) }) { first, _ in first }
    }
    commits = surface.trace.commits
    frameCommits = FrameCommits(commits, timeline.commitRows, ofFrames: count)
    whyNoBuffers = BufferFindings.whyMissing(surface)
    whyNoDrops = DropFindings.whyMissing(surface)
    self.buffers = buffers
    var uses = NearbyRows(missing: frames.count)
    for (position, use) in buffers.uses.enumerated() { uses[use.row] = position }
    self.uses = uses
    areBuffersInferred = buffers.coloring.isInferred
    bufferCount = buffers.coloring.count
  }

  /// The frame in a row.
  public subscript(row: Int) -> ListedFrame {
    let times = timeline.stages[row]
    let schedule = timeline.schedule
    let refresh = schedule.displayed[row]
    let shown = refresh.map(schedule.displayTime)
    let drops = whyNoDrops == nil ? self.drops[row] ?? [] : []
    let buffer = buffer(row)
    return ListedFrame(
      row: row, identifier: frames[row, .identifier],
      isGenerated: timeline.stages.isGenerated(row), outcome: outcome(row),
      isLowLatency: times.isLowLatency, appStart: times.appStart, appEnd: times.appEnd,
      commit: times.commit,
      moreAppIntervals: appIntervals(row).filter { $0.lowerBound != times.appStart },
      compositorStart: times.compositorStart, compositorEnd: times.compositorEnd,
      gpuStart: times.gpuStart, gpuEnd: times.gpuEnd, queued: times.queued,
      refresh: schedule.hasInterval ? refresh : nil, displayed: shown,
      swappedOut: refresh == nil ? nil : swappedOut(row),
      dueRefresh: schedule.hasInterval ? schedule.due[row] : nil, due: due(row), drops: drops,
      hitch: hitch(row), hitchStart: hitches?[row]?.start, buffer: buffer?.number,
      bufferStart: buffer?.start, bufferEnd: buffer?.end, depth: depth(row),
      appTime: times.appTime, compositorTime: times.compositorTime, gpuTime: times.gpuTime,
      queueWait: shown.flatMap { shown in times.queued.map { shown - $0 } },
      frameTime: WorstFrame.frameTime(frames, row))
  }

  /// The dropped refreshes of all frames; none where the trace does not say.
  package var allDrops: [DroppedRefreshes] {
    whyNoDrops == nil ? drops.keys.sorted().flatMap { drops[$0] ?? [] } : []
  }

  /// The rows of frames that were in the pipeline or on the display within a range of time.
  package func rows(within range: ClosedRange<Timestamp>) -> [Int] {
    (0..<count).filter { row in
      guard let start = timeline.stages.earliest(row) ?? timeline.schedule.shownTime(row),
        start <= range.upperBound
      else { return false }
      let end = swappedOut(row) ?? timeline.schedule.shownTime(row) ?? start
      return max(start, end) >= range.lowerBound
    }
  }
}

extension FrameListing {
  package init(_ surface: RebuiltSurface) { self.init(surface, surface.buffers) }

  /// The app intervals of a frame whose commits the trace lists one by one, in order and without duplicates.
  private func appIntervals(_ row: Int) -> [Range<Timestamp>] {
    let rows = frameCommits[row]
    guard !rows.isEmpty else { return [] }
    var all: [Range<Timestamp>] = []
    for commit in rows {
      guard let start = commits.time(Int(commit), .appStart),
        let end = commits.time(Int(commit), .appEnd) ?? commits.time(Int(commit), .time),
        start <= end
      else { continue }
      all.append(start..<end)
    }
    all.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    var different: [Range<Timestamp>] = []
    for interval in all where different.last != interval { different.append(interval) }
    return different
  }

  /// What became of the frame in a row.
  package func outcome(_ row: Int) -> ListedFrame.Outcome {
    let fate = frames[row, .fate].flatMap(FrameColumn.Fate.init)
    if timeline.schedule.displayed[row] != nil || fate == .displayed { return .displayed }
    if timeline.schedule.shownBy[row] != nil { return .replaced }
    return fate == .discarded ? .discarded : .unresolved
  }

  /// When the next displayed frame replaced this one; `nil` where none did.
  private func swappedOut(_ row: Int) -> Timestamp? {
    let schedule = timeline.schedule
    let shown = schedule.shownTime(row)
    let next = schedule.order.after[row].flatMap(schedule.shownTime)
    if let replaced = frames.time(row, .replaced) {
      let time = schedule.displayTime(at: schedule.refresh(displayedAt: replaced))
      if shown.map({ time < $0 }) ?? false { return nil }
      // A display shows one frame at a time, whichever refresh the source's time falls on.
      return next.map { min($0, time) } ?? time
    }
    return schedule.displayed[row] == nil ? shown : next
  }

  /// When a frame was due; on a display that waits for frames when the source expected it.
  private func due(_ row: Int) -> Timestamp? {
    let schedule = timeline.schedule
    if schedule.isVariable { return frames.time(row, .expectedDisplay) }
    return schedule.hasInterval ? schedule.due[row].map(schedule.displayTime) : nil
  }

  /// How late a frame was; `nil` for a frame that was not displayed, or if its due time is unknown.
  private func hitch(_ row: Int) -> Nanoseconds? {
    guard let hitches, timeline.schedule.displayed[row] != nil else { return nil }
    return hitches[row]?.length ?? due(row).map { _ in .zero }
  }

  private func buffer(_ row: Int) -> (number: Int?, start: Timestamp?, end: Timestamp?)? {
    guard whyNoBuffers == nil, let position = uses[row] else { return nil }
    let use = buffers.uses[position]
    return (buffers.coloring.colors[position], use.isUnderWay ? nil : use.firstWrite, use.free)
  }

  private func depth(_ row: Int) -> Int? {
    whyNoBuffers == nil ? buffers.depth[row] : nil
  }
}

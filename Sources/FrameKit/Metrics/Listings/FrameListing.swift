/// The frames of a surface with all that is known of each.
public struct FrameListing: Sendable {
  /// How many frames there are.
  public let count: Int
  /// Whether buffers were rebuilt, as the trace does not name them.
  public let areBuffersInferred: Bool
  /// How many buffers there were.
  public let bufferCount: Int
  /// Why the trace tells nothing of buffers; `nil` when it does.
  public let whyNoBuffers: String?
  /// Why the trace does not say dropped refreshes; `nil` when it does.
  public let whyNoDrops: String?

  private let frames: Table<FrameColumn>
  private let timeline: SurfaceTimeline
  private let drops: [Int: [DroppedRefreshes]]
  /// The hitches by frame; `nil` where the trace does not say.
  private let hitches: [Int: Hitch]?
  private let buffers: BufferOccupancy
  /// The app intervals of frames whose commits the trace lists one by one, in order.
  private let appIntervals: [Int: [Range<Int64>]]
  /// For each frame the place of its use of a buffer; −1 for none.
  private let uses: [Int32]

  /// - Precondition: The pipeline was rebuilt.
  init(_ surface: RebuiltSurface, _ buffers: BufferOccupancy) {
    frames = surface.trace.surfaces[surface.timeline.surface].frames
    timeline = surface.timeline
    count = frames.count
    drops = Dictionary(grouping: surface.drops, by: \.frame)
    hitches = Hitch.all(surface.trace, surface).map { hitches in
      Dictionary(hitches.map { ($0.row, $0) }) { first, _ in first }
    }
    appIntervals = Self.appIntervals(surface.trace.commits, surface.timeline.surface)
    whyNoBuffers = BufferFindings.whyMissing(surface, buffers)
    whyNoDrops = DropFindings.whyMissing(surface)
    self.buffers = buffers
    var uses = [Int32](repeating: -1, count: frames.count)
    for (place, use) in buffers.uses.enumerated() { uses[use.row] = Int32(place) }
    self.uses = uses
    areBuffersInferred = buffers.colouring.isInferred
    bufferCount = buffers.colouring.count
  }

  /// The frame of a row.
  public subscript(row: Int) -> ListedFrame {
    let times = timeline.stages[row]
    let schedule = timeline.schedule
    let refresh = schedule.displayed[row] == FrameSchedule.none ? nil : schedule.displayed[row]
    let due = schedule.due[row] == FrameSchedule.none ? nil : schedule.due[row]
    let shown = refresh.map(schedule.grid.time)
    let drops = whyNoDrops == nil ? self.drops[row] ?? [] : []
    let buffer = buffer(row)
    let stamp = { (time: Int64?) in time.map(Timestamp.init(nanoseconds:)) }
    return ListedFrame(
      row: row, identifier: frames[row, .identifier],
      isGenerated: timeline.stages.isGenerated(row), outcome: outcome(row),
      isLowLatency: times.isLowLatency, appStart: stamp(times.appStart),
      appEnd: stamp(times.appEnd), commit: stamp(times.commit),
      moreAppIntervals: appIntervals[row]?.filter { $0.lowerBound != times.appStart } ?? [],
      compositorStart: stamp(times.compositorStart), compositorEnd: stamp(times.compositorEnd),
      gpuStart: stamp(times.gpuStart), gpuEnd: stamp(times.gpuEnd), queued: stamp(times.queued),
      refresh: schedule.hasInterval ? refresh : nil, displayed: stamp(shown),
      swappedOut: stamp(refresh == nil ? nil : swappedOut(row)),
      dueRefresh: schedule.hasInterval ? due : nil,
      due: stamp(self.due(row)), drops: drops,
      hitch: hitch(row),
      hitchStart: stamp(hitches?[row]?.start), buffer: buffer?.number,
      bufferStart: stamp(buffer?.start),
      bufferEnd: stamp(buffer?.end), depth: depth(row),
      appTime: times.appTime.map(Nanoseconds.init),
      compositorTime: times.compositorTime.map(Nanoseconds.init),
      gpuTime: times.gpuTime.map(Nanoseconds.init),
      queueWait: shown.flatMap { shown in times.queued.map { Nanoseconds(shown - $0) } },
      frameTime: WorstFrame.frameTime(frames, row))
  }

  /// The dropped refreshes of all frames; none where the trace does not say.
  var allDrops: [DroppedRefreshes] {
    whyNoDrops == nil ? drops.keys.sorted().flatMap { drops[$0] ?? [] } : []
  }

  /// The rows of frames that were on their way or on the display within a range of time.
  func rows(within range: ClosedRange<Int64>) -> [Int] {
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
  init(_ surface: RebuiltSurface) { self.init(surface, surface.buffers) }

  private static func appIntervals(
    _ commits: Table<CommitColumn>, _ surface: Int
  ) -> [Int: [Range<Int64>]] {
    var intervals: [Int: Set<Range<Int64>>] = [:]
    for row in 0..<commits.count where commits[row, .surface] == Int64(surface) {
      guard let frame = commits[row, .frame], let start = commits[row, .appStart],
        let end = commits[row, .appEnd] ?? commits[row, .time], start <= end
      else { continue }
      intervals[Int(frame), default: []].insert(start..<end)
    }
    return intervals.mapValues { $0.sorted { $0.lowerBound < $1.lowerBound } }
  }

  private func outcome(_ row: Int) -> ListedFrame.Outcome {
    let fate = frames[row, .fate].flatMap(FrameColumn.Fate.init)
    if timeline.schedule.displayed[row] != FrameSchedule.none || fate == .displayed {
      return .displayed
    }
    if timeline.schedule.shownBy[row] >= 0 { return .replaced }
    return fate == .discarded ? .discarded : .unresolved
  }

  /// When the frame displayed next took the place of one; `nil` where none did.
  private func swappedOut(_ row: Int) -> Int64? {
    let schedule = timeline.schedule
    let shown = schedule.shownTime(row) ?? .min
    if let replaced = frames[row, .replaced] {
      let time = schedule.grid.time(schedule.refresh(displayedAt: replaced))
      return time < shown ? nil : time
    }
    if schedule.displayed[row] == FrameSchedule.none { return schedule.shownTime(row) }
    let next = schedule.order.after[row]
    return next < 0 ? nil : schedule.shownTime(Int(next))
  }

  /// When a frame was due; on a display that waits for frames when the source expected it.
  private func due(_ row: Int) -> Int64? {
    let schedule = timeline.schedule
    if schedule.isVariable { return frames[row, .expectedDisplay] }
    guard schedule.hasInterval, schedule.due[row] != FrameSchedule.none else { return nil }
    return schedule.grid.time(schedule.due[row])
  }

  /// How late a frame came; `nil` for one that was not displayed, or of which nothing tells when
  /// it was due.
  private func hitch(_ row: Int) -> Nanoseconds? {
    guard let hitches, timeline.schedule.displayed[row] != FrameSchedule.none else { return nil }
    if let hitch = hitches[row] { return Nanoseconds(hitch.length) }
    return due(row) == nil ? nil : Nanoseconds(0)
  }

  private func buffer(_ row: Int) -> (number: Int?, start: Int64?, end: Int64?)? {
    guard whyNoBuffers == nil, uses[row] >= 0 else { return nil }
    let place = Int(uses[row])
    let use = buffers.uses[place]
    let colour = buffers.colouring.colours[place]
    let start = use.isUnderWay ? nil : use.firstWrite
    return (colour < 0 ? nil : Int(colour), start, use.free == .max ? nil : use.free)
  }

  private func depth(_ row: Int) -> Int? {
    whyNoBuffers == nil && buffers.depth[row] > 0 ? Int(buffers.depth[row]) : nil
  }
}

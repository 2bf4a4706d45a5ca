public import FrameTrace

/// How many buffers a surface had in use.
public struct BufferFindings: Hashable, Sendable {
  /// The share of the active time in which the frame on the display had needed one, two,
  /// three, and four or more buffers at once; they sum to 1. `nil` without display times.
  public let depthShares: [Double]?
  /// The number of buffers.
  public let count: Int
  /// Whether the buffers were rebuilt because the trace does not name them.
  public let isInferred: Bool
  /// Whether the start of their use was inferred.
  public let hasInferredUse: Bool
  /// The changes of depth from one frame to the next.
  public let changes: [Change]
  /// Named buffers that frames were drawn into; `nil` without names.
  public let used: Int?
  /// Buffers that were allocated at once; `nil` when the source does not say.
  public let allocated: Int?
  /// Buffers that the compositor held at once; `nil` when the source does not say.
  public let held: Int?
  /// Whether the names belong to a pool and therefore say nothing about depth.
  public let isPool: Bool

  /// A change of the number of buffers that frames need. It takes 24 bytes because there may be one for each frame.
  public struct Change: Hashable, Sendable {
    /// When the number of buffers changed.
    public let time: Timestamp
    private let row, before, after: Int32
    /// The stage whose time grew or shrank most; `nil` where the trace does not say.
    public let stage: PipelineStage?

    /// How many buffers there were before.
    public var from: Int { Int(before) }
    /// How many there were after.
    public var to: Int { Int(after) }
    /// The row of the frame that caused or ended the change.
    public var frame: Int { Int(row) }

    fileprivate init(
      time: Timestamp, from: Int, to: Int, frame: Int, stage: PipelineStage?
    ) {
      (self.time, self.stage) = (time, stage)
      (before, after, row) = (Int32(from), Int32(to), Int32(frame))
    }
  }
}

extension BufferFindings {
  /// Describes the known buffers in use within a range of time.
  package init(
    _ surface: RebuiltSurface, _ buffers: BufferOccupancy, within range: Range<Timestamp>
  ) {
    depthShares = Self.depthShares(surface, buffers, within: [range])[0]
    count = buffers.coloring.count
    isInferred = buffers.coloring.isInferred
    hasInferredUse = buffers.uses.contains(where: \.isInferred)
    changes = Self.changes(surface, buffers, range)
    used = buffers.used
    allocated = buffers.allocated
    held = buffers.held
    isPool = buffers.isPool
  }

  /// Why nothing is known of buffers; `nil` when something is.
  static func whyMissing(_ surface: RebuiltSurface) -> String? {
    if !BufferUses.areKnown(surface.trace, surface.timeline) {
      return "the trace does not show when any buffer was written to"
    }
    let frames = surface.trace.surfaces[surface.timeline.surface].frames
    let stages = surface.timeline.stages
    if frames.has(.kind), !frames.has(.buffer),
      (0..<frames.count).contains(where: stages.isGenerated)
    {
      return "a driver generates frames in buffers that the source does not record"
    }
    let isFreed = surface.timeline.schedule.hasDisplayed || frames.has(.released)
    return isFreed ? nil : "no frame has a display time, so it is unknown when buffers were free"
  }

  /// Each frame's depth, weighted by the active time for which it was displayed, as in ``depthShares``.
  /// - Parameter ranges: Time ranges, each after the previous one.
  /// - Returns: The shares in each of the ranges.
  package static func depthShares(
    _ surface: RebuiltSurface, _ buffers: BufferOccupancy, within ranges: [Range<Timestamp>]
  ) -> [[Double]?] {
    let schedule = surface.timeline.schedule
    let (displayed, grid) = (schedule.displayed, schedule.grid)
    var shares = DepthShares(ranges, rests: schedule.rests)
    var shown: (time: Timestamp, depth: Int)?
    for row in displayed.indices {
      guard let refresh = displayed[row] else { continue }
      let time = grid.time(refresh)
      // If display times go backward, time is not counted twice.
      if let shown, time <= shown.time { continue }
      if let shown { shares.add(shown.depth, shown.time..<time) }
      shown = (time, buffers.depth[row] ?? 0)
    }
    if let shown, let end = schedule.observed?.upperBound, end > shown.time {
      shares.add(shown.depth, shown.time..<end)
    }
    return shares.all
  }

  private static func changes(
    _ surface: RebuiltSurface, _ buffers: BufferOccupancy, _ range: Range<Timestamp>
  ) -> [Change] {
    let schedule = surface.timeline.schedule
    let afterRest = Set(schedule.rowsAfterRest.map(Int.init))
    var changes: [Change] = []
    var before: Int?
    // Before the first displayed frame with a known buffer, the trace does not know of any other
    // frame on the display.
    let first =
      schedule.displayed.indices.first {
        schedule.displayed[$0] != nil && buffers.depth[$0] != nil
      } ?? 0
    for row in buffers.depth.indices where row >= first {
      if afterRest.contains(row) { before = nil }
      guard let to = buffers.depth[row], schedule.displayed[row] != nil else { continue }
      defer { before = row }
      guard let before, before > first, let from = buffers.depth[before] else { continue }
      guard from != to, let time = surface.timeline.stages[row].firstTime, range.contains(time)
      else { continue }
      changes.append(
        Change(
          time: time, from: from, to: to, frame: row,
          stage: stage(of: row, before: before, isDeeper: to > from, surface.timeline)))
    }
    return changes
  }

  /// The stage with the largest change of its time between two frames. The display counts only if no stage changed by
  /// at least a sixteenth of an interval, because a buffer waits longer for the display as soon as a stage takes
  /// longer.
  private static func stage(
    of row: Int, before: Int, isDeeper: Bool, _ timeline: SurfaceTimeline
  ) -> PipelineStage? {
    let (own, other) = (timeline.stages[row], timeline.stages[before])
    let stages: [PipelineStage] =
      own.isFilledByApp ? [.app, .gpu, .compositor] : [.compositor, .gpu]
    var growth = stages.compactMap { stage -> (PipelineStage, Nanoseconds)? in
      guard let now = own.time(in: stage), let then = other.time(in: stage) else { return nil }
      return (stage, now - then)
    }
    let schedule = timeline.schedule
    let grid = schedule.grid
    let interval = own.firstTime.map { grid.interval(at: $0) } ?? grid.interval
    let least = interval / 16
    let isFound = growth.contains { isDeeper ? $0.1 >= least : $0.1 <= -least }
    if !isFound, let now = own.queued, let then = other.queued,
      let shown = schedule.shownTime(row), let shownBefore = schedule.shownTime(before)
    {
      growth.append((.display, (shown - now) - (shownBefore - then)))
    }
    let most = growth.max { isDeeper ? $0.1 < $1.1 : $0.1 > $1.1 }
    return most.flatMap { (isDeeper ? $0.1 > .zero : $0.1 < .zero) ? $0.0 : nil }
  }
}

/// Sums how long frames of each depth were displayed, in several time ranges.
private struct DepthShares {
  private let ranges: [Range<Timestamp>]
  private var rests: RestCursor
  private var weights: [[Nanoseconds]]
  /// The first range that later frames may be in.
  private var next = 0

  init(_ ranges: [Range<Timestamp>], rests: [Range<Timestamp>]) {
    self.ranges = ranges
    self.rests = RestCursor(rests)
    weights = Array(repeating: Array(repeating: .zero, count: 4), count: ranges.count)
  }

  /// Adds a frame.
  /// - Parameters:
  ///   - depth: How many buffers the frame needed; 0 if unknown.
  ///   - time: When the frame was displayed; must be after the previous frames.
  mutating func add(_ depth: Int, _ time: Range<Timestamp>) {
    while next < ranges.count, ranges[next].upperBound <= time.lowerBound { next += 1 }
    guard depth > 0 else { return }
    var position = next
    while position < ranges.count, ranges[position].lowerBound < time.upperBound {
      weights[position][min(depth, 4) - 1] += rests.activeTime(
        in: time.clamped(to: ranges[position]))
      position += 1
    }
  }

  /// The shares in each range; `nil` where no depth is known.
  var all: [[Double]?] {
    weights.map { weights in
      let sum = weights.reduce(.zero, +)
      return sum > .zero ? weights.map { $0.ratio(to: sum) } : nil
    }
  }
}

/// Advances through the rests of a surface for time ranges in ascending order.
private struct RestCursor {
  private let rests: [Range<Timestamp>]
  private var next = 0

  init(_ rests: [Range<Timestamp>]) { self.rests = rests }

  /// How much of a range is not rest.
  mutating func activeTime(in range: Range<Timestamp>) -> Nanoseconds {
    while next < rests.count, rests[next].upperBound <= range.lowerBound { next += 1 }
    var time = range.length
    var index = next
    while index < rests.count, rests[index].lowerBound < range.upperBound {
      time -= rests[index].clamped(to: range).length
      index += 1
    }
    return time
  }
}

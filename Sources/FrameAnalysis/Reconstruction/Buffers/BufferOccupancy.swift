import FrameStatistics
import FrameTrace

/// Which buffers of a surface were in use when.
package struct BufferOccupancy: Sendable {
  /// The uses in order of their first write.
  package let uses: [BufferUse]
  /// The buffer of each use.
  package let coloring: BufferColoring
  /// For each frame, by its row, the greatest number of buffers that were in use at once
  /// from its first write until it was shown; 0 where that is not known.
  let depth: [Int32]
  /// For each use, how many buffers were in use when it began, including its buffer.
  let inUse: [Int32]
  /// Whether buffers come from a pool rather than a swap chain: they are named, and most names
  /// appear only once.
  let isPool: Bool
  /// How many buffers the trace names; `nil` without names.
  let used: Int?
  /// The most buffers that were allocated at once, or as many as the source states; `nil`
  /// when it does not say.
  let allocated: Int?
  /// The most buffers that the compositor held at once; `nil` when the source does not say.
  let held: Int?

  init(_ trace: Trace, _ timeline: SurfaceTimeline) {
    let frames = trace.surfaces[timeline.surface].frames
    let events = BufferEvents(trace, timeline)
    var uses = BufferUse.all(frames, timeline, events)
    let hasNames = frames.has(.buffer)
    let names: [BufferName?] =
      hasNames
      ? uses.map { use in
        frames[use.row, .buffer].map { events.name($0, at: use.firstWrite) }
      } : []
    used = hasNames ? Set(names.compactMap { $0 }).count : nil
    isPool = Self.isPool(names)
    if hasNames { Self.endAtNextUse(&uses, names) }
    let isNamed = hasNames && !isPool && !names.contains { $0 == nil }
    coloring = isNamed ? BufferColoring(named: names) : BufferColoring(rebuilding: uses)
    inUse = Self.counts(uses)
    depth = Self.depths(uses, inUse, timeline)
    allocated = events.mostAllocated ?? trace.surfaces[timeline.surface].allocatedBuffers
    held = events.mostHeld
    self.uses = uses
  }

  /// Names that do not recur come from a pool and say nothing about depth.
  private static func isPool(_ names: [BufferName?]) -> Bool {
    let names = names.compactMap { $0 }
    let distinct = Set(names).count
    return distinct > 8 && distinct * 4 > names.count
  }

  /// A buffer that is written to again was free by then.
  private static func endAtNextUse(_ uses: inout [BufferUse], _ names: [BufferName?]) {
    var last: [BufferName: Int] = [:]
    for index in uses.indices {
      guard let name = names[index] else { continue }
      if let before = last[name] {
        let next = uses[index].firstWrite
        uses[before].free = min(uses[before].free ?? next, next)
      }
      last[name] = index
    }
  }

  /// For each use how many buffers are in use when it begins, its own included.
  private static func counts(_ uses: [BufferUse]) -> [Int32] {
    // Only the ends of those in use are kept, which are few however long a trace is.
    var ends = Heap<Timestamp>()
    return uses.map { use in
      ends.insert(use.free ?? .latest)
      while let first = ends.first, first <= use.firstWrite { ends.removeFirst() }
      return Int32(max(1, ends.count))
    }
  }

  /// Up to this many uses are searched one by one.
  private static let fewUses = 32

  private static func depths(
    _ uses: [BufferUse], _ inUse: [Int32], _ timeline: SurfaceTimeline
  ) -> [Int32] {
    var depth = [Int32](repeating: 0, count: timeline.stages.count)
    // Few frames wait so long that a search through all in between would take long.
    lazy var most = RangeMaximum(inUse)
    for (index, use) in uses.enumerated() where !use.isUnderWay {
      let end = timeline.schedule.shownTime(use.row) ?? .latest
      let range = index..<place(of: end, in: uses, from: index)
      depth[use.row] =
        (range.count <= fewUses ? inUse[range].max() : most.maximum(range)) ?? 0
    }
    return depth
  }

  /// The index of the first use that begins at `time` or later, after `start`.
  private static func place(of time: Timestamp, in uses: [BufferUse], from start: Int) -> Int {
    var step = 1
    var low = start
    while low + step < uses.count, uses[low + step].firstWrite < time {
      low += step
      step *= 2
    }
    return uses[(low + 1)..<max(low + 1, min(uses.count, low + step))]
      .partitioningIndex { $0.firstWrite >= time }
  }
}

/// Numbers with a range maximum in time logarithmic in their count.
struct RangeMaximum {
  private let count: Int
  /// A complete binary tree: the numbers are the leaves, each node has the greater of its two.
  private var tree: [Int32]

  init(_ values: [Int32]) {
    count = values.count
    tree = [Int32](repeating: .min, count: values.count) + values
    for node in stride(from: count - 1, to: 0, by: -1) {
      tree[node] = max(tree[2 * node], tree[2 * node + 1])
    }
  }

  /// The greatest number in a range of indices; `nil` when the range is empty.
  func maximum(_ range: Range<Int>) -> Int32? {
    var low = range.lowerBound + count
    var high = range.upperBound + count
    guard low < high else { return nil }
    var greatest = Int32.min
    while low < high {
      if low % 2 == 1 {
        greatest = max(greatest, tree[low])
        low += 1
      }
      if high % 2 == 1 {
        high -= 1
        greatest = max(greatest, tree[high])
      }
      low /= 2
      high /= 2
    }
    return greatest
  }
}

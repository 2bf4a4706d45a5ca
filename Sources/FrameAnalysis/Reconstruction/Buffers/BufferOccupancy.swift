import FrameTrace

/// Which buffers of a surface were in use at which time.
package struct BufferOccupancy: Sendable {
  /// The uses in order of their first write.
  package let uses: BufferUses
  /// The buffer of each use.
  package let coloring: BufferColoring
  /// For each frame, by its row, the greatest number of buffers that were in use at once
  /// from its first write until it was shown; `nil` where that is not known.
  let depth: CompactOptionals<Int>
  /// Whether buffers come from a pool instead of a swap chain: the buffers are named, and most names appear only once.
  let isPool: Bool
  /// How many buffers the trace names; `nil` without names.
  let used: Int?
  /// The maximum number of buffers allocated at once, or the number that the source states; `nil` if the source does
  /// not say.
  let allocated: Int?
  /// The maximum number of buffers that the compositor held at once; `nil` when the source does not say.
  let held: Int?

  init(_ trace: Trace, _ timeline: SurfaceTimeline) {
    let frames = trace.surfaces[timeline.surface].frames
    let events = BufferEvents(trace, timeline)
    var uses = BufferUses(frames, timeline, events)
    let hasNames = frames.has(.buffer)
    let names: [BufferName?] =
      hasNames
      ? uses.map { use in
        frames[use.row, .buffer].map { events.name($0, at: use.firstWrite) }
      } : []
    used = hasNames ? Set(names.compactMap { $0 }).count : nil
    isPool = Self.isPool(names)
    if hasNames { uses.endAtNextUse(names) }
    let isNamed = hasNames && !isPool && !names.contains { $0 == nil }
    coloring = isNamed ? BufferColoring(named: names) : BufferColoring(rebuilding: uses)
    depth =
      BufferDepths(uses, frameCount: frames.count, shown: timeline.schedule.shownTime).depths
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
}

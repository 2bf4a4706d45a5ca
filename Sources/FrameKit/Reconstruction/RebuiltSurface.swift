/// What happened to the frames of a surface, put together from the facts of the trace.
struct RebuiltSurface: Sendable {
  let refreshes: DisplayRefreshes
  let timeline: SurfaceTimeline
  /// The dropped refreshes with their charge, in order of the frames that were due.
  let drops: [DroppedRefreshes]
  let trace: Trace

  /// Which buffers were in use when; found anew each time.
  var buffers: BufferOccupancy { BufferOccupancy(trace, timeline) }
}

/// What happened to the frames of a surface, put together from the facts of the trace.
struct RebuiltSurface: Sendable {
  let refreshes: DisplayRefreshes
  let timeline: SurfaceTimeline
  /// The dropped refreshes with their charge, in order of the frames that were due.
  let drops: [DroppedRefreshes]
  let buffers: BufferOccupancy
}

import FrameTrace

/// Rebuilds the surfaces of a trace, those of a display together.
struct Reconstruction {
  /// For each surface of the trace.
  let surfaces: [RebuiltSurface]
  /// For each display of the trace its refreshes.
  let displays: [DisplayRefreshes]

  init(_ trace: Trace, _ rows: TraceRows, _ rules: ChargeRules = .all) {
    let groups = Self.surfacesByDisplay(trace)
    let displays = trace.displays.indices.map { display in
      DisplayRefreshes(
        trace.displays[display],
        DisplayChanges(trace, groups.first { $0.display == display }?.surfaces ?? []))
    }
    var rebuilt: [Int: RebuiltSurface] = [:]
    for group in groups {
      let refreshes =
        group.display.map { displays[$0] }
        ?? DisplayRefreshes(nil, DisplayChanges(trace, group.surfaces))
      var timelines = group.surfaces.map { SurfaceTimeline(trace, surface: $0, refreshes, rows) }
      if timelines.contains(where: \.hasDrops) {
        for index in timelines.indices { timelines[index].findUsualTimes() }
      }
      let inFlight = FramesInFlight(timelines)
      for timeline in timelines {
        rebuilt[timeline.surface] = RebuiltSurface(
          refreshes: refreshes, timeline: timeline,
          drops: DropCharge(trace, timeline, inFlight, rules).charges(),
          trace: trace)
      }
    }
    self.displays = displays
    surfaces = trace.surfaces.indices.compactMap { rebuilt[$0] }
  }

  /// The surfaces by display. A surface without a stated display is assigned to the only display,
  /// or else grouped alone.
  private static func surfacesByDisplay(_ trace: Trace) -> [(display: Int?, surfaces: [Int])] {
    let only = trace.displays.count == 1 ? 0 : nil
    var groups: [(display: Int?, surfaces: [Int])] = []
    var places: [Int: Int] = [:]
    for (index, surface) in trace.surfaces.enumerated() {
      let display = surface.display ?? only
      if let display, let group = places[display] {
        groups[group].surfaces.append(index)
      } else {
        if let display { places[display] = groups.count }
        groups.append((display, [index]))
      }
    }
    return groups
  }
}

/// The rebuilt frames of a surface, derived from the facts of the trace.
package struct RebuiltSurface: Sendable {
  package let refreshes: DisplayRefreshes
  package let timeline: SurfaceTimeline
  /// The dropped refreshes with their charge, in order of the frames that were due.
  package let drops: [DroppedRefreshes]
  let trace: Trace

  /// The buffers that were in use over time; computed on each access.
  var buffers: BufferOccupancy { BufferOccupancy(trace, timeline) }
}

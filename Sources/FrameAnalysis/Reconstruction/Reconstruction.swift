import FrameTrace

/// Rebuilds the surfaces of a trace; surfaces of the same display are rebuilt together.
struct Reconstruction {
  /// The rebuilt surfaces, one for each surface of the trace.
  let surfaces: [RebuiltSurface]
  /// The refreshes of each display of the trace.
  let displays: [DisplayRefreshes]

  init(
    _ trace: Trace, _ rows: TraceRows, _ rules: ChargeRules = .all,
    _ parallelism: Parallelism = .none
  ) {
    let groups = Self.surfacesByDisplay(trace)
    let displays = parallelism.map(trace.displays.count) { display in
      DisplayRefreshes(
        trace.displays[display],
        DisplayChanges(trace, groups.first { $0.display == display }?.surfaces ?? []))
    }
    let length = { (surface: Int) in trace.surfaces[surface].frames.count }
    let lengthOfGroup = { groups[$0].surfaces.reduce(0) { $0 + length($1) } }
    let found = parallelism.map(groups.count, by: lengthOfGroup) { number in
      let group = groups[number]
      let refreshes =
        group.display.map { displays[$0] }
        ?? DisplayRefreshes(nil, DisplayChanges(trace, group.surfaces))
      return Self.rebuild(trace, group.surfaces, refreshes, rows, rules, parallelism)
    }
    self.displays = displays
    var rebuilt: [Int: RebuiltSurface] = [:]
    for surface in found.joined() { rebuilt[surface.timeline.surface] = surface }
    surfaces = trace.surfaces.indices.compactMap { rebuilt[$0] }
  }

  /// Rebuilds the surfaces of a display.
  private static func rebuild(
    _ trace: Trace, _ surfaces: [Int], _ refreshes: DisplayRefreshes, _ rows: TraceRows,
    _ rules: ChargeRules, _ parallelism: Parallelism
  ) -> [RebuiltSurface] {
    let length = { trace.surfaces[surfaces[$0]].frames.count }
    var timelines = parallelism.map(surfaces.count, by: length) {
      SurfaceTimeline(trace, surface: surfaces[$0], refreshes, rows)
    }
    if timelines.contains(where: \.hasDrops) {
      let before = timelines
      timelines = parallelism.map(before.count, by: length) { before[$0].withUsualTimes() }
    }
    let complete = timelines
    let inFlight = FramesInFlight(complete)
    return parallelism.map(complete.count, by: length) { number in
      RebuiltSurface(
        refreshes: refreshes, timeline: complete[number],
        drops: DropCharge(trace, complete[number], inFlight, rules).charges(), trace: trace)
    }
  }

  /// The surfaces by display. A surface without a stated display is assigned to the only display, or otherwise forms
  /// its own group.
  private static func surfacesByDisplay(_ trace: Trace) -> [(display: Int?, surfaces: [Int])] {
    let only = trace.displays.count == 1 ? 0 : nil
    var groups: [(display: Int?, surfaces: [Int])] = []
    var positions: [Int: Int] = [:]
    for (index, surface) in trace.surfaces.enumerated() {
      let display = surface.display ?? only
      if let display, let group = positions[display] {
        groups[group].surfaces.append(index)
      } else {
        if let display { positions[display] = groups.count }
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

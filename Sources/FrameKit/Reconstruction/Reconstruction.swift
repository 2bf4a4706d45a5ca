/// Rebuilds the surfaces of a trace, those of a display together.
struct Reconstruction {
  /// For each surface of the trace.
  let surfaces: [RebuiltSurface]
  /// For each display of the trace its refreshes.
  let displays: [DisplayRefreshes]

  init(_ trace: Trace, _ rules: ChargeRules = .all) {
    let groups = Self.surfacesByDisplay(trace)
    let displays = trace.displays.indices.map { display in
      DisplayRefreshes(
        trace.displays[display],
        shown: Self.shownTimes(trace, groups.first { $0.display == display }?.surfaces ?? []))
    }
    var rebuilt: [Int: RebuiltSurface] = [:]
    for group in groups {
      let refreshes =
        group.display.map { displays[$0] }
        ?? DisplayRefreshes(nil, shown: Self.shownTimes(trace, group.surfaces))
      var timelines = group.surfaces.map { SurfaceTimeline(trace, surface: $0, refreshes) }
      if timelines.contains(where: \.hasDrops) {
        for index in timelines.indices { timelines[index].findUsualTimes() }
      }
      let inFlight = FramesInFlight(timelines)
      for timeline in timelines {
        rebuilt[timeline.surface] = RebuiltSurface(
          refreshes: refreshes, timeline: timeline,
          drops: DropCharge(timeline, inFlight, rules).charges(),
          trace: trace)
      }
    }
    self.displays = displays
    surfaces = trace.surfaces.indices.compactMap { rebuilt[$0] }
  }

  /// Surfaces by the display they are on. One whose display the source does not tell is on
  /// the only one there is, else it is taken by itself.
  private static func surfacesByDisplay(_ trace: Trace) -> [(display: Int?, surfaces: [Int])] {
    let only = trace.displays.count == 1 ? 0 : nil
    var groups: [(display: Int?, surfaces: [Int])] = []
    for (index, surface) in trace.surfaces.enumerated() {
      let display = surface.display ?? only
      if let display, let group = groups.firstIndex(where: { $0.display == display }) {
        groups[group].surfaces.append(index)
      } else {
        groups.append((display, [index]))
      }
    }
    return groups
  }

  /// When frames of any of the surfaces came onto the display, in order and each once.
  private static func shownTimes(_ trace: Trace, _ surfaces: [Int]) -> [Int64] {
    var times: [Int64] = []
    for surface in surfaces {
      let frames = trace.surfaces[surface].frames
      guard let displayed = frames.stored(.displayed) else { continue }
      for row in 0..<frames.count {
        if let distance = displayed[row] { times.append(frames.references[row] &+ distance) }
      }
    }
    if zip(times, times.dropFirst()).contains(where: { $0 > $1 }) { times.sort() }
    var unique = times.startIndex
    for index in times.indices where index == 0 || times[index] != times[index - 1] {
      times[unique] = times[index]
      unique += 1
    }
    times.removeSubrange(unique...)
    return times
  }
}

import FrameTrace

/// Invariants of every rebuilt pipeline, for any trace; checked wherever tests rebuild one.
extension Pipeline {
  /// The violated invariants, in words; empty for a valid pipeline.
  var violations: [String] {
    surfaces.flatMap { surface in
      surface.violations.map { "surface \(trace.surfaces[surface.timeline.surface].id): \($0)" }
    }
  }
}

extension RebuiltSurface {
  fileprivate var violations: [String] {
    let schedule = timeline.schedule
    guard schedule.hasInterval, schedule.hasDisplayed else {
      return drops.isEmpty ? [] : ["refreshes are dropped where none is known"]
    }
    var found: [String] = []
    let shown = Set(schedule.displayed.known)
    guard let first = shown.min() else { return [] }
    var dropped: Set<RefreshNumber> = []
    for drop in drops {
      // Refreshes far beyond any trace need not be checked one by one.
      let refreshes = drop.refresh..<drop.refresh + min(drop.count, 10_000)
      if refreshes.contains(where: { !dropped.insert($0).inserted }) {
        found.append("refresh \(drop.refresh.number) is dropped twice")
      }
      if drop.refresh <= first || refreshes.contains(where: shown.contains) {
        found.append("dropped refresh \(drop.refresh.number) showed no older frame")
      }
      if (drop.stage == .unknown) != (drop.whyUnknown != nil) {
        found.append("the charge of refresh \(drop.refresh.number) and its reason do not agree")
      }
    }
    found += chargeViolations
    let count = drops.reduce(shown.count) { $0 + Int($1.count) }
    let active = schedule.activeRefreshes(within: .always)
    if count > active, !refreshes.isVariable {
      found.append("\(count) of \(active) active refreshes are shown or dropped")
    }
    return found
  }

  /// Each late frame's dropped refreshes are charged, all of them and only once.
  private var chargeViolations: [String] {
    var charged: [Int: Int64] = [:]
    for drop in drops { charged[drop.frame, default: 0] += drop.count }
    return timeline.late.compactMap { late in
      let count = charged[late.row] ?? 0
      return count == late.droppedCount
        ? nil : "frame \(late.row) dropped \(late.droppedCount), of which \(count) are charged"
    }
  }
}

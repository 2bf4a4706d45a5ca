/// The hitches of a surface: frames that came onto the display later than they were due.
public struct HitchFindings: Hashable, Sendable {
  /// Who reckoned them.
  public enum Source: String, Sendable {
    /// The source of the trace.
    case stated
    /// This analysis, from due and display times.
    case rebuilt
  }

  public let source: Source
  /// How late each was, in nanoseconds.
  public let times: [Int64]
  /// Their sum for each second of active time, in milliseconds; `nil` without active time.
  public let ratio: Double?

  /// The sum of all.
  public var total: Nanoseconds { Nanoseconds(times.reduce(0, &+)) }
}

extension HitchFindings {
  /// A scale of Apple's for the hitch time ratio.
  public enum Scale: String, Sendable, CaseIterable {
    /// Below 5 ms/s good, to 10 a warning, above critical: "Eliminate animation hitches with
    /// XCTest", WWDC 2020.
    case wwdc20
    /// To 10 ms/s good, to 25 a warning, to 50 critical, above to be seen to immediately: the
    /// Xcode Organizer.
    case organizer

    /// What a ratio is on the scale.
    public func grade(_ ratio: Double) -> String {
      switch self {
      case .wwdc20: ratio < 5 ? "good" : ratio <= 10 ? "warning" : "critical"
      case .organizer:
        ratio <= 10 ? "good" : ratio <= 25 ? "warning" : ratio <= 50 ? "critical" : "immediate"
      }
    }
  }

  /// Finds the hitches within a range of time.
  /// - Returns: `nil` where the trace does not tell.
  init?(_ trace: Trace, _ surface: RebuiltSurface, within range: Range<Int64>) {
    let active = surface.timeline.schedule.activeTime(within: range)
    if let stated = Self.stated(trace, surface.timeline.surface, range) {
      source = .stated
      times = stated
    } else {
      guard let rebuilt = Self.rebuilt(trace, surface, range) else { return nil }
      source = .rebuilt
      times = rebuilt
    }
    let sum = times.reduce(0) { $0 + Double($1) }
    ratio = active > 0 ? sum / 1e6 / (Double(active) / 1e9) : nil
  }

  private static func stated(_ trace: Trace, _ surface: Int, _ range: Range<Int64>) -> [Int64]? {
    let hitches = trace.statedHitches
    let own = (0..<hitches.count).filter { row in
      hitches[row, .surface].map { $0 == Int64(surface) } ?? (trace.surfaces.count == 1)
    }
    guard !own.isEmpty else { return nil }
    return own.compactMap { row in
      guard let start = hitches[row, .start], range.contains(start) else { return nil }
      return hitches[row, .duration]
    }
  }

  private static func rebuilt(
    _ trace: Trace, _ surface: RebuiltSurface, _ range: Range<Int64>
  ) -> [Int64]? {
    let schedule = surface.timeline.schedule
    if schedule.isVariable { return againstExpected(trace, surface, range) }
    guard DropFindings.whyMissing(surface) == nil else { return nil }
    var times: [Int64: Int64] = [:]
    for late in surface.timeline.late where !late.dropped.isEmpty {
      guard let dropped = late.dropped.first else { continue }
      let start = schedule.grid.time(dropped.lowerBound)
      guard range.contains(start) else { continue }
      // Frames that were replaced before they were shown are part of the hitch of the one
      // that was.
      times[late.shown, default: 0] += schedule.grid.time(dropped.upperBound) - start
    }
    return times.keys.sorted().compactMap { times[$0] }
  }

  /// On a display that waits for frames: against the times at which the source expected them.
  private static func againstExpected(
    _ trace: Trace, _ surface: RebuiltSurface, _ range: Range<Int64>
  ) -> [Int64]? {
    let frames = trace.surfaces[surface.timeline.surface].frames
    guard frames.has(.expectedDisplay) else { return nil }
    // A panel shows all frames a constant later than expected; a frame within half an interval
    // of that is on time.
    let distances = (0..<frames.count).compactMap { row in
      frames[row, .displayed].flatMap { shown in
        frames[row, .expectedDisplay].map { shown &- $0 }
      }
    }.sorted()
    let half = (surface.refreshes.scanOutInterval ?? 0) / 2
    let middle = distances.isEmpty ? 0 : distances[distances.count / 2]
    let offset = abs(middle / 2) <= half / 2 ? middle : 0
    var before: Int64?
    var times: [Int64] = []
    for row in 0..<frames.count {
      guard let shown = frames[row, .displayed] else { continue }
      defer { before = shown }
      guard let stated = frames[row, .expectedDisplay], let before else { continue }
      let expected = stated &+ offset
      let soonest = before &+ (surface.refreshes.shortestInterval ?? 0)
      let hitch = shown &- max(expected, soonest)
      if hitch > half, range.contains(expected) { times.append(hitch) }
    }
    return times
  }
}

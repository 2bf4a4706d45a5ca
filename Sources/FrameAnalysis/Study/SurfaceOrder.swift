import FrameTrace

/// An order of surfaces that puts the one that a person looked at first.
///
/// Surfaces that a compositor presents for others, and a browser's own, come after those of programs and pages.
/// Surfaces that hardly drew anything come last. Among the others, surfaces that showed something for most of the
/// longest such time come first, and the one with the worst stall comes before all: a frozen page draws less than an
/// animation next to it.
package struct SurfaceOrder {
  private let trace: Trace
  private let facts: (Int) -> Facts

  /// - Parameter facts: The measured facts about a surface, by its index in the trace's list.
  init(_ trace: Trace, _ facts: @escaping (Int) -> Facts) {
    self.trace = trace
    self.facts = facts
  }

  /// The facts that the order depends on.
  struct Facts {
    let drops: DropFindings?
    let stops: StopFindings
    let interval: Nanoseconds?
  }

  /// What a viewer can see of a surface.
  private struct Presence {
    let surface: Int
    /// How long something was due on the surface.
    let time: Nanoseconds
    /// The longest time for which the surface is known to have been stalled.
    let worstStall: Nanoseconds
  }

  /// The surfaces in order; equal ones stay in trace order.
  func ordered(_ surfaces: [Int]) -> [Int] {
    let byRank = Dictionary(grouping: surfaces, by: rank)
    return [Rank.content, .host].flatMap { byRank[$0].map(byPresence) ?? [] }
      + Self.byFrames(byRank[.hardlyDrawn] ?? [], of: trace)
  }

  /// The surfaces ordered by number of frames, most frames first; equal ones stay in trace order.
  static func byFrames(_ surfaces: [Int], of trace: Trace) -> [Int] {
    surfaces.sorted { (trace.frames($1), $0) < (trace.frames($0), $1) }
  }

  private enum Rank { case content, host, hardlyDrawn }

  private func rank(_ surface: Int) -> Rank {
    if trace.frames(surface) < Self.fewestFrames { return .hardlyDrawn }
    let process = trace.surfaces[surface].process
    return process.map { Self.isCompositor($0) || Self.isHost($0) } ?? false ? .host : .content
  }

  private func byPresence(_ surfaces: [Int]) -> [Int] {
    guard surfaces.count > 1 else { return surfaces }
    let found = surfaces.map(presence)
    let longest = found.map(\.time).max() ?? .zero
    return found.sorted { first, second in
      guard first.time * 4 >= longest * 3, second.time * 4 >= longest * 3 else {
        return (second.time, first.surface) < (first.time, second.surface)
      }
      let (one, other) = (first.surface, second.surface)
      return (second.worstStall, trace.frames(other), one)
        < (first.worstStall, trace.frames(one), other)
    }
    .map(\.surface)
  }

  private func presence(_ surface: Int) -> Presence {
    let facts = facts(surface)
    let stops = facts.stops.stops.filter { $0.cause.stage != nil }.map(\.length)
    let run = (facts.interval ?? .zero) * Int64(facts.drops?.longestRun ?? 0)
    return Presence(
      surface: surface,
      time: facts.drops?.activeTime ?? drawnTime(surface) + stops.reduce(.zero, +),
      worstStall: max(run, stops.max() ?? .zero))
  }

  /// The time in which the frames of a surface followed one another.
  private func drawnTime(_ surface: Int) -> Nanoseconds {
    let frames = trace.surfaces[surface].frames
    let times = frames.references(0..<frames.count)
    return zip(times, times.dropFirst()).reduce(.zero) { sum, pair in
      sum + min(max(.zero, Nanoseconds(pair.1 &- pair.0)), Self.longestDrawn)
    }
  }

  /// A surface with fewer frames than this hardly drew anything.
  package static let fewestFrames = 10
  /// Frames farther apart than this do not look like motion.
  private static let longestDrawn = Nanoseconds(100_000_000)

  /// Whether a process presents what other programs draw, judging by its name.
  private static func isCompositor(_ process: String) -> Bool {
    let name = process.split(separator: "/").last.map { $0.lowercased() } ?? ""
    return compositors.contains(name)
  }

  /// Whether a process draws the window around a page instead of the page itself, by its name in Chromium's traces.
  private static func isHost(_ process: String) -> Bool {
    ["browser", "gpu process"].contains(process.lowercased())
  }

  /// The compositors of Windows, macOS, iOS and Android, by the process names in traces.
  private static let compositors: Set<String> = [
    "dwm.exe", "windowserver", "backboardd", "surfaceflinger",
  ]
}

extension SurfaceOrder.Facts {
  init(_ measured: MeasuredSurface) {
    self.init(
      drops: measured.drops, stops: measured.stopFindings,
      interval: measured.rebuilt?.refreshes.interval)
  }

  init(_ surface: SurfaceAnalysis) {
    self.init(
      drops: surface.drops.value, stops: surface.stops, interval: surface.refreshes?.interval)
  }
}

extension Trace {
  /// The number of frames of a surface.
  fileprivate func frames(_ surface: Int) -> Int { surfaces[surface].frames.count }
}

public import FrameTrace

/// The hangs that a source states: stretches in which an app did not respond.
public struct HangFindings: Sendable {
  /// A hang as the source states it.
  public struct Hang: Hashable, Sendable {
    /// When the app stopped responding; `nil` where the source has no time, as for field data.
    public let start: Timestamp?
    /// How long the app did not respond.
    public let duration: Nanoseconds
    /// The source's word for its severity; `nil` where it has none.
    public let kind: String?
    /// The process that hung; `nil` when not known.
    public let process: String?
    /// The thread that hung; `nil` when not known.
    public let thread: Int64?
  }

  /// In order of time, those without a time first.
  public let hangs: [Hang]
  /// How many hangs the source lists without a duration.
  public let missing: Int

  /// - Parameter region: Only hangs that begin within the region count; those without a time always do.
  init(_ trace: Trace, within region: TraceRegion?) {
    let table = trace.hangs
    var missing = 0
    hangs = (0..<table.count).compactMap { row in
      let start = table.time(row, .start)
      if let start, let region, !region.range.contains(start) { return nil }
      guard let duration = table.duration(row, .duration) else {
        missing += 1
        return nil
      }
      return Hang(
        start: start, duration: duration, kind: table.text(row, .kind),
        process: table.text(row, .process), thread: table[row, .thread])
    }
    self.missing = missing
  }

  /// How long all hangs took together.
  public var total: Nanoseconds { Nanoseconds(hangs.reduce(0) { $0 &+ $1.duration.count }) }
  /// The duration of the longest hang; `nil` if there are none.
  public var longest: Nanoseconds? { hangs.map(\.duration).max() }

  /// The number of hangs of each kind, the most frequent first.
  package var kinds: [(kind: String, count: Int)] {
    Dictionary(grouping: hangs.compactMap(\.kind)) { $0 }.map { ($0.key, $0.value.count) }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }
}

import FrameStatistics
public import FrameTrace

/// How the hitches that a source states compare with those rebuilt from due and display times.
///
/// The two are computed by different rules, so where they differ, one uses information that the other lacks. Two
/// hitches are the same if the same frame ends them: their ends are less than half a refresh apart.
public struct HitchAgreement: Hashable, Sendable {
  /// A count of hitches and their total length.
  public struct Tally: Hashable, Sendable {
    /// The number of hitches.
    public private(set) var count = 0
    /// The sum of their lengths.
    public private(set) var time = Nanoseconds.zero

    package init() {}

    mutating func add(_ length: Nanoseconds) {
      count += 1
      time += length
    }
  }

  /// Why a hitch is stated but not rebuilt.
  public enum Reason: String, Sendable, CaseIterable {
    /// The hitch's frame was displayed when it was due, by the trace's due time plus the panel's delay.
    case onTime = "on_time"
    /// No frame of the trace was displayed when the hitch ended.
    case noFrame = "no_frame"

    /// The reason in words.
    public var words: String {
      switch self {
      case .onTime: "with a frame on time by the trace's due times"
      case .noFrame: "with no frame in the trace at the end"
      }
    }
  }

  /// All hitches that were rebuilt.
  public let rebuilt: Tally
  /// The hitches that are both stated and rebuilt, with the stated and with the rebuilt lengths.
  public let bothStated, bothRebuilt: Tally
  /// The stated hitches that were not rebuilt, by the reason.
  public let statedOnly: [Reason: Tally]
  /// The rebuilt hitches that the source does not state.
  public let rebuiltOnly: Tally

  init(
    _ stated: [StatedHitch], _ rebuilt: [Hitch], _ trace: Trace, _ surface: RebuiltSurface
  ) {
    let frames = trace.surfaces[surface.timeline.surface].frames
    let half = (surface.refreshes.scanOutInterval ?? .zero) / 2
    let displayed = (0..<frames.count).compactMap { frames.time($0, .displayed) }.sorted()
    let ends = rebuilt.map { hitch in
      (end: frames.time(hitch.row, .displayed) ?? hitch.start + hitch.length, hitch: hitch)
    }.sorted { $0.end < $1.end }
    var taken: Set<Int> = []
    var all = Tally()
    for hitch in rebuilt { all.add(hitch.length) }
    var (bothStated, bothRebuilt, rebuiltOnly) = (Tally(), Tally(), Tally())
    var statedOnly: [Reason: Tally] = [:]
    for hitch in stated {
      let first = ends.partitioningIndex { $0.end >= hitch.end - half }
      let near = (first..<ends.count).prefix { ends[$0].end <= hitch.end + half }
      guard let own = near.first(where: { !taken.contains($0) }) else {
        // A second stated hitch for a frame that is already matched.
        if !near.isEmpty {
          bothStated.add(hitch.length)
          continue
        }
        let position = displayed.partitioningIndex { $0 >= hitch.end - half }
        let isShown = position < displayed.count && displayed[position] <= hitch.end + half
        statedOnly[isShown ? .onTime : .noFrame, default: Tally()].add(hitch.length)
        continue
      }
      taken.insert(own)
      bothStated.add(hitch.length)
      bothRebuilt.add(ends[own].hitch.length)
    }
    for position in ends.indices where !taken.contains(position) {
      rebuiltOnly.add(ends[position].hitch.length)
    }
    self.rebuilt = all
    (self.bothStated, self.bothRebuilt) = (bothStated, bothRebuilt)
    (self.statedOnly, self.rebuiltOnly) = (statedOnly, rebuiltOnly)
  }
}

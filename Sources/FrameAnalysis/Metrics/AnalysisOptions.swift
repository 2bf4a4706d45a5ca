public import FrameTrace

/// What a user chooses about an analysis.
public struct AnalysisOptions: Hashable, Sendable {
  /// The part of a frame's scan-out that counts toward its photon time: 0 for the top line, 0.5 for the middle, 1 for
  /// the whole frame.
  public var scanOutShare = 1.0
  /// A constant of the device, such as its panel's delay, added to every latency.
  public var deviceOffset = Nanoseconds(0)
  /// The part of the trace that is measured; `nil` for all of it.
  public var region: TraceRegion?
  /// Frame times longer than this are counted; `nil` for no budget.
  public var budget: Nanoseconds?
  /// Whether slow and frozen frames are counted.
  public var countsJank = false
  /// Whether the cause of each late frame is listed.
  public var listsCauses = false
  /// Whether published models of what viewers notice are computed.
  public var predictsPerception = false
  /// The names of other tools; their figures are computed their way and shown for comparison.
  public var dialects: [String] = []
  /// How many of the worst frames are listed.
  public var worstCount = 0

  /// All of a trace, with the usual rules.
  public init() {}
}

/// A part of a trace: everything displayed between two instants.
public struct TraceRegion: Hashable, Sendable {
  /// Where the region starts; `nil` for the start of the trace.
  public var start: Timestamp?
  /// Where the region ends; `nil` for the end of the trace.
  public var end: Timestamp?

  /// The part from one instant to another; `nil` stands for the trace's start or end.
  public init(start: Timestamp?, end: Timestamp?) {
    self.start = start
    self.end = end
  }

  /// The instants in the region.
  package var range: Range<Timestamp> {
    let low = start ?? .earliest
    return low..<max(low, end ?? .latest)
  }

  /// The rows of a surface's frames in the region, from the first to the last. A frame is assigned by its display time,
  /// or, if it was never displayed, by its first known time. If frames are not in the order of these times, the number
  /// of rows before an instant is the number of frames with an earlier time. Adjacent regions therefore share no frame
  /// and omit none.
  package func rows(of frames: Table<FrameColumn>) -> Range<Int> {
    let range = range
    var (before, inside) = (0, 0)
    for row in 0..<frames.count {
      let time = frames.time(row, .displayed) ?? frames.reference(row)
      if time < range.lowerBound { before += 1 } else if time < range.upperBound { inside += 1 }
    }
    return before..<before + inside
  }
}

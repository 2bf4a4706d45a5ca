public import FrameTrace

/// What a user chooses about an analysis.
public struct AnalysisOptions: Hashable, Sendable {
  /// The part of a frame's scan-out that counts to its photon time: 0 for the top line, 0.5
  /// for the middle, 1 for the whole frame.
  public var scanOutShare = 1.0
  /// A constant of the device that is added to every latency, as of its panel.
  public var deviceOffset = Nanoseconds(0)
  /// The part of the trace that is measured; `nil` for all of it.
  public var region: TraceRegion?
  /// The length of frame time that is counted when gone past; `nil` for none.
  public var budget: Nanoseconds?
  /// Tools whose way of computing figures is shown beside ours, by name.
  public var dialects: [String] = []
  /// How many of the worst frames are listed.
  public var worstCount = 0

  /// All of a trace, with the usual rules.
  public init() {}
}

/// A part of a trace: what came onto the display from one instant on until another.
public struct TraceRegion: Hashable, Sendable {
  /// From the start of the trace on when `nil`.
  public var start: Timestamp?
  /// To the end of the trace when `nil`.
  public var end: Timestamp?

  /// The part from one instant to another; `nil` for an end that is that of the trace.
  public init(start: Timestamp?, end: Timestamp?) {
    self.start = start
    self.end = end
  }

  /// The instants in it.
  package var range: Range<Timestamp> {
    let low = start ?? .earliest
    return low..<max(low, end ?? .latest)
  }

  /// The rows of a surface's frames whose display, or what is known first of those never
  /// displayed, is in it: from the first to the last of them.
  func rows(of frames: Table<FrameColumn>) -> Range<Int> {
    let range = range
    let isInside = { (row: Int) in
      range.contains(frames.time(row, .displayed) ?? frames.reference(row))
    }
    guard let first = (0..<frames.count).first(where: isInside),
      let last = (0..<frames.count).last(where: isInside)
    else { return 0..<0 }
    return first..<last + 1
  }
}

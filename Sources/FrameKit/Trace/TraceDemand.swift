/// What of a trace is needed, so that a reader may leave the rest unread.
///
/// The frames themselves, when and whether each was displayed, are always needed. A reader
/// may give more than was asked for; it never gives other values.
public struct TraceDemand: Hashable, Sendable {
  /// The columns of frames that are needed; `nil` for all.
  public var frameColumns: Set<FrameColumn>?
  /// Whether inputs are needed.
  public var inputs: Bool

  /// All that an input has.
  public static let everything = TraceDemand(frameColumns: nil, inputs: true)

  /// A demand for some columns of frames.
  public init(frameColumns: Set<FrameColumn>?, inputs: Bool = false) {
    self.frameColumns = frameColumns
    self.inputs = inputs
  }

  /// What either of the two needs.
  func union(_ other: TraceDemand) -> TraceDemand {
    let both = frameColumns.flatMap { own in other.frameColumns.map { own.union($0) } }
    return TraceDemand(frameColumns: both, inputs: inputs || other.inputs)
  }

  /// Whether any of these columns is needed.
  func needs(_ columns: [FrameColumn]) -> Bool {
    frameColumns.map { !$0.isDisjoint(with: columns) } ?? true
  }
}

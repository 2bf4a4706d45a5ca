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

  public init() {}
}

/// What the facts of a trace say about its frames once they are put together: what became of
/// each, and which one shows which input.
public struct Pipeline: Sendable {
  public let trace: Trace
  /// For each surface of the trace what became of its frames.
  public let outcomes: [FrameOutcomes]

  public init(reconstructing trace: Trace) {
    self.trace = trace
    outcomes = trace.surfaces.map { FrameOutcomes(of: $0.frames) }
  }

  /// The inputs that frames of the surface consumed.
  func inputs(surface: Int) -> ShownInputs { ShownInputs(of: trace, surface: surface) }
}

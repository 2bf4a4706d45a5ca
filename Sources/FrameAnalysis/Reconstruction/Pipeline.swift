public import FrameTrace

/// What the facts of a trace say about its frames once they are put together: what became of
/// each, when each was due, which refreshes were dropped and by which stage, which buffers
/// were in use, and which frame shows which input.
public struct Pipeline: Sendable {
  /// How much is put together.
  package enum Depth: Sendable {
    /// What became of the frames.
    case outcomes
    /// Everything.
    case whole
  }

  /// The trace that was put together.
  public let trace: Trace
  /// The columns that frames have, for each surface that has others than the ones before.
  let frameColumns: Set<Set<FrameColumn>>
  /// For each surface of the trace what became of its frames.
  public let outcomes: [FrameOutcomes]
  /// For each surface of the trace its rebuilt frames; empty when only outcomes were asked
  /// for.
  package let surfaces: [RebuiltSurface]
  private let rows: TraceRows
  /// The last instant of the trace, where it has touches that may be on their way then.
  package let end: Timestamp?
  /// For each display of the trace its refreshes; empty when only outcomes were asked for.
  package let displays: [DisplayRefreshes]

  /// Rebuilds the whole pipeline of a trace, in time linear in its frames, but for sorting.
  public init(reconstructing trace: Trace) { self.init(reconstructing: trace, .whole) }

  init(reconstructing trace: Trace, _ depth: Depth, _ rules: ChargeRules = .all) {
    self.trace = trace
    frameColumns = Set(
      trace.surfaces.map { surface in Set(FrameColumn.allCases.filter(surface.frames.has)) })
    outcomes = trace.surfaces.map { FrameOutcomes(of: $0) }
    rows = TraceRows(trace)
    let rebuilt = depth == .whole ? Reconstruction(trace, rows, rules) : nil
    surfaces = rebuilt?.surfaces ?? []
    displays = rebuilt?.displays ?? []
    let hasTouches = depth == .whole && trace.touches.count > 0
    end = hasTouches ? trace.timeRange?.upperBound : nil
  }

  /// The inputs that frames of the surface consumed.
  func inputs(surface: Int) -> ShownInputs {
    ShownInputs(of: trace, surface: surface, rows.touches[surface])
  }
}

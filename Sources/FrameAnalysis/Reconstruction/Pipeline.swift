public import FrameTrace

/// The rebuilt pipeline of a trace: the outcome of each frame, when each frame was due, which refreshes were dropped
/// and by which stage, which buffers were in use, and which frame shows which input.
public struct Pipeline: Sendable {
  /// How much of the pipeline is rebuilt.
  package enum Depth: Sendable {
    /// Only the outcomes of the frames.
    case outcomes
    /// Everything.
    case whole
  }

  /// The trace that the pipeline was rebuilt from.
  public let trace: Trace
  /// The column sets of the frames, each listed once for all surfaces.
  let frameColumns: Set<Set<FrameColumn>>
  /// For each surface of the trace what became of its frames.
  public let outcomes: [FrameOutcomes]
  /// For each surface, its stops based on the recorded times of its frames; `nil` if the outcomes did not depend on
  /// them.
  private let knownStops: [SurfaceStops?]
  /// The rebuilt frames of each surface of the trace; empty when only outcomes were requested.
  package let surfaces: [RebuiltSurface]
  private let rows: TraceRows
  /// The last instant of the trace; known only for traces with touches, which may be in progress at that time.
  package let end: Timestamp?
  /// The refreshes of each display of the trace; empty when only outcomes were requested.
  package let displays: [DisplayRefreshes]

  /// Rebuilds the complete pipeline of a trace, in time linear in its frames except for sorting.
  public init(reconstructing trace: Trace) { self.init(reconstructing: trace, .whole) }

  init(
    reconstructing trace: Trace, _ depth: Depth, _ rules: ChargeRules = .all,
    parallelism: Parallelism = .none
  ) {
    self.trace = trace
    frameColumns = Set(
      trace.surfaces.map { surface in Set(FrameColumn.allCases.filter(surface.frames.has)) })
    let found = parallelism.map(trace.surfaces.count) { index in
      var stops: SurfaceStops?
      let outcomes = FrameOutcomes(of: trace.surfaces[index]) {
        let found = SurfaceStops(trace.surfaces[index])
        stops = found
        return found
      }
      return (outcomes, stops)
    }
    (outcomes, knownStops) = (found.map(\.0), found.map(\.1))
    rows = TraceRows(trace)
    let rebuilt = depth == .whole ? Reconstruction(trace, rows, rules, parallelism) : nil
    surfaces = rebuilt?.surfaces ?? []
    displays = rebuilt?.displays ?? []
    let hasTouches = depth == .whole && trace.touches.count > 0
    end = hasTouches ? trace.timeRange?.upperBound : nil
  }

  /// The stops of a surface: those of its rebuilt frames, otherwise those based on recorded times.
  func stops(of surface: Int) -> SurfaceStops {
    surfaces.isEmpty
      ? knownStops[surface] ?? SurfaceStops(trace.surfaces[surface])
      : surfaces[surface].timeline.schedule.stops
  }

  /// The inputs that frames of the surface consumed.
  func inputs(surface: Int) -> ShownInputs {
    ShownInputs(of: trace, surface: surface, rows.touches[surface])
  }
}

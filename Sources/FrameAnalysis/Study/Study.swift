public import FrameTrace

/// A trace under given options, reconstructed once: which surfaces there are, which one is meant,
/// and what is known of each.
///
/// Whoever wants to know something of a trace asks its study: analyses, comparisons, histories,
/// plots, exports, and reports. Nothing is worked out before it is asked for, and the pipeline is
/// put together once for everyone. A study stays in the task that made it.
public final class Study {
  /// The trace that is studied.
  public let trace: Trace
  /// How it is measured.
  public let options: AnalysisOptions
  /// Which surfaces were chosen, by name.
  public let choice: SurfaceChoice
  /// The surfaces that were chosen, by their places in the trace's list. The others still count
  /// for what happened to these, as they share the compositor and the GPU.
  public let surfaces: [Int]
  /// The chosen surfaces in the order in which they are meant, mostly by their number of frames.
  package let largest: [Int]
  /// From the first to the last instant of the trace; `nil` when it has no times.
  public private(set) lazy var timeRange = trace.timeRange
  /// The launches of the processes that were chosen, in the order of the trace.
  public private(set) lazy var launches = RebuiltLaunch.all(trace).filter {
    choice.matches(process: [$0.process])
  }

  private let reconstruction: Reconstructed
  /// The surface that was asked for last: plots of a surface come one after the other, and of a
  /// trace with thousands of surfaces not all fit into memory.
  private var latest: MeasuredSurface?

  /// - Parameter choice: Which surfaces are studied.
  public convenience init(
    of trace: Trace, _ options: AnalysisOptions = AnalysisOptions(), _ choice: SurfaceChoice = .all
  ) {
    self.init(Reconstructed(trace), options, choice)
  }

  private init(
    _ reconstruction: Reconstructed, _ options: AnalysisOptions, _ choice: SurfaceChoice
  ) {
    let trace = reconstruction.trace
    self.reconstruction = reconstruction
    self.trace = trace
    self.options = options
    self.choice = choice
    surfaces = trace.surfaces.indices.filter { choice.matches(trace.surfaces[$0]) }
    largest = SurfaceChoice.ranked(
      surfaces, frames: { trace.surfaces[$0].frames.count },
      process: { trace.surfaces[$0].process })
  }

  /// The surface that is meant where only one can be, by its place in the trace's list: of those
  /// that were chosen the one with the most frames; `nil` when there is none.
  public var meant: Int? { largest.first }

  /// The same trace, of which another part is measured.
  package func within(_ region: TraceRegion?) -> Study {
    var options = options
    options.region = region
    return Study(reconstruction, options, choice)
  }

  /// What the facts of the trace say once they are put together.
  /// - Parameter depth: How much of it is needed.
  package func pipeline(_ depth: Pipeline.Depth = .whole) -> Pipeline {
    reconstruction.pipeline(depth)
  }

  /// A surface, to be measured.
  /// - Parameters:
  ///   - surface: Its place in the trace's list.
  ///   - depth: How much of the pipeline is needed for what is measured.
  package func surface(_ surface: Int, _ depth: Pipeline.Depth = .whole) -> MeasuredSurface {
    if depth == .whole, let latest, latest.index == surface { return latest }
    let measured = MeasuredSurface(
      pipeline(depth), index: surface, options,
      rests: { [reconstruction] in
        reconstruction.rests(of: surface)
      })
    if depth == .whole { latest = measured }
    return measured
  }
}

/// The pipeline of a trace, put together when it is first asked for.
private final class Reconstructed {
  let trace: Trace
  private lazy var whole = Pipeline(reconstructing: trace)
  private lazy var outcomes = Pipeline(reconstructing: trace, .outcomes)
  private lazy var mayRest = trace.mayRest

  init(_ trace: Trace) { self.trace = trace }

  func pipeline(_ depth: Pipeline.Depth) -> Pipeline {
    switch depth {
    case .whole: whole
    case .outcomes: outcomes
    }
  }

  /// The rests of a surface's app. Looking for them takes the whole pipeline, where there can be any.
  func rests(of surface: Int) -> AppRests {
    mayRest ? AppRests(whole.surfaces[surface]) : AppRests(SurfacePauses(trace.surfaces[surface]))
  }
}

public import FrameTrace

/// A trace under given options, reconstructed once: its surfaces, the primary one, and what is
/// known about each.
///
/// Analyses, comparisons, histories, plots, exports, and reports all query the study of a trace.
/// Nothing is computed before it is needed, and the pipeline is rebuilt only once for all of them.
/// A study stays in the task that created it.
public final class Study {
  /// The trace that is studied.
  public let trace: Trace
  /// How it is measured.
  public let options: AnalysisOptions
  /// Which surfaces were chosen, by name.
  public let choice: SurfaceChoice
  /// The chosen surfaces, by their indices in the trace's list. The others still affect them
  /// because they share the compositor and the GPU.
  public let surfaces: [Int]
  /// The chosen surfaces, the primary one first; usually ordered by their number of frames.
  package let largest: [Int]
  /// From the first to the last instant of the trace; `nil` when it has no times.
  public private(set) lazy var timeRange = trace.timeRange
  /// The launches of the processes that were chosen, in the order of the trace.
  public private(set) lazy var launches = RebuiltLaunch.all(trace).filter {
    choice.matches(process: [$0.process])
  }

  private let reconstruction: Reconstructed
  /// The most recently used surface. Plots of one surface usually follow one another, and not all
  /// surfaces of a trace with thousands fit into memory.
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

  /// The primary surface, by its index in the trace's list: of the chosen ones, the one with the
  /// most frames; `nil` when there is none.
  public var meant: Int? { largest.first }

  /// A study of the same trace that measures another part of it.
  package func within(_ region: TraceRegion?) -> Study {
    var options = options
    options.region = region
    return Study(reconstruction, options, choice)
  }

  /// The rebuilt pipeline of the trace.
  /// - Parameter depth: How much of it is needed.
  package func pipeline(_ depth: Pipeline.Depth = .whole) -> Pipeline {
    reconstruction.pipeline(depth)
  }

  /// A surface to be measured.
  /// - Parameters:
  ///   - surface: Its index in the trace's list.
  ///   - depth: How much of the pipeline the measurement needs.
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

/// The pipeline of a trace, rebuilt on first use.
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

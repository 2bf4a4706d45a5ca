public import FrameTrace
import Synchronization

/// A trace under given options, reconstructed once: its surfaces, the primary one, and what is known about each
/// surface.
///
/// Analyses, comparisons, histories, plots, exports, and reports all query the study of a trace. Nothing is computed
/// before it is needed, and the pipeline is rebuilt only once for all of them, regardless of which threads query it.
public final class Study: Sendable {
  /// The trace that is studied, excluding surfaces that are left out.
  public let trace: Trace
  /// How the trace is measured.
  public let options: AnalysisOptions
  /// Which surfaces were chosen, by name.
  public let choice: SurfaceChoice
  /// The chosen surfaces, by their indices in the trace's list. The others still affect them
  /// because they share the compositor and the GPU.
  public let surfaces: [Int]
  /// The chosen surfaces, the primary one first; see ``SurfaceOrder``.
  package var ordered: [Int] {
    var options = options
    options.region = nil
    return ordered { [self, options] surface in
      SurfaceOrder.Facts(
        self.options.region == nil
          ? self.surface(surface) : measuredSurface(surface, pipeline(), options))
    }
  }

  /// The chosen surfaces in the same order, based on existing measurements of the complete recording.
  func ordered(by facts: @escaping (Int) -> SurfaceOrder.Facts) -> [Int] {
    knownOrder.value { SurfaceOrder(trace, facts).ordered(surfaces) }
  }
  private let knownOrder = Once<[Int]>()
  /// The number of chosen surfaces that are not studied; none has more frames than a studied surface.
  public let leftOut: Int
  /// The maximum number of surfaces that are studied. Nobody reads a trace with more surfaces, and their rebuilt
  /// pipelines would take 20 kB each.
  public static let mostSurfaces = 10_000
  /// The time from the first to the last instant of the trace; `nil` if it has no times.
  public var timeRange: ClosedRange<Timestamp>? { knownTimeRange.value { trace.timeRange } }
  private let knownTimeRange = Once<ClosedRange<Timestamp>?>()
  /// The instant that times are relative to: the start of the recording if its tool counts from there, otherwise the
  /// start of the trace; 0 if only a part of the trace was read.
  package var origin: Timestamp { trace.origin(of: trace.isPartial ? nil : timeRange) }
  /// The launches of the processes that were chosen, in the order of the trace.
  public var launches: [RebuiltLaunch] {
    knownLaunches.value {
      RebuiltLaunch.all(trace).filter { choice.matches(process: [$0.process]) }
    }
  }
  private let knownLaunches = Once<[RebuiltLaunch]>()
  /// How its surfaces, and the findings on each, are computed.
  package let parallelism: Parallelism

  private let reconstruction: Reconstructed
  private let measured = Mutex(MeasuredSurfaces())

  /// The surfaces that are kept. Plots of one surface usually follow one another, and a trace with thousands of
  /// surfaces does not fit into memory.
  private struct MeasuredSurfaces {
    /// The most recently used surface.
    var latest: MeasuredSurface?
    /// The surfaces in use, by index.
    var used: [Int: MeasuredSurface] = [:]
  }

  /// - Parameters:
  ///   - choice: Which surfaces are studied.
  ///   - parallelism: How the surfaces, and the findings on each, are computed. Results do not depend on this choice.
  public convenience init(
    of trace: Trace, _ options: AnalysisOptions = AnalysisOptions(), _ choice: SurfaceChoice = .all,
    _ parallelism: Parallelism = .none
  ) {
    self.init(Reconstructed(trace, parallelism), options, choice, most: Self.mostSurfaces)
  }

  /// - Parameter most: The maximum number of surfaces that are studied.
  convenience init(of trace: Trace, most: Int) {
    self.init(Reconstructed(trace, .none), AnalysisOptions(), .all, most: most)
  }

  private init(
    _ reconstruction: Reconstructed, _ options: AnalysisOptions, _ choice: SurfaceChoice, most: Int
  ) {
    let whole = reconstruction.trace
    let chosen = whole.surfaces.indices.filter { choice.matches(whole.surfaces[$0]) }
    leftOut = max(0, chosen.count - most)
    let kept =
      leftOut == 0 ? chosen : Array(SurfaceOrder.byFrames(chosen, of: whole).prefix(most)).sorted()
    parallelism = reconstruction.parallelism
    self.reconstruction =
      leftOut == 0 ? reconstruction : Reconstructed(whole.reduced(to: kept), parallelism)
    trace = self.reconstruction.trace
    self.options = options
    self.choice = choice
    surfaces = leftOut == 0 ? chosen : Array(kept.indices)
  }

  /// The index of the primary surface in the trace's list: among the chosen surfaces, the one that a person looked at;
  /// see ``SurfaceOrder``. `nil` if there is none.
  public var meant: Int? { ordered.first }

  /// A study of the same trace that measures a different part.
  package func within(_ region: TraceRegion?) -> Study {
    var options = options
    options.region = region
    return Study(reconstruction, options, choice, most: Self.mostSurfaces)
  }

  /// The rebuilt pipeline of the trace.
  /// - Parameter depth: How much of the pipeline is needed.
  package func pipeline(_ depth: Pipeline.Depth = .whole) -> Pipeline {
    reconstruction.pipeline(depth)
  }

  /// A surface to be measured.
  /// - Parameters:
  ///   - surface: The surface's index in the trace's list.
  ///   - depth: How much of the pipeline the measurement needs.
  package func surface(_ surface: Int, _ depth: Pipeline.Depth = .whole) -> MeasuredSurface {
    if depth == .whole, let kept = kept(surface) { return kept }
    let found = measuredSurface(surface, pipeline(depth), options)
    if depth == .whole { measured.withLock { $0.latest = found } }
    return found
  }

  private func measuredSurface(
    _ surface: Int, _ pipeline: Pipeline, _ options: AnalysisOptions
  ) -> MeasuredSurface {
    MeasuredSurface(
      pipeline, index: surface, options,
      rests: { [reconstruction] in
        reconstruction.rests(of: surface, in: pipeline)
      }, threads: { [reconstruction] in reconstruction.threads })
  }

  private func kept(_ surface: Int) -> MeasuredSurface? {
    measured.withLock { measured in
      if let latest = measured.latest, latest.index == surface { return latest }
      return measured.used[surface]
    }
  }

  /// Calls a closure with a surface. Until it returns, ``surface(_:_:)`` returns the same object for
  /// that index, even if other threads measure other surfaces.
  package func using<Value>(
    _ surface: Int, _ depth: Pipeline.Depth, _ body: (MeasuredSurface) -> Value
  ) -> Value {
    let found = self.surface(surface, depth)
    if depth == .whole { measured.withLock { $0.used[surface] = found } }
    defer { measured.withLock { $0.used[surface] = nil } }
    return body(found)
  }
}

/// The pipeline of a trace, rebuilt on first use.
private final class Reconstructed: Sendable {
  let trace: Trace
  let parallelism: Parallelism
  private let whole = Once<Pipeline>()
  private let outcomes = Once<Pipeline>()
  private let mayRest = Once<Bool>()
  private let knownThreads = Once<ThreadFacts?>()

  init(_ trace: Trace, _ parallelism: Parallelism) {
    self.trace = trace
    self.parallelism = parallelism
  }

  /// What the trace shows about threads; `nil` if nothing.
  var threads: ThreadFacts? { knownThreads.value { ThreadFacts(trace) } }

  func pipeline(_ depth: Pipeline.Depth) -> Pipeline {
    let known =
      switch depth {
      case .whole: whole
      case .outcomes: outcomes
      }
    return known.value { Pipeline(reconstructing: trace, depth, parallelism: parallelism) }
  }

  /// The rests of a surface's app. Finding them requires the complete pipeline if there can be any.
  /// - Parameter own: A pipeline of the trace that is known.
  func rests(of surface: Int, in own: Pipeline) -> AppRests {
    mayRest.value { trace.mayRest }
      ? AppRests(pipeline(.whole).surfaces[surface]) : AppRests(own.stops(of: surface))
  }
}

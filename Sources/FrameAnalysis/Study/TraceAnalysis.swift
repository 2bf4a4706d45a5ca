public import FrameTrace

/// All measurements of a trace.
public struct TraceAnalysis: Sendable {
  /// The trace that was analyzed.
  public let trace: Trace
  /// The time from the first to the last instant of the trace; `nil` if it has no times, or if only a part of it was
  /// read.
  public let timeRange: ClosedRange<Timestamp>?
  /// The surfaces that were chosen, in trace order.
  public let surfaces: [SurfaceAnalysis]
  /// The same surfaces, with the one that a person looked at first.
  package let ordered: [SurfaceAnalysis]
  /// The number of other chosen surfaces, none with more frames than those above; see ``Study/mostSurfaces``.
  public let surfacesLeftOut: Int
  /// The launches, in trace order.
  public let launches: LaunchAnalysis
  /// The hangs that its source states.
  public let hangs: HangFindings
  /// The interactions with pages in the trace.
  public let interactions: PageInteractions
  /// Whether only some metrics were requested.
  public let isSelection: Bool
  /// How the trace was measured.
  public let options: AnalysisOptions
  /// The refreshes of the trace's displays; empty when the requested metrics need none.
  public let displays: [DisplayRefreshes]

  /// The instant that times are relative to: the start of the recording if its tool counts from there, otherwise the
  /// start of the trace.
  public var origin: Timestamp { trace.origin(of: timeRange) }

  /// Measures the surfaces of a study.
  public init(of study: Study, metrics selection: MetricSelection = .all) {
    self = Self.visit(study, metrics: selection) { _ in }.analysis
  }

  /// Measures the surfaces of a study.
  /// - Parameter visit: Receives the index of each surface after it was measured. Anything else that is needed from a
  ///   surface is fastest to compute in this closure, because the study keeps only the surfaces in use and the last
  ///   one.
  /// - Returns: The measurements, and for each surface, the result of `visit`.
  package static func visit<Visited: Sendable>(
    _ study: Study, metrics selection: MetricSelection = .all,
    _ visit: @escaping @Sendable (Int) -> Visited
  ) -> (analysis: TraceAnalysis, visited: [Visited]) {
    let isRebuilt = selection.needsReconstruction || study.options.worstCount > 0
    let depth = isRebuilt ? Pipeline.Depth.whole : .outcomes
    let time = (study.trace.isPartial ? nil : study.timeRange).map {
      CoveredTime(study.pipeline(depth), $0, study.options.region)
    }
    let length = { (position: Int) in study.trace.surfaces[study.surfaces[position]].frames.count }
    let found = study.parallelism.map(study.surfaces.count, by: length) { position in
      let surface = study.surfaces[position]
      return study.using(surface, depth) { measured in
        (SurfaceAnalysis(measured, selection, time, study.parallelism), visit(surface))
      }
    }
    let analysis = TraceAnalysis(study, selection, depth, found.map(\.0))
    return (analysis, found.map(\.1))
  }

  private init(
    _ study: Study, _ selection: MetricSelection, _ depth: Pipeline.Depth,
    _ surfaces: [SurfaceAnalysis]
  ) {
    trace = study.trace
    timeRange = study.trace.isPartial ? nil : study.timeRange
    self.surfaces = surfaces
    let positions = Dictionary(uniqueKeysWithValues: zip(surfaces.map(\.index), surfaces.indices))
    let isWhole = study.options.region == nil && depth == .whole
    let order =
      isWhole
      ? study.ordered { SurfaceOrder.Facts(surfaces[positions[$0, default: 0]]) } : study.ordered
    ordered = order.compactMap { positions[$0].map { surfaces[$0] } }
    surfacesLeftOut = study.leftOut
    launches = LaunchAnalysis([study])
    hangs = HangFindings(study.trace, within: study.options.region)
    interactions = PageInteractions(study.trace, within: study.options.region)
    isSelection = !selection.isAll
    options = study.options
    displays = study.pipeline(depth).displays
  }

  /// Measures the surfaces of a trace.
  /// - Parameter choice: Which surfaces are measured.
  public init(
    of trace: Trace, metrics selection: MetricSelection = .all,
    options: AnalysisOptions = AnalysisOptions(), surfaces choice: SurfaceChoice = .all
  ) {
    self.init(of: Study(of: trace, options, choice), metrics: selection)
  }
}

extension LaunchAnalysis {
  /// The launches of the processes that the studies include.
  public init(_ studies: [Study]) { self.init(studies.map(\.trace), studies.map(\.launches)) }
}

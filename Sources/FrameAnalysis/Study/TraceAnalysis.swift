public import FrameTrace

/// All measurements of a trace.
public struct TraceAnalysis: Sendable {
  /// The trace that was analyzed.
  public let trace: Trace
  /// From the first to the last instant of the trace; `nil` when it has no times, or when
  /// only a part of it was read.
  public let timeRange: ClosedRange<Timestamp>?
  /// The surfaces that were chosen, in the order of the trace.
  public let surfaces: [SurfaceAnalysis]
  /// How many more surfaces were chosen, each with no more frames than those; see ``Study/mostSurfaces``.
  public let surfacesLeftOut: Int
  /// Its launches, in the order of the trace.
  public let launches: LaunchAnalysis
  /// The hangs that its source states.
  public let hangs: HangFindings
  /// The interactions with pages in it.
  public let interactions: PageInteractions
  /// Whether only some metrics were requested.
  public let isSelection: Bool
  /// How it was measured.
  public let options: AnalysisOptions
  /// The refreshes of the trace's displays; empty when the requested metrics need none.
  public let displays: [DisplayRefreshes]

  /// The instant that times are relative to: the start of the trace.
  public var origin: Timestamp { timeRange?.lowerBound ?? Timestamp(nanoseconds: 0) }

  /// Measures the surfaces of a study.
  public init(of study: Study, metrics selection: MetricSelection = .all) {
    self.init(of: study, metrics: selection) { _ in }
  }

  /// Measures the surfaces of a study, one after the other.
  /// - Parameter visit: Receives the index of each surface after it was measured. Anything else that
  ///   is needed of a surface is fastest to compute there, because the study keeps only the last
  ///   surface.
  package init(
    of study: Study, metrics selection: MetricSelection = .all, visiting visit: (Int) -> Void
  ) {
    let isRebuilt = selection.needsReconstruction || study.options.worstCount > 0
    let depth = isRebuilt ? Pipeline.Depth.whole : .outcomes
    trace = study.trace
    surfacesLeftOut = study.leftOut
    options = study.options
    hangs = HangFindings(study.trace, within: study.options.region)
    interactions = PageInteractions(study.trace, within: study.options.region)
    isSelection = !selection.isAll
    displays = study.pipeline(depth).displays
    launches = LaunchAnalysis([study])
    timeRange = study.trace.isPartial ? nil : study.timeRange
    let time = timeRange.map {
      CoveredTime(study.pipeline(depth), $0, study.options.region)
    }
    surfaces = study.surfaces.map { surface in
      let measured = SurfaceAnalysis(study.surface(surface, depth), selection, time)
      visit(surface)
      return measured
    }
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

/// Everything that is measured of a trace.
public struct TraceAnalysis: Sendable {
  public let trace: Trace
  /// From the first to the last instant of the trace; `nil` when it has no times, or when
  /// only a part of it was read.
  public let timeRange: ClosedRange<Timestamp>?
  public let surfaces: [SurfaceAnalysis]
  /// Its launches, in the order of the trace.
  public let launches: LaunchAnalysis
  /// The hangs that its source states.
  public let hangs: HangFindings
  /// Whether only some metrics were asked for.
  public let isSelection: Bool
  public let options: AnalysisOptions
  /// The refreshes of the trace's displays; empty when the metrics asked for need none.
  public let displays: [DisplayRefreshes]

  /// The instant that times are given from: the start of the trace.
  public var origin: Timestamp { timeRange?.lowerBound ?? Timestamp(nanoseconds: 0) }

  /// Measures surfaces of the trace.
  /// - Parameter isWanted: Whether a surface is measured. The others still count for what
  ///   happened to it, as they share the compositor and the GPU.
  public init(
    of trace: Trace, _ selection: MetricSelection = .all,
    _ options: AnalysisOptions = AnalysisOptions(),
    where isWanted: (Surface) -> Bool = { _ in true }
  ) {
    let isRebuilt = selection.needsReconstruction || options.worstCount > 0
    let pipeline = Pipeline(reconstructing: trace, isRebuilt ? .whole : .outcomes)
    self.trace = trace
    self.options = options
    hangs = HangFindings(trace, within: options.region)
    isSelection = !selection.isAll
    displays = pipeline.displays
    launches = LaunchAnalysis([trace])
    timeRange = trace.isPartial ? nil : trace.timeRange
    surfaces = trace.surfaces.indices.filter { isWanted(trace.surfaces[$0]) }.map { index in
      SurfaceAnalysis(MeasuredSurface(pipeline, index: index, options), selection)
    }
  }
}

/// What a metric gave for a surface, described.
public struct MetricResult: Hashable, Sendable {
  /// The figures that describe the measurement.
  public enum Figures: Hashable, Sendable {
    /// Of values of frames, in the metric's unit.
    case summary(Summary)
    /// One figure made of `n` frames.
    case figure(Double, n: Int)
    /// Nothing, and why.
    case unavailable(String)
  }

  public private(set) var name: String
  public let unit: MetricUnit
  public let figures: Figures
  public private(set) var definition: String?
  /// Why a better definition was passed over; `nil` where none was.
  public private(set) var passedOver: String?
  public let missing: Int
  public let exclusions: [Measurement.Exclusion]
  public let isInferred: Bool

  init(_ metric: any Metric, _ measurement: Measurement) {
    name = metric.name
    unit = metric.unit
    definition = measurement.definition
    passedOver = measurement.passedOver
    missing = measurement.missing
    exclusions = measurement.exclusions
    isInferred = measurement.isInferred
    figures =
      switch measurement.content {
      case .sample(let sample): Summary(sample).map { .summary($0) } ?? .unavailable("no values")
      case .figure(let figure, let n): .figure(figure, n: n)
      case .unavailable(let why): .unavailable(why)
      }
  }

  /// The result of a metric that has the same values under another name.
  func renamed(_ name: String, _ use: MeasurementBasis.Use) -> MetricResult {
    var result = self
    result.name = name
    result.definition = use.definition
    result.passedOver = use.passedOver
    return result
  }
}

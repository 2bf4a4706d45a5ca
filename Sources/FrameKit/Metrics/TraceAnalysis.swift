/// Everything that is measured of a trace.
public struct TraceAnalysis: Sendable {
  public let trace: Trace
  /// From the first to the last instant of the trace; `nil` when it has no times, or when
  /// only a part of it was read.
  public let timeRange: ClosedRange<Timestamp>?
  public let surfaces: [SurfaceAnalysis]
  /// Whether only some metrics were asked for.
  public let isSelection: Bool

  /// Measures every surface of the trace.
  public init(of trace: Trace, _ selection: MetricSelection = .all) {
    let pipeline = Pipeline(reconstructing: trace)
    self.trace = trace
    isSelection = !selection.isAll
    timeRange = trace.isPartial ? nil : trace.timeRange
    surfaces = trace.surfaces.indices.map { index in
      SurfaceAnalysis(MeasuredSurface(pipeline, index: index), selection.metrics)
    }
  }
}

/// What is measured of one surface.
public struct SurfaceAnalysis: Sendable {
  public let id: String
  public let name: String?
  public let process: String?
  public let processID: Int?
  public let outcomes: FrameOutcomes
  /// The metrics in the order of their list, with what each gave.
  public let metrics: [MetricResult]

  init(_ measured: MeasuredSurface, _ selection: [any Metric]) {
    id = measured.surface.id
    name = measured.surface.name
    process = measured.surface.process
    processID = measured.surface.processID
    outcomes = measured.outcomes
    var known: [MeasurementBasis: MetricResult] = [:]
    metrics = selection.map { metric in
      let basis = metric.basis(on: measured)
      if let basis, let same = known[basis.basis] {
        return same.renamed(metric.name, definition: basis.definition)
      }
      let measurement = metric.measure(measured)
      let result = MetricResult(metric, measurement)
      measured.keep(measurement, of: basis?.basis)
      measured.recycle(measurement)
      if let basis { known[basis.basis] = result }
      return result
    }
  }

  /// The result of the metric with that name; `nil` when there is no such metric.
  public subscript(name: String) -> MetricResult? { metrics.first { $0.name == name } }
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
  public let missing: Int
  public let exclusions: [Measurement.Exclusion]
  public let isInferred: Bool

  init(_ metric: any Metric, _ measurement: Measurement) {
    name = metric.name
    unit = metric.unit
    definition = measurement.definition
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
  fileprivate func renamed(_ name: String, definition: String?) -> MetricResult {
    var result = self
    result.name = name
    result.definition = definition
    return result
  }
}

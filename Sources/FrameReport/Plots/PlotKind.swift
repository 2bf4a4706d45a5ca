public import FrameAnalysis
public import FrameTrace
public import FrameVerdicts

/// The available plots.
public enum Plots {
  /// All kinds, in listing order.
  public static let all: [PlotKind] = [
    .traces(.pipeline),
    .traces(.occupancy),
    .traces(.threadStates),
    .traces(.frameTimes),
    .traces(.frameTimeHistogram),
    .traces(.frameTimeDistribution),
    .traces(.latency),
    .traces(.latencyHistogram),
    .traces(.latencyDistribution),
    .traces(.latencyWaterfall),
    .traces(.drops),
    .traces(.limits),
    .traces(.replay),
    .traces(.hitches),
    .traces(.jitter),
    .traces(.stutters),
    .comparison(.compare),
    .traces(.launch),
    .jobs(.history),
  ]

  /// The kind with the given name; `nil` if there is none.
  public static func named(_ name: String) -> PlotKind? { all.first { $0.name == name } }

  /// A plot of a history by version.
  public static func versions(
    _ versions: [HistoryVersion], _ options: PlotOptions = .init()
  ) throws(PlotRefusal) -> Plot {
    try VersionsPlot(versions).plot(options)
  }
}

/// A kind of plot, by its input.
public enum PlotKind: Sendable {
  case traces(TracePlot)
  case comparison(ComparisonPlot)
  case jobs(JobsPlot)

  /// The name on the command line.
  public var name: String {
    switch self {
    case .traces(let plot): plot.name
    case .comparison(let plot): plot.name
    case .jobs(let plot): plot.name
    }
  }

  /// A one-sentence summary of what the plot shows.
  public var summary: String {
    switch self {
    case .traces(let plot): plot.summary
    case .comparison(let plot): plot.summary
    case .jobs(let plot): plot.summary
    }
  }

  /// A description of its operands.
  public var takes: String {
    switch self {
    case .traces(let plot): plot.takesSeveral ? "one trace or several" : "one trace"
    case .comparison: "runs before and after"
    case .jobs: "summaries of jobs in order"
    }
  }

  /// What a user can choose for this kind of plot.
  public var choices: Set<Choice> {
    switch self {
    case .traces(let plot): plot.choices
    case .comparison: []
    case .jobs: [.metric]
    }
  }

  /// An option that some plots support.
  public enum Choice: CaseIterable, Sendable {
    /// A different metric instead of the default.
    case metric
    /// The frame at the center.
    case frame
    /// A part of the trace, and the timing of light.
    case region
    /// Sensors and counters, in panels below the plot.
    case telemetry
    /// A separate recording of threads.
    case threads
  }
}

/// A plot of traces.
public struct TracePlot: Sendable {
  /// The part of the traces that is drawn, with the drawing function.
  enum Drawing: Sendable {
    /// One surface of one trace.
    case surface(@Sendable (PlottedSurface, PlotOptions) throws(PlotRefusal) -> Plot)
    /// One surface of each trace.
    case surfaces(@Sendable ([PlottedSurface], PlotOptions) throws(PlotRefusal) -> Plot)
    /// Whole traces, limited to the selected parts.
    case studies(
      severalAreSeen: Bool, @Sendable ([Study], PlotOptions) throws(PlotRefusal) -> Plot)
  }

  /// The name on the command line, and a one-sentence summary of what is drawn.
  public let name, summary: String
  /// What a user can choose for this plot.
  public let choices: Set<PlotKind.Choice>
  /// The depth of the pipeline reconstruction that the plot needs.
  let depth: Pipeline.Depth
  let drawing: Drawing

  init(
    _ name: String, _ summary: String, _ choices: Set<PlotKind.Choice>,
    depth: Pipeline.Depth = .whole, _ drawing: Drawing
  ) {
    (self.name, self.summary, self.choices) = (name, summary, choices)
    self.depth = depth
    self.drawing = drawing
  }

  /// Whether the plot shows several traces at once.
  public var takesSeveral: Bool {
    switch drawing {
    case .surface: false
    case .surfaces: true
    case .studies(let severalAreSeen, _): severalAreSeen
    }
  }

  /// The data that must be read from traces for the plot.
  public func demand(_ options: PlotOptions) -> TraceDemand {
    if depth == .whole || !options.telemetry.isEmpty { return .everything }
    if case .studies = drawing { return .everything }
    return MetricSelection([options.metric ?? "frameTime"])?.demand ?? .everything
  }

  /// Draws traces, with the selected surface of each.
  public func draw(
    _ studies: [Study], _ options: PlotOptions = .init()
  ) throws(PlotRefusal) -> Plot {
    if case .studies(_, let draw) = drawing { return try draw(studies, options) }
    var surfaces: [PlottedSurface] = []
    for study in studies {
      guard let surface = PlottedSurface(study, depth) else {
        throw PlotRefusal("\(study.trace.provenance.file): there are no frames to draw")
      }
      surfaces.append(surface)
    }
    return try draw(surfaces, options)
  }

  /// Draws surfaces.
  func draw(
    _ surfaces: [PlottedSurface], _ options: PlotOptions
  ) throws(PlotRefusal) -> Plot {
    switch drawing {
    case .surfaces(let draw): return try draw(surfaces, options)
    case .surface(let draw):
      guard surfaces.count == 1, let surface = surfaces.first else {
        throw PlotRefusal("\(name) shows one trace, found \(surfaces.count)")
      }
      return try draw(surface, options)
    case .studies: throw PlotRefusal("\(name) shows whole traces, not single surfaces")
    }
  }
}

/// A plot of runs before and after a change.
public struct ComparisonPlot: Sendable {
  /// The name on the command line, and a one-sentence summary of what is drawn.
  public let name, summary: String
  let drawing: @Sendable (Comparison) throws(PlotRefusal) -> Plot

  /// Draws a comparison.
  public func draw(_ comparison: Comparison) throws(PlotRefusal) -> Plot {
    try drawing(comparison)
  }
}

/// A plot of jobs in order.
public struct JobsPlot: Sendable {
  /// The name on the command line, and a one-sentence summary of what is drawn.
  public let name, summary: String
  let drawing: @Sendable (HistoryExcerpt, PlotOptions) throws(PlotRefusal) -> Plot

  /// Draws a part of a history.
  public func draw(
    _ history: HistoryExcerpt, _ options: PlotOptions = .init()
  ) throws(PlotRefusal) -> Plot {
    try drawing(history, options)
  }

  /// Draws summaries of jobs in order, with the chosen metric or the default one.
  public func draw(
    jobs: [[RunSummary]], _ options: PlotOptions = .init()
  ) throws(PlotRefusal) -> Plot {
    let isOfLaunches = jobs.allSatisfy { $0.allSatisfy { $0.count == 0 } }
    let wanted = options.metric ?? (isOfLaunches ? "launchTime" : "p95")
    let known = RunMetric(rawValue: wanted)
    let names =
      wanted == "launchTime"
      ? LaunchMeasure.all.map { "p50(\($0.name))" }
      : known.map { [$0.isTime ? "\(wanted)(frameTime)" : wanted] } ?? []
    guard !names.isEmpty else {
      let all = RunMetric.allCases.map(\.rawValue) + ["launchTime"]
      throw PlotRefusal(
        "history cannot draw \(wanted)", help: "available: \(all.joined(separator: ", "))")
    }
    let excerpt = HistoryExcerpt(jobs) { names.contains($0.name) }
    guard !excerpt.series.isEmpty else { throw PlotRefusal("no job has values of \(wanted)") }
    return try draw(excerpt, options)
  }
}

/// A kind of plot: what it is called, what it shows, and how it is put together.
public struct PlotKind: Sendable {
  /// What a plot is made of, and how.
  enum Drawing: Sendable {
    /// One surface of one trace.
    case surface(@Sendable (PlottedSurface, PlotOptions) throws(PlotRefusal) -> Plot)
    /// One surface or several, of any traces.
    case surfaces(@Sendable ([PlottedSurface], PlotOptions) throws(PlotRefusal) -> Plot)
    /// The launches of traces.
    case launches(@Sendable ([Trace], PlotOptions) throws(PlotRefusal) -> Plot)
    /// Runs before a change and runs after it.
    case comparison(@Sendable (Comparison, PlotOptions) throws(PlotRefusal) -> Plot)
    /// Jobs in order, each with its runs.
    case jobs(@Sendable ([[RunSummary]], PlotOptions) throws(PlotRefusal) -> Plot)
  }

  /// The name on the command line.
  public let name: String
  /// What it shows, in one sentence.
  public let summary: String
  /// Whether the pipeline has to be rebuilt for it.
  let needsReconstruction: Bool
  let drawing: Drawing

  init(
    _ name: String, _ summary: String, needsReconstruction: Bool = true, _ drawing: Drawing
  ) {
    self.name = name
    self.summary = summary
    self.needsReconstruction = needsReconstruction
    self.drawing = drawing
  }

  /// What it takes, as operands are written.
  public var takes: Input {
    switch drawing {
    case .surface: .trace
    case .surfaces, .launches: .traces
    case .comparison: .sides
    case .jobs: .jobs
    }
  }

  /// Whether another metric can be shown in place of its own.
  public var takesMetric: Bool {
    let without: Set = ["pipeline", "occupancy", "latency-waterfall", "drops", "compare", "launch"]
    return !without.contains(name)
  }

  /// Whether it shows what is around a frame.
  public var takesFrame: Bool { name == "pipeline" || name == "occupancy" }

  /// Whether a part of a trace can be shown, and how light is counted.
  public var takesRegion: Bool {
    switch drawing {
    case .surface, .surfaces: true
    case .launches, .comparison, .jobs: false
    }
  }

  /// What has to be read of traces for it.
  public func demand(_ options: PlotOptions) -> TraceDemand {
    if needsReconstruction || takes == .jobs { return .everything }
    if case .launches = drawing { return .everything }
    return MetricSelection([options.metric ?? "frameTime"])?.demand ?? .everything
  }

  /// What a plot is made of.
  public enum Input: String, Sendable {
    case trace = "one trace"
    case traces = "one trace or several"
    case sides = "runs before and after"
    case jobs = "summaries of jobs in order"
  }
}

extension PlotKind {
  /// Draws traces.
  /// - Parameter isWanted: Which surfaces may be drawn; of several wanted ones of a trace the
  ///   one with most frames is.
  public func draw(
    _ traces: [PlottedTrace], _ options: PlotOptions = .init(),
    where isWanted: (Surface) -> Bool = { _ in true }
  ) throws(PlotRefusal) -> Plot {
    switch drawing {
    case .surface(let draw):
      guard traces.count == 1 else {
        throw PlotRefusal("\(name) shows one trace, found \(traces.count)")
      }
      return try draw(try surfaces(traces, options, isWanted)[0], options)
    case .surfaces(let draw):
      return try draw(try surfaces(traces, options, isWanted), options)
    case .launches(let draw): return try draw(traces.map(\.trace), options)
    case .comparison, .jobs: throw PlotRefusal("\(name) takes \(takes.rawValue), not traces")
    }
  }

  /// Draws a comparison.
  public func draw(
    _ comparison: Comparison, _ options: PlotOptions = .init()
  ) throws(PlotRefusal) -> Plot {
    guard case .comparison(let draw) = drawing else {
      throw PlotRefusal("\(name) takes \(takes.rawValue), not a comparison")
    }
    return try draw(comparison, options)
  }

  /// Draws jobs.
  public func draw(
    jobs: [[RunSummary]], _ options: PlotOptions = .init()
  ) throws(PlotRefusal) -> Plot {
    guard case .jobs(let draw) = drawing else {
      throw PlotRefusal("\(name) takes \(takes.rawValue), not jobs")
    }
    return try draw(jobs, options)
  }

  private func surfaces(
    _ traces: [PlottedTrace], _ options: PlotOptions, _ isWanted: (Surface) -> Bool
  ) throws(PlotRefusal) -> [PlottedSurface] {
    var surfaces: [PlottedSurface] = []
    for trace in traces {
      guard let surface = PlottedSurface(trace, options, isWanted) else {
        throw PlotRefusal("\(trace.trace.provenance.file): there are no frames to draw")
      }
      surfaces.append(surface)
    }
    return surfaces
  }
}

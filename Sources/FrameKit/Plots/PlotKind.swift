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
    /// Jobs in order.
    case history(@Sendable (HistoryExcerpt, PlotOptions) throws(PlotRefusal) -> Plot)
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
    case .history: .jobs
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
    case .launches, .comparison, .history: false
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
    case .comparison, .history: throw PlotRefusal("\(name) takes \(takes.rawValue), not traces")
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

  /// Draws summaries of jobs in order.
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
        "history shows no \(wanted)", help: "there are: \(all.joined(separator: ", "))")
    }
    let excerpt = HistoryExcerpt(jobs) { names.contains($0.name) }
    guard !excerpt.series.isEmpty else { throw PlotRefusal("no job has a \(wanted)") }
    return try draw(history: excerpt, options)
  }

  /// Draws a part of a history.
  public func draw(
    history: HistoryExcerpt, _ options: PlotOptions = .init()
  ) throws(PlotRefusal) -> Plot {
    guard case .history(let draw) = drawing else {
      throw PlotRefusal("\(name) takes \(takes.rawValue), not a history")
    }
    return try draw(history, options)
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

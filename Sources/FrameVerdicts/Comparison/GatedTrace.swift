public import FrameAnalysis
import FrameTrace

/// The results of limits for a trace, and whether the limits would detect a slower trace.
public struct GatedTrace: Sendable {
  /// The trace's file.
  public let file: String
  /// The result of a limit for a surface.
  public struct SurfaceResult: Sendable {
    /// The surface's id, or another object that the limit is checked against.
    public let surface: String
    /// The result.
    public let result: GateResult
  }

  /// The result of each limit for each surface.
  public let results: [SurfaceResult]
  /// For each result, whether the limit fails on the slowed trace; empty if that was not requested.
  public let noticed: [Bool]
  /// The share by which the trace was slowed; `nil` if that was not requested.
  public let slower: Double?
  /// Limits that one half of the trace fails although the complete trace keeps them.
  public let uneven: [String]

  /// Whether every limit that the trace keeps now fails on the slowed trace; true if that was not
  /// requested.
  public var isProved: Bool { zip(results, noticed).allSatisfy { $1 || $0.result.isKept == false } }

  /// - Parameter slower: The share by which the trace is slowed to test the limits; `nil` for no
  ///   test.
  public init(_ study: Study, _ limits: [GateLimit], slower: Double?) {
    file = study.trace.provenance.file
    self.slower = slower
    let now = Self.check(study, limits)
    results = now
    guard let slower else {
      (noticed, uneven) = ([], [])
      return
    }
    noticed = Self.check(study.slowed(by: slower), limits).map { $0.result.isKept == false }
    uneven = study.halves.flatMap { half in
      zip(now, Self.check(half, limits)).compactMap { whole, part in
        whole.result.isKept == true && part.result.isKept == false
          ? "\(part.surface): \(part.result.limit.text)" : nil
      }
    }
  }

  private static func check(
    _ study: Study, _ limits: [GateLimit]
  ) -> [SurfaceResult] {
    let ofFrames = limits.filter { !$0.isOfLaunches }
    let analysis = TraceAnalysis(
      of: study, metrics: MetricSelection(Set(ofFrames.flatMap(\.metricsNeeded))) ?? .all)
    let frames = analysis.surfaces.flatMap { surface in
      ofFrames.map { limit in
        let names = [surface.process, surface.name ?? surface.id].compactMap { $0 }
        return SurfaceResult(
          surface: names.joined(separator: " "), result: limit.check(surface))
      }
    }
    let figures = StatedFigures.all(of: analysis)
    // A count of zero without any frames is not a figure that can keep a limit.
    let counted = StatedMetric.frames.rawValue
    let empty = figures.filter { $0.metric == counted && $0.values.allSatisfy { $0 == 0 } }
      .map(\.scene)
    let stated = ofFrames.flatMap { limit in
      figures.filter { limit.names($0.metric) }.map { figure in
        let isOfNothing = figure.metric != counted && empty.contains(figure.scene)
        return SurfaceResult(
          surface: figure.scene ?? "",
          result: isOfNothing ? limit.checkWithoutFrames : limit.check(figure))
      }
    }
    // A limit without any value to check does not count as kept.
    let histograms = analysis.trace.bins.histograms
    let inField = limits.flatMap { limit in
      histograms.filter { $0.metric == limit.metric }.map {
        SurfaceResult(surface: "the field", result: limit.check($0))
      }
    }
    let measured = Set(figures.map(\.metric) + histograms.map(\.metric))
    let missing = ofFrames.filter { limit in !measured.contains(where: limit.names) }
    let nothing =
      analysis.surfaces.isEmpty
      ? missing.map {
        SurfaceResult(
          surface: "", result: $0.checkWithoutSurface(isStated: !measured.isEmpty))
      } : []
    let ofLaunches = limits.filter { limit in
      limit.isOfLaunches
        && (analysis.trace.launches.count > 0 || !measured.contains(where: limit.names))
    }
    let launched = ofLaunches.flatMap { check($0, analysis.launches) }
    return frames + stated + inField + nothing + launched
  }

  private static func check(
    _ limit: GateLimit, _ launches: LaunchAnalysis
  ) -> [SurfaceResult] {
    let groups = launches.groups.filter { group in
      !group.key.isProfiled && group.key.measure.name == limit.metric
    }
    if groups.isEmpty {
      return [SurfaceResult(surface: "", result: limit.check(nil as LaunchGroup?))]
    }
    return groups.map { SurfaceResult(surface: $0.title, result: limit.check($0)) }
  }
}

extension Study {
  /// The same trace slowed by a share. A region still covers the same frames.
  fileprivate func slowed(by share: Double) -> Study {
    var options = options
    options.region = options.region.map { $0.stretched(share, from: trace) }
    return Study(of: trace.slowed(by: share), options, choice)
  }

  /// The two halves of the trace in time; empty if the trace has no times.
  fileprivate var halves: [Study] {
    guard let whole = timeRange else { return [] }
    let region = options.region
    let start = region?.start ?? whole.lowerBound
    let end = region?.end ?? whole.upperBound
    let middle = start + Nanoseconds((end - start).count / 2)
    return [
      within(TraceRegion(start: region?.start, end: middle)),
      within(TraceRegion(start: middle, end: region?.end)),
    ]
  }
}

extension TraceRegion {
  fileprivate func stretched(_ share: Double, from trace: Trace) -> TraceRegion {
    guard let origin = trace.timeRange?.lowerBound else { return self }
    let moved = { (time: Timestamp) in
      origin + Nanoseconds(rounding: Double((time - origin).count) * (1 + share))
    }
    return TraceRegion(start: start.map(moved), end: end.map(moved))
  }
}

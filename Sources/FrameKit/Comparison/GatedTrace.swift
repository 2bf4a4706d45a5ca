/// What limits say of a trace, and whether they would notice if it got worse.
public struct GatedTrace: Sendable {
  public let file: String
  /// For each surface each limit.
  public let results: [(surface: String, result: GateResult)]
  /// For each of them whether it fails on the trace made slower; empty when that was not asked
  /// for.
  public let noticed: [Bool]
  /// By how much the trace was made slower.
  public let slower: Double?
  /// Limits that one half of the trace fails although the whole keeps them.
  public let uneven: [String]

  /// Whether the gate notices a slower trace by each limit that it keeps now; true when that was
  /// not asked for.
  public var isProved: Bool { zip(results, noticed).allSatisfy { $1 || $0.result.isKept == false } }

  /// - Parameters:
  ///   - slower: By how much the trace is made slower to see whether the gate notices; `nil`
  ///     when that is not asked for.
  ///   - isWanted: Which surfaces the limits are for.
  public init(
    _ trace: Trace, _ limits: [GateLimit], _ region: TraceRegion?, slower: Double?,
    where isWanted: (Surface) -> Bool
  ) {
    file = trace.provenance.file
    self.slower = slower
    let measured = limits.filter { !$0.isOfLaunches && $0.ofRun == nil }
    let metrics = MetricSelection(Set(measured.map(\.metric))) ?? .all
    var options = AnalysisOptions()
    options.region = region
    let now = Self.check(
      TraceAnalysis(of: trace, metrics, options, where: isWanted), limits, region)
    results = now
    guard let slower else {
      (noticed, uneven) = ([], [])
      return
    }
    // A region keeps its frames when the trace is stretched.
    let slow = trace.slowed(by: slower)
    options.region = region.map { $0.stretched(slower, from: trace) }
    noticed = Self.check(
      TraceAnalysis(of: slow, metrics, options, where: isWanted), limits, options.region
    )
    .map { $0.result.isKept == false }
    uneven = Self.halves(trace, region).flatMap { half in
      options.region = half
      let found = Self.check(
        TraceAnalysis(of: trace, metrics, options, where: isWanted), limits, half)
      return zip(now, found).compactMap { whole, part in
        whole.result.isKept == true && part.result.isKept == false
          ? "\(part.surface): \(part.result.limit.text)" : nil
      }
    }
  }

  private static func check(
    _ analysis: TraceAnalysis, _ limits: [GateLimit], _ region: TraceRegion?
  ) -> [(surface: String, result: GateResult)] {
    let ofFrames = limits.filter { !$0.isOfLaunches }
    let frames = analysis.surfaces.flatMap { surface in
      ofFrames.map { limit in
        let names = [surface.process, surface.name ?? surface.id].compactMap { $0 }
        let result =
          limit.ofRun.map { check(limit, $0, analysis.trace, surface, region) }
          ?? limit.check(surface)
        return (names.joined(separator: " "), result)
      }
    }
    let figures = StatedFigures.all(analysis.trace)
    let stated = ofFrames.flatMap { limit in
      figures.filter { $0.metric == limit.metric }.map { ($0.scene ?? "", limit.check($0)) }
    }
    // A limit that nothing is there for is not kept.
    let histograms = analysis.trace.bins.histograms
    let counted = limits.flatMap { limit in
      histograms.filter { $0.metric == limit.metric }.map { ("the field", limit.check($0)) }
    }
    let told = Set(figures.map(\.metric) + histograms.map(\.metric))
    let missing = ofFrames.filter { !told.contains($0.metric) }
    let nothing = analysis.surfaces.isEmpty ? missing.map { ("", $0.checkWithoutSurface) } : []
    let ofLaunches = limits.filter { limit in
      limit.isOfLaunches
        && (analysis.trace.launches.count > 0 || !told.contains(limit.metric))
    }
    return frames + stated + counted + nothing
      + ofLaunches.flatMap { check($0, analysis.launches) }
  }

  /// What the run that a surface is says of a limit on one of its figures.
  private static func check(
    _ limit: GateLimit, _ metric: RunMetric, _ trace: Trace, _ surface: SurfaceAnalysis,
    _ region: TraceRegion?
  ) -> GateResult {
    do throws(ComparisonRefusal) {
      let run = try RunTimes.of(
        trace, where: { $0.id == surface.id && $0.process == surface.process }, region: region)
      return limit.check(run.summary, metric)
    } catch {
      return GateResult(limit: limit, value: nil, unit: metric.unit, why: error.message)
    }
  }

  private static func check(
    _ limit: GateLimit, _ launches: LaunchAnalysis
  ) -> [(surface: String, result: GateResult)] {
    let groups = launches.groups.filter { group in
      !group.key.isProfiled && group.key.measure.name == limit.metric
    }
    if groups.isEmpty { return [("", limit.check(nil as LaunchGroup?))] }
    return groups.map { ($0.title, limit.check($0)) }
  }

  private static func halves(_ trace: Trace, _ region: TraceRegion?) -> [TraceRegion] {
    guard let whole = trace.timeRange else { return [] }
    let start = region?.start ?? whole.lowerBound
    let end = region?.end ?? whole.upperBound
    let middle = start + Nanoseconds((end - start).count / 2)
    return [
      TraceRegion(start: region?.start, end: middle), TraceRegion(start: middle, end: region?.end),
    ]
  }
}

extension TraceRegion {
  fileprivate func stretched(_ share: Double, from trace: Trace) -> TraceRegion {
    guard let origin = trace.timeRange?.lowerBound else { return self }
    let moved = { (time: Timestamp) in
      origin + Nanoseconds(Int64((Double((time - origin).count) * (1 + share)).rounded()))
    }
    return TraceRegion(start: start.map(moved), end: end.map(moved))
  }
}

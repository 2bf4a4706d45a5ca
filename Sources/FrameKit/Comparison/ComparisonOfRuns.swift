extension Comparison {
  /// The fewest earlier jobs that say anything of the noise.
  static let fewestJobs = 5

  /// Compares two groups of runs.
  public init(
    _ before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions = .init()
  ) throws(ComparisonRefusal) {
    switch options.kind {
    case .launch: try self.init(launches: before, after)
    case .frames, .latency: try self.init(runs: before, after, options)
    }
  }

  /// Compares the per-run values of two groups of runs.
  private init(
    runs before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) {
    try ComparisonChecks.refuse(before, after, options)
    let before = Self.inOrder(before)
    let after = Self.inOrder(after)
    let measures = try RunMeasure.all(before, after, options)
    let method = Self.method(before, after, options)
    let metrics = MetricFamily(before, after, options, measures, method).compared()
    self.before = before
    self.after = after
    kind = options.kind
    self.metrics = metrics
    let isSingle = method == .singleRun
    overall = Self.overall(metrics.filter(\.isGating).map(\.verdict), isSingle: isSingle)
    self.method = Self.words(method, before, after, options)
    warnings = ComparisonChecks.warnings(before, after, options, measures, method)
    beside = Self.beside(before, after)
  }

  /// Sums of real numbers depend on their order, so runs have one: by start, then by name.
  private static func inOrder(_ runs: [RunSummary]) -> [RunSummary] {
    runs.sorted { ($0.start ?? .min, $0.file) < ($1.start ?? .min, $1.file) }
  }

  static func method(
    _ before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions
  ) -> SideStatistics.Method {
    if options.history.count >= fewestJobs {
      let areJobs = options.history.contains { $0.count > 1 }
      return areJobs ? .jobs : .history
    }
    if min(before.count, after.count) < 2 { return .singleRun }
    return before.count == after.count ? .pooled : .welch
  }

  private static func words(
    _ method: SideStatistics.Method, _ before: [RunSummary], _ after: [RunSummary],
    _ options: ComparisonOptions
  ) -> String {
    let runs = "\(before.count) v \(after.count) runs"
    let jobs = options.history.count
    let base =
      switch method {
      case .pooled: "pooled t on per-run values, \(runs)"
      case .welch: "Welch's t on per-run values, \(runs)"
      case .history: "t on per-run values with the noise of \(jobs) earlier runs, \(runs)"
      case .jobs: "t on the means of jobs with the noise of \(jobs) earlier jobs, \(runs)"
      case .singleRun: "single run, assumed noise 2.5 % (p99 3 %), \(runs)"
      }
    if options.looks.isEmpty { return base + "; Holm over gating metrics" }
    let level = FixedNumber.text(options.levelOfLook, decimals: 4)
    return base + "; Holm over gating metrics at \(level) for each of \(options.looks.count) looks"
  }

  static func overall(_ verdicts: [Verdict], isSingle: Bool) -> Verdict {
    if verdicts.contains(.regressed) { return isSingle ? .suspected : .regressed }
    if verdicts.contains(.improved) { return .improved }
    return verdicts.allSatisfy { $0 == .noChange } ? .noChange : .inconclusive
  }

  /// The due-based figures, where every run has them.
  private static func beside(
    _ before: [RunSummary], _ after: [RunSummary]
  ) -> [(name: String, unit: String, before: Double, after: Double)] {
    let figures: [(String, String, (RunSummary) -> Double?)] = [
      ("droppedShare", "%", \.droppedShare), ("hitchRatio", "ms/s", \.hitchRatio),
    ]
    return figures.compactMap { name, unit, value in
      let (first, second) = (before.compactMap(value), after.compactMap(value))
      guard first.count == before.count, second.count == after.count else { return nil }
      return (name, unit, Moments(first).mean, Moments(second).mean)
    }
  }
}

/// A figure of runs that a comparison is about.
struct RunMeasure {
  let name: String
  let metric: RunMetric
  let isGating: Bool
  /// Its scaled value of a run.
  let value: (RunSummary) -> Double

  /// The figures that are compared: of frame times by whether refreshes bind them, or of
  /// latencies.
  static func all(
    _ before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) -> [RunMeasure] {
    if options.kind == .latency { return try LatencyMeasures.all(before, after) }
    let quantised = (before + after).count(where: \.isQuantised) * 2 > before.count + after.count
    let gating: Set<RunMetric> =
      quantised
      ? [.mean, .missedRefreshShare, .intervalHitchRatio]
      : [.p50, .p95, .p99, .missedRefreshShare, .intervalHitchRatio]
    return RunMetric.allCases.map { metric in
      let name = metric.isTime ? "\(metric.rawValue)(frameTime)" : metric.rawValue
      return RunMeasure(name: name, metric: metric, isGating: gating.contains(metric)) {
        metric.scaled($0.value(metric))
      }
    }
  }
}

/// Latencies compared by the quantiles of each run.
enum LatencyMeasures {
  static func all(
    _ before: [RunSummary], _ after: [RunSummary]
  ) throws(ComparisonRefusal) -> [RunMeasure] {
    let runs = before + after
    if let without = runs.first(where: { $0.latencies.count < 5 }) {
      throw ComparisonRefusal(
        message:
          "\(without.file): expected at least 5 latencies of touches or clicks, found \(without.latencies.count)",
        help: "without --latency, frame times are compared")
    }
    let step = grid(runs.map(\.latencies))
    let name = runs.first?.latencyName ?? "latency"
    return [RunMetric.p50, .p95].map { metric in
      RunMeasure(name: "\(metric.rawValue)(\(name))", metric: metric, isGating: true) { run in
        metric.scaled(quantile(run.latencies, metric.probability ?? 0.5, step: step))
      }
    }
  }

  /// A quantile of latencies in milliseconds, of those on a grid with the share of the cell.
  private static func quantile(_ latencies: [Int64], _ p: Double, step: Int64?) -> Double {
    guard let step else { return RealQuantile.type7(latencies.map { Double($0) / 1e6 }, p) }
    let points = latencies.map { (2 * $0 + step) / (2 * step) }
    return RealQuantile.onGrid(points, step: Double(step) / 1e6, p)
  }

  /// The step of a grid that all latencies lie on, as the frames of a camera do; `nil` when
  /// they lie on none.
  static func grid(_ runs: [[Int64]]) -> Int64? {
    let values = Set(runs.joined()).sorted()
    let steps = zip(values.dropFirst(), values).map { $0 - $1 }.filter { $0 > 1000 }
    guard let least = steps.min(), least >= 500_000, values.count > 1 else { return nil }
    let isOn = values.allSatisfy { value in
      let rest = value % least
      return min(rest, least - rest) * 50 <= least
    }
    return isOn ? least : nil
  }
}

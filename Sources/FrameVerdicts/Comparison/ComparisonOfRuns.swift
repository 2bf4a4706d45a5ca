import FrameAnalysis
import FrameStatistics
import FrameTrace

extension Comparison {
  /// The minimum number of earlier jobs from which the noise can be estimated.
  static let fewestJobs = 5

  /// Compares two groups of runs.
  public init(
    _ before: [RunSummary], _ after: [RunSummary], options: ComparisonOptions = .init()
  ) throws(ComparisonRefusal) {
    var options = options
    if options.kind == .frames, (before + after).contains(where: { !$0.reported.isEmpty }) {
      options.kind = .reported
    }
    for (name, runs) in [(options.names.before, before), (options.names.after, after)]
    where runs.isEmpty {
      throw ComparisonRefusal.noRuns(side: name)
    }
    switch options.kind {
    case .launch where !options.isSequential: try self.init(launches: before, after, options)
    case .frames, .latency, .launch, .reported: try self.init(runs: before, after, options)
    }
  }

  /// Compares the per-run values of two groups of runs.
  private init(
    runs before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) {
    try ComparisonChecks.refuse(before, after, options)
    let designed = DesignedRuns(before, after, options)
    let (before, after) = (designed.before, designed.after)
    let measures = try RunMeasure.all(before, after, options)
    let method = Self.method(designed, options)
    let metrics = MetricFamily(before, after, options, measures, method).compared()
    self.before = before
    self.after = after
    names = options.names
    kind = options.kind
    isSequential = options.isSequential
    metric = before.first?.metric ?? options.figures.metric
    self.metrics = metrics
    overall = Self.worst(metrics.filter(\.isGating).map(\.verdict))
    design = designed.design
    self.method = Self.words(method, before, after, options)
    warnings = ComparisonChecks.warnings(designed, options, measures, method)
    beside = Self.beside(before, after, method)
  }

  /// Orders runs by start, then by name, because sums of floating-point numbers depend on their
  /// order.
  static func inOrder(_ runs: [RunSummary]) -> [RunSummary] {
    runs.sorted { ($0.start ?? .min, $0.file) < ($1.start ?? .min, $1.file) }
  }

  static func method(
    _ runs: DesignedRuns, _ options: ComparisonOptions
  ) -> SideStatistics.Method {
    let (before, after) = (runs.before, runs.after)
    if options.isSequential { return .bets }
    if options.history.count >= fewestJobs {
      let areJobs = options.history.contains { $0.count > 1 }
      return areJobs ? .jobs : .history
    }
    if min(before.count, after.count) < 2 { return .singleRun }
    if runs.design == .pairs { return .paired }
    // A few alternating runs have no significant drift, but runs in blocks always may.
    if let positions = runs.positions,
      before.count + after.count >= (runs.design == .turns ? 6 : 4)
    {
      return .ordered(positions)
    }
    if min(before.count, after.count) >= ComparisonConstants.fewestRanked { return .ranks }
    return before.count == after.count ? .pooled : .unequal
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
      case .ranks: "Mann–Whitney on per-run values with the Hodges–Lehmann shift, \(runs)"
      case .unequal: "pooled and Welch's t on per-run values, \(runs)"
      case .ordered:
        "t on per-run values, which must show the same change without a steady drift, \(runs)"
      case .paired: "paired t on per-run values, \(before.count) pairs"
      case .bets:
        "bets on the sign of each pair's difference, valid at every look, \(before.count) pairs"
      case .history: "t on per-run values with the noise of \(jobs) earlier runs, \(runs)"
      case .jobs: "t on the means of jobs with the noise of \(jobs) earlier jobs, \(runs)"
      case .singleRun: "single run, assumed noise 2.5 % (p99 3 %), \(runs)"
      }
    let part = method == .ranks ? "a third" : "half"
    let least = options.kind == .reported && method != .ranks ? ", at least up to four" : ""
    let family = "; Bonferroni's correction for \(part) of the gating metrics\(least)"
    let level = FixedNumber.text(options.levelOfLook, decimals: 4)
    let sharing = [
      options.looks.isEmpty ? nil : "\(options.looks.count) looks",
      options.sidesCompared == 1 ? nil : "\(options.sidesCompared) sides",
    ].compactMap { $0 }
    if options.isSequential { return base + "; mean of the gating metrics, at \(level)" }
    guard !sharing.isEmpty else { return base + family }
    return base + family + ", at \(level) for each of \(sharing.joined(separator: " at "))"
  }

  /// The verdict over all figures: the worst one.
  package static func worst(_ verdicts: [Verdict]) -> Verdict {
    let decisive: [Verdict] = [.regressed, .suspected, .improved, .suspectedImprovement]
    if let worst = decisive.first(where: verdicts.contains) { return worst }
    return verdicts.allSatisfy { $0 == .noChange } ? .noChange : .inconclusive
  }

  /// Well-known figures of runs, such as frame rates, and the figures based on due times, if every run has them.
  private static func beside(
    _ before: [RunSummary], _ after: [RunSummary], _ method: SideStatistics.Method
  ) -> [ReferenceFigure] {
    KnownFigure.all.compactMap { figure in
      let (first, second) = (before.compactMap(figure.value), after.compactMap(figure.value))
      guard first.count == before.count, second.count == after.count else { return nil }
      let change = change(method, first, second)
      return ReferenceFigure(
        name: figure.name, unit: figure.unit, before: Moments(first).mean,
        after: Moments(second).mean, effect: change?.effect, interval: change?.interval)
    }
  }

  /// The change of a figure in percent, computed with the same method as the other comparisons.
  private static func change(
    _ method: SideStatistics.Method, _ before: [Double], _ after: [Double]
  ) -> (effect: Double, interval: ClosedRange<Double>)? {
    guard ![.singleRun, .history, .jobs].contains(method), (before + after).allSatisfy({ $0 > 0 })
    else { return nil }
    let found = SideStatistics(
      method, before.map(Elementary.log), after.map(Elementary.log), history: [], assumed: 0
    ) { (0, 0, 0) }
    let percent = { (value: Double) in (Elementary.exp(value) - 1) * 100 }
    let (low, high) = (percent(found.low), percent(found.high))
    return (percent(found.difference), low...max(low, high))
  }
}

/// A well-known figure of runs that decides no comparison.
struct KnownFigure {
  let name: String
  let unit: String
  /// The figure's value for a run; `nil` if the run does not have it.
  let value: (RunSummary) -> Double?

  /// The frame rates, and the figures of refreshes that were due.
  static var all: [KnownFigure] {
    let rates = RunSummary.rateMetrics.map { metric in
      KnownFigure(name: metric.name, unit: metric.unit.rawValue) { $0.rates[metric.name] }
    }
    return rates + [
      KnownFigure(name: "droppedShare", unit: "%", value: \.droppedShare),
      KnownFigure(name: "hitchRatio", unit: "ms/s", value: \.hitchRatio),
      KnownFigure(name: StatedMetric.jankShare.rawValue, unit: "%", value: \.jankShare),
    ]
  }
}

/// A figure of runs that a comparison tests.
struct RunMeasure {
  let name: String
  let metric: RunMetric
  /// Whether the figure is among those that decide the verdict.
  let isGating: Bool
  /// The unit of the figure's values.
  let unit: String
  /// The figure's scaled value for a run.
  let value: (RunSummary) -> Double

  /// - Parameter unit: The unit of the figure's values; `nil` for the metric's unit.
  init(
    name: String, metric: RunMetric, isGating: Bool, unit: String? = nil,
    value: @escaping (RunSummary) -> Double
  ) {
    (self.name, self.metric, self.isGating) = (name, metric, isGating)
    (self.unit, self.value) = (unit ?? metric.unit, value)
  }

  /// The figures that are compared: those of frame times, depending on whether frames are bound to refreshes, or those
  /// of latencies.
  static func all(
    _ before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) -> [RunMeasure] {
    if options.kind == .latency { return try LatencyMeasures.all(before, after) }
    if options.kind == .launch { return try LaunchMeasures.all(before, after) }
    if options.kind == .reported { return try ReportedMeasures.all(before, after, options) }
    let runs = before + after
    let isQuantized = runs.count(where: \.isQuantized) * 2 > runs.count
    let isFrameTime = runs.allSatisfy { $0.metric == ComparedFigures.usual }
    let countsMisses = isFrameTime && MissedRefreshes.areComparable(runs)
    let chosen = options.figures.chosen
    // If no run has a stretch at a lower rate, both ways of counting give the same result.
    let countsOfRun = isQuantized && countsMisses && runs.contains(where: \.changesRate)
    let deciding = RunMetric.deciding(isQuantized: isQuantized, countsOfRun: countsOfRun)
    if let chosen, !countsMisses,
      let lost = chosen.first(where: { !$0.isTime && !$0.isInterruption })
    {
      throw ComparisonRefusal.noFigure(
        lost.rawValue, why: MissedRefreshes.whyNot(runs)?.text ?? "measured only for frame times")
    }
    let interrupted = isFrameTime ? interruptions(of: runs) : []
    if let chosen,
      let lost = chosen.first(where: { metric in
        metric.isInterruption && runs.contains { $0.interruptions[metric] == nil }
      })
    {
      throw ComparisonRefusal.noFigure(lost.rawValue, why: "not judged in every run")
    }
    let shown = RunMetric.allCases.filter { metric in
      if let chosen { return chosen.contains(metric) }
      return metric.isTime || interrupted.contains(metric)
        || (countsMisses && !metric.isInterruption && (!metric.isOfRun || countsOfRun))
    }
    let measured = runs.first?.metric ?? options.figures.metric
    return shown.map { metric in
      let name = metric.isTime ? "\(metric.rawValue)(\(measured))" : metric.rawValue
      return RunMeasure(
        name: name, metric: metric, isGating: chosen != nil || deciding.contains(metric)
      ) { metric.scaled($0.value(metric)) }
    }
  }

  /// The figures of stutters and stops that every run has and that are not 0 in all runs.
  private static func interruptions(of runs: [RunSummary]) -> [RunMetric] {
    RunMetric.interruptions.filter { metric in
      let values = runs.compactMap { $0.interruptions[metric] }
      return values.count == runs.count && values.contains { $0 > 0 }
    }
  }
}

/// Whether runs can be compared by their missed refreshes.
enum MissedRefreshes {
  /// Whether all runs have the same refresh interval, and most of their frames take the same number
  /// of refreshes.
  static func areComparable(_ runs: [RunSummary]) -> Bool { whyNot(runs) == nil }

  /// Why the runs cannot be compared this way; `nil` if they can.
  static func whyNot(_ runs: [RunSummary]) -> ComparisonWarning? {
    let without = runs.count { $0.refresh == nil }
    if without > 0 { return .noRefresh(runs: without, of: runs.count) }
    let known = runs.compactMap(\.refresh)
    guard let first = known.first else { return nil }
    if let other = known.first(where: { abs($0.interval - first.interval) * 100 > first.interval })
    {
      return .severalRefreshes(first.interval, other.interval)
    }
    return nil
  }
}

/// The order in which runs were made.
enum RunOrder {
  /// The index of each run of both sides in the order in which the runs were made, from 0; `nil` if the traces do not
  /// show the order.
  static func positions(_ before: [RunSummary], _ after: [RunSummary]) -> [Int]? {
    let runs = before + after
    let starts = runs.compactMap(\.start)
    guard starts.count == runs.count, Set(runs.map(\.clock)).count == 1,
      Set(starts).count == starts.count
    else { return nil }
    let sorted = starts.sorted()
    return starts.map { start in sorted.partitioningIndex { $0 >= start } }
  }
}

/// Launches, compared by the median of each run.
enum LaunchMeasures {
  static func all(
    _ before: [RunSummary], _ after: [RunSummary]
  ) throws(ComparisonRefusal) -> [RunMeasure] {
    let runs = before + after
    let common = LaunchMeasure.compared.filter { measure in
      runs.allSatisfy { $0.launches.contains { $0.measure == measure } }
    }
    guard !common.isEmpty else {
      let without = runs.first { $0.launches.isEmpty } ?? runs[0]
      throw ComparisonRefusal.fewLaunches(
        file: without.file, found: without.launches.count, needed: 1)
    }
    return common.map { measure in
      RunMeasure(name: measure.name, metric: .p50, isGating: true) { run in
        let times = run.launches.filter { $0.measure == measure }
          .map { Nanoseconds($0.time).milliseconds }
        return RunMetric.p50.scaled(RealQuantile.type7(times, 0.5))
      }
    }
  }
}

/// Latencies, compared by the quantiles of each run.
enum LatencyMeasures {
  static func all(
    _ before: [RunSummary], _ after: [RunSummary]
  ) throws(ComparisonRefusal) -> [RunMeasure] {
    let runs = before + after
    if let without = runs.first(where: { $0.latencies.count < 5 }) {
      throw ComparisonRefusal.fewLatencies(
        file: without.file, found: without.latencies.count)
    }
    let step = grid(runs.map(\.latencies))
    let name = runs.first?.latencyName ?? "latency"
    return [RunMetric.p50, .p95].map { metric in
      RunMeasure(
        name: "\(metric.rawValue)(\(name))", metric: metric,
        isGating: metric == .p50 || fewest(runs) >= fewestForTail
      ) { run in
        metric.scaled(quantile(run.latencies, metric.probability ?? 0.5, step: step))
      }
    }
  }

  /// With fewer latencies, the p95 of a run is nearly its longest latency.
  static let fewestForTail = 20

  /// The lowest number of latencies in any run.
  static func fewest(_ runs: [RunSummary]) -> Int { runs.map(\.latencies.count).min() ?? 0 }

  /// A quantile of latencies in milliseconds; on a grid, it is interpolated within the grid cell.
  private static func quantile(_ latencies: [Int64], _ p: Double, step: Int64?) -> Double {
    guard let step else {
      return RealQuantile.type7(latencies.map { Nanoseconds($0).milliseconds }, p)
    }
    let points = latencies.map { (2 * $0 + step) / (2 * step) }
    return RealQuantile.onGrid(points, step: Nanoseconds(step).milliseconds, p)
  }

  /// The step of a grid that all latencies lie on, such as the frames of a camera; `nil` if there
  /// is no such grid.
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

public import FrameAnalysis
public import FrameStatistics
import FrameTrace

/// A line of a summary: a run, several runs added up, or a trace that could not be summarized.
public struct SummarizedRun: Sendable {
  /// The trace as the user named it; `nil` for several runs together.
  public package(set) var file: String?
  /// The size of that file in bytes; `nil` if it has no size, such as a pipe.
  public package(set) var size: Int64?
  /// The process and the surface of the frames; `nil` when not known.
  public package(set) var process, surface: String?
  /// The number of surfaces in the trace, of which one is selected.
  public package(set) var surfaces: Int64?
  /// The tags that distinguish runs, such as the device and the version.
  public var tags: [String: String]
  /// The result for the run.
  public package(set) var outcome: Outcome
  /// The identity of the run, or of each run that was added up. Empty in summaries of earlier
  /// versions, which lack it.
  public package(set) var identities: [RunIdentity] = []
  /// The data for a comparison of single runs; `nil` if it was not requested.
  public package(set) var run: RunSummary?

  /// The result of summarizing a trace.
  public enum Outcome: Hashable, Sendable {
    case counted(RunTally)
    /// The trace could not be summarized, with the reason.
    case failed(String)
  }

  /// The schema of a summary file.
  public static let schema = "frametool.runs/3"
  /// The schemas of summary files that are read.
  package static let schemas = [schema, "frametool.runs/2"]

  /// A trace that could not be summarized.
  public init(file: String, size: Int64?, tags: [String: String], failed reason: String) {
    (self.file, self.size, self.tags) = (file, size, tags)
    outcome = .failed(reason)
  }

  /// Runs that were added up.
  package init(_ tally: RunTally, tags: [String: String]) {
    self.tags = tags
    outcome = .counted(tally)
  }

  /// The data that the run adds to a fleet; `nil` for a failed run.
  public var tally: RunTally? {
    if case .counted(let tally) = outcome { return tally }
    return nil
  }
}

extension SummarizedRun {
  /// Counts the selected surface of a trace, and its launches.
  /// - Parameters:
  ///   - tags: The user's tags, which override those from the trace.
  ///   - selection: The metrics that are counted.
  ///   - isComparable: Whether to keep the data for a comparison of single runs.
  /// - Throws: If there is nothing to count.
  public init(
    of study: Study, _ selection: MetricSelection, tags: [String: String], size: Int64?,
    isComparable: Bool
  ) throws(ComparisonRefusal) {
    let trace = study.trace
    let launches = LaunchTimes(study.launches)
    // Some sources report only their own counts.
    let run = isComparable ? try? RunTimes.of(study).summary : nil
    guard study.meant != nil || !launches.times.isEmpty || run != nil else {
      throw ComparisonRefusal.nothingToCount(file: trace.provenance.file)
    }
    let measured = study.meant.map {
      study.surface($0, selection.needsReconstruction ? .whole : .outcomes)
    }
    file = trace.provenance.file
    self.size = size
    process = measured?.surface.process ?? launches.process
    surface = measured?.surface.id
    surfaces = Int64(study.surfaces.count)
    self.tags = Self.tags(trace, process, measured).merging(tags) { $1 }
    outcome = .counted(RunTally(measured, selection.metrics, launches))
    self.run = run
  }

  /// The tag of the display's refresh rate. Runs at different rates are never added up.
  package static let refreshTag = "refresh"

  /// The tags that the trace itself provides: device, system, process and refresh rate.
  private static func tags(
    _ trace: Trace, _ process: String?, _ measured: MeasuredSurface?
  ) -> [String: String] {
    var tags: [String: String] = [:]
    // A rate that is inferred from frame times may be that of a limiter, which changes when a program gets slower.
    if let refresh = measured.flatMap({ RunRefresh($0, times: []) }),
      [.stated, .recorded].contains(refresh.source)
    {
      tags[refreshTag] = "\(Int((1e9 / Double(refresh.interval)).rounded())) Hz"
    }
    tags["device"] = trace.setting.device
    tags["system"] = trace.setting.system
    tags["process"] = process
    return tags
  }
}

extension SummarizedRun {
  /// A run with known frame times and nothing else.
  package init(_ run: RunTimes, tags: [String: String], named file: String) {
    let summary = run.summary
    var tally = RunTally()
    let key = TallyKey(metric: run.metric, definition: run.definition)
    tally.frames.count = Int64(run.times.count)
    tally.values[key] = RunTally.Values(counts: ValueCounts(Sample(run.times)))
    tally.addFigures(of: run.times, key)
    for metric in RunMetric.allCases where !metric.isTime && summary.isKnown(metric) {
      let figure = RunFigure(
        key: TallyKey(metric: metric.rawValue, definition: nil), statistic: nil)
      tally.addFigure(Millionths.of(summary.value(metric)), figure)
    }
    tally.bound = summary.isQuantized ? 1 : 0
    self.init(tally, tags: tags)
    self.file = file
  }
}

extension RunTally {
  /// - Parameter measured: The selected surface; `nil` for a trace without one.
  fileprivate init(_ measured: MeasuredSurface?, _ metrics: [any Metric], _ launches: LaunchTimes) {
    self.init()
    if let measured { count(measured, metrics) }
    var times: [TallyKey: [Int64]] = [:]
    for launch in launches.times {
      let key = TallyKey(
        metric: launch.measure.name, definition: launches.areProfiled ? "under a profiler" : nil)
      values[key, default: Values(counts: ValueCounts())].counts.add(launch.time)
      times[key, default: []].append(launch.time)
    }
    for (key, times) in times { addFigures(of: times, key) }
  }

  private mutating func count(_ measured: MeasuredSurface, _ metrics: [any Metric]) {
    frames = Frames(measured.outcomes)
    if let found = measured.drops {
      drops = Drops(
        active: Int64(found.activeRefreshes), byStage: found.byStage.mapValues(Int64.init))
    }
    // Hitches without an observed time would inflate the ratio over several runs.
    if let found = measured.hitches, found.span > .zero {
      hitches = Hitches(
        count: Int64(found.times.count), total: found.total.count, span: found.span.count)
    }
    if metrics.contains(where: { $0 is MissedRefreshMetric }),
      case .found(let sums) = measured.missedRefreshes, sums.areBound
    {
      bound = 1
    }
    for metric in metrics {
      let measurement = metric.measure(measured)
      let key = TallyKey(metric: metric.name, definition: measurement.definition)
      switch measurement.content {
      case .sample(let sample) where !sample.values.isEmpty:
        values[key] = Values(
          counts: ValueCounts(sample), missing: Int64(measurement.missing),
          inferred: measurement.isInferred ? 1 : 0)
        addFigures(of: sample.values, key)
      case .figure(let figure, _):
        addFigure(Millionths.of(figure), RunFigure(key: key, statistic: nil))
      case .sample, .unavailable: break
      }
      measured.recycle(measurement)
    }
  }

  /// Adds the figures of a run, computed from the exact values and not from the bins.
  fileprivate mutating func addFigures(of values: [Int64], _ key: TallyKey) {
    let shares = [(RunFigure.Statistic.p50, 0.5), (.p95, 0.95), (.p99, 0.99)]
    guard let mean = self.values[key]?.counts.meanInMillionths,
      let quantiles = Quantile.type7(values, shares.map(\.1))
    else { return }
    for (statistic, value) in zip([.mean] + shares.map(\.0), [mean] + quantiles)
    where Int64(values.count) >= statistic.fewest {
      addFigure(value, RunFigure(key: key, statistic: statistic))
    }
  }

  fileprivate mutating func addFigure(_ value: Double, _ figure: RunFigure) {
    guard let whole = Int64(exactly: value.rounded()), FigureValues.possible.contains(whole) else {
      return
    }
    figures[figure, default: FigureValues()].add(whole)
  }
}

extension ValueCounts {
  /// A statistic of the values; `nil` if there are none.
  public func statistic(_ statistic: RunFigure.Statistic) -> Double? {
    switch statistic {
    case .mean: mean
    case .p50: quantile(0.5)
    case .p95: quantile(0.95)
    case .p99: quantile(0.99)
    }
  }
}

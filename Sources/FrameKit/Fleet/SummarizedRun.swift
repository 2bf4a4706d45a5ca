/// A line of a summary: a run, or several that were added up, or a trace of which nothing could be made.
public struct SummarizedRun: Sendable {
  /// The trace as the user named it; `nil` for several runs together.
  public internal(set) var file: String?
  /// The size of that file in bytes; `nil` where it has none, as a pipe.
  public internal(set) var size: Int64?
  public internal(set) var process, surface: String?
  /// How many surfaces the trace has, of which one is meant.
  public internal(set) var surfaces: Int64?
  /// What tells runs apart, such as the device and the version.
  public var tags: [String: String]
  public internal(set) var outcome: Outcome
  /// What a comparison of single runs needs; `nil` where it was not asked for.
  public internal(set) var run: RunSummary?

  /// What came of it.
  public enum Outcome: Hashable, Sendable {
    case counted(RunTally)
    /// Nothing, and why.
    case failed(String)
  }

  /// The schema of a file of them.
  public static let schema = "frametool.runs/2"

  /// A trace of which nothing could be made.
  public init(file: String, size: Int64?, tags: [String: String], failed reason: String) {
    (self.file, self.size, self.tags) = (file, size, tags)
    outcome = .failed(reason)
  }

  /// Runs that were added up.
  init(_ tally: RunTally, tags: [String: String]) {
    self.tags = tags
    outcome = .counted(tally)
  }

  public var tally: RunTally? {
    if case .counted(let tally) = outcome { return tally }
    return nil
  }
}

extension SummarizedRun {
  /// Counts the surface of a trace that is meant, and its launches.
  /// - Parameters:
  ///   - tags: Those that the user gave, which go before what the trace says itself.
  ///   - selection: The metrics that are counted.
  ///   - isComparable: Whether a comparison of single runs is to find what it needs.
  /// - Throws: Where there is nothing to count.
  public init(
    of study: Study, _ selection: MetricSelection, tags: [String: String], size: Int64?,
    isComparable: Bool
  ) throws(ComparisonRefusal) {
    let trace = study.trace
    let launches = LaunchTimes(study.launches)
    // Of some sources only what they counted themselves is known.
    let run = isComparable ? try? RunTimes.of(study).summary : nil
    guard study.meant != nil || !launches.times.isEmpty || run != nil else {
      throw ComparisonRefusal(
        message: "there are no frames and no launches to count",
        help: "'frametool info \(trace.provenance.file)' shows what there is")
    }
    let measured = study.meant.map {
      study.surface($0, selection.needsReconstruction ? .whole : .outcomes)
    }
    file = trace.provenance.file
    self.size = size
    process = measured?.surface.process ?? launches.process
    surface = measured?.surface.id
    surfaces = Int64(study.surfaces.count)
    self.tags = Self.tags(trace, process).merging(tags) { $1 }
    outcome = .counted(RunTally(measured, selection.metrics, launches))
    self.run = run
  }

  /// What a trace says itself of what it was recorded on.
  private static func tags(_ trace: Trace, _ process: String?) -> [String: String] {
    var tags: [String: String] = [:]
    tags["device"] = trace.setting.device
    tags["system"] = trace.setting.system
    tags["process"] = process
    return tags
  }
}

extension RunTally {
  /// - Parameter measured: The surface that is meant; `nil` for a trace without one.
  fileprivate init(_ measured: MeasuredSurface?, _ metrics: [any Metric], _ launches: LaunchTimes) {
    self.init()
    if let measured { count(measured, metrics) }
    for launch in launches.times {
      let key = TallyKey(
        metric: launch.measure.name, definition: launches.areProfiled ? "under a profiler" : nil)
      values[key, default: Values(counts: ValueCounts())].counts.add(launch.time)
    }
    for (key, values) in values { addFigures(of: values.counts, key) }
  }

  private mutating func count(_ measured: MeasuredSurface, _ metrics: [any Metric]) {
    frames = Frames(measured.outcomes)
    if let found = measured.drops {
      drops = Drops(
        active: Int64(found.activeRefreshes), byStage: found.byStage.mapValues(Int64.init))
    }
    // Hitches without a time that they are over would make a ratio of several runs too large.
    if let found = measured.hitches, found.span > .zero {
      hitches = Hitches(
        count: Int64(found.times.count), total: found.total.count, span: found.span.count)
    }
    for metric in metrics {
      let measurement = metric.measure(measured)
      let key = TallyKey(metric: metric.name, definition: measurement.definition)
      switch measurement.content {
      case .sample(let sample) where !sample.values.isEmpty:
        values[key] = Values(
          counts: ValueCounts(sample), missing: Int64(measurement.missing),
          inferred: measurement.isInferred ? 1 : 0)
      case .figure(let figure, _): addFigure(figure * 1e6, RunFigure(key: key, statistic: nil))
      case .sample, .unavailable: break
      }
      measured.recycle(measurement)
    }
  }

  private mutating func addFigures(of counts: ValueCounts, _ key: TallyKey) {
    for statistic in RunFigure.Statistic.allCases where counts.count >= statistic.fewest {
      guard let value = counts.statistic(statistic) else { continue }
      addFigure(value, RunFigure(key: key, statistic: statistic))
    }
  }

  private mutating func addFigure(_ value: Double, _ figure: RunFigure) {
    guard abs(value) < 0x1p62 else { return }
    figures[figure, default: ValueCounts()].add(Int64(value.rounded()))
  }
}

extension ValueCounts {
  /// A figure of the values; `nil` without any.
  public func statistic(_ statistic: RunFigure.Statistic) -> Double? {
    switch statistic {
    case .mean: mean
    case .p50: quantile(0.5)
    case .p95: quantile(0.95)
    case .p99: quantile(0.99)
    }
  }
}

public import FrameAnalysis
import FrameStatistics

/// The data of one run that a comparison needs: its frame times, counted in six stretches, so that
/// a few kilobytes represent a trace of any length.
public struct RunSummary: Hashable, Sendable {
  /// The file of the run, as the user named it.
  public let file: String
  /// The process that drew the frames; `nil` when not known.
  public let process: String?
  /// The surface's name.
  public let surface: String
  /// The metric of the run's times: `frameTime`, unless another metric was chosen.
  public let metric: String
  /// The definition of that metric.
  public let definition: String
  /// The refresh interval used to count misses; `nil` if frame times lie on no grid, and then
  /// nothing counts as missed.
  public let refresh: RunRefresh?
  /// When the run began, on the run's clock; `nil` if the clock cannot be compared with that of other runs.
  public let start: Int64?
  /// The clock of the times; `nil` when not known.
  public let clock: String?
  /// The stretches, in order.
  public let blocks: [RunBlock]
  /// The exact quantiles and the mean of all frame times, in milliseconds.
  public let exact: [RunMetric: Double]
  /// The figures of stutters and stops; empty where the run is not judged.
  public let interruptions: [RunMetric: Double]
  /// The number of frame times close to a whole number of refreshes, and of those that take as many
  /// refreshes as most frames do.
  package let onGrid, onKept: Int64
  /// Latencies of touches or clicks in nanoseconds; empty when there are none.
  public let latencies: [Int64]
  /// The name of the latency metric.
  public let latencyName: String?
  /// Launches without those that only warmed things up; empty when there are none.
  public package(set) var launches: [LaunchTime]
  /// Whether any launch was recorded under a profiler.
  public let areProfiled: Bool
  /// The figures based on due times, if the trace has them.
  public let droppedShare, hitchRatio: Double?
  /// Well-known frame rates by metric name, in frames per second.
  public let rates: [String: Double]
  /// The share of janky frames in percent, if the source reports it.
  public let jankShare: Double?
  /// A metric for which the source counted enough frames to compare; `nil` if there is none.
  package let countedMetric: String?
  /// The recording setup (device, software) by name, which both sides should have in common.
  public let setup: [String: String]
  /// The figures that the run's source reports; empty for a run of frames.
  package var reported: [ReportedFigure] = []
  /// The index of the run in its file, from 0, if the source reports figures.
  var iteration = 0
  /// The names, in the setup, of the day of the recording and of its number of surfaces.
  static let (day, surfaces) = ("day", "the number of surfaces, of which the main one is compared")
  /// What limits the run's frames; `nil` if the source does not say.
  public let limits: LimitCounts?
  /// The data that could not be read, in words.
  public let losses: [String]

  /// A name for the run's values, used in messages.
  var values: String { metric == ComparedFigures.usual ? "frame times" : "values of \(metric)" }

  /// Whether the source counted the frames itself, so that only a histogram is known.
  var isCounted: Bool { exact.isEmpty && count > 0 }

  /// The number of frames.
  public var count: Int64 { blocks.reduce(0) { $0 + $1.count } }

  /// Whether frame times are bound to the display's refreshes, so that their quantiles stay
  /// constant until they jump: nine in ten lie within a tenth of an interval of a whole number of
  /// refreshes, and half of those take the most frequent number.
  public var isQuantized: Bool {
    refresh != nil && GridCounter.areBound(onGrid: onGrid, onKept: onKept, of: count)
  }

  /// Whether some of the run's stretches keep a lower rate than most frames do.
  ///
  /// Times show this, but counts do not, because a long hitch counts as at most eight locally missed refreshes.
  var changesRate: Bool { blocks.contains { $0.late != $0.lateOfRun } }

  package init(
    file: String, process: String?, surface: String, metric: String, definition: String,
    refresh: RunRefresh?, start: Int64?, clock: String?, blocks: [RunBlock],
    exact: [RunMetric: Double], interruptions: [RunMetric: Double], onGrid: Int64, onKept: Int64,
    latencies: [Int64],
    latencyName: String?, launches: [LaunchTime], areProfiled: Bool, droppedShare: Double?,
    hitchRatio: Double?, rates: [String: Double], jankShare: Double?, countedMetric: String?,
    limits: LimitCounts?, setup: [String: String], losses: [String]
  ) {
    self.file = file
    self.process = process
    self.surface = surface
    self.metric = metric
    self.definition = definition
    self.refresh = refresh
    self.start = start
    self.clock = clock
    self.blocks = blocks
    self.exact = exact
    self.interruptions = interruptions
    self.onGrid = onGrid
    self.onKept = onKept
    self.latencies = latencies
    self.latencyName = latencyName
    self.launches = launches
    self.areProfiled = areProfiled
    self.droppedShare = droppedShare
    self.hitchRatio = hitchRatio
    self.rates = rates
    self.jankShare = jankShare
    self.countedMetric = countedMetric
    self.limits = limits
    self.setup = setup
    self.losses = losses
  }

  /// Whether the run has a figure.
  func isKnown(_ metric: RunMetric) -> Bool {
    if metric.isInterruption { return interruptions[metric] != nil }
    return metric.isTime || refresh != nil
  }

  /// A figure in its unit.
  public func value(_ metric: RunMetric) -> Double {
    interruptions[metric] ?? exact[metric]
      ?? RunFigures(blocks, weights: [Int64](repeating: 1, count: blocks.count)).value(metric)
  }

  /// Quantiles of the run's frame times, in milliseconds: every half percent up to the 99.9th percentile.
  package var distribution: [(share: Double, value: Double)] {
    let figures = RunFigures(blocks, weights: blocks.map { _ in 1 })
    return (0...200).map { min(Double($0) / 200, 0.999) }.compactMap { share in
      figures.quantile(share).map { (share, $0) }
    }
  }

  /// Whether two runs are the same recording, regardless of their names.
  func isSameRecording(as other: RunSummary) -> Bool {
    guard reported.isEmpty else {
      return iteration == other.iteration && reported == other.reported
        && reported.contains { $0.value.value != 0 }
    }
    return count > 0 && blocks == other.blocks && exact == other.exact
      && latencies == other.latencies
  }

  /// The factor by which the first sixth of the run raises the run's p99; `nil` unless that sixth has most of the slow
  /// frames.
  var slowStart: Double? {
    guard let start = blocks.first else { return nil }
    let even = [Int64](repeating: 1, count: blocks.count - 1)
    guard let whole = RunFigures(blocks, weights: [1] + even).quantile(0.99),
      let later = RunFigures(blocks, weights: [0] + even).quantile(0.99),
      whole >= later * ComparisonConstants.warmUpRatio
    else { return nil }
    let limit = later * ComparisonConstants.warmUpRatio
    let early = start.histogram.count(above: limit)
    let all = blocks.reduce(Int64(0)) { $0 + $1.histogram.count(above: limit) }
    return early >= ComparisonConstants.fewestSlow && early * 2 > all ? whole / later : nil
  }

  /// The variance of a scaled figure within the run, by bootstrap over its stretches.
  func variance(_ metrics: [RunMetric]) -> [Double] {
    let draws = BlockWeights.all.map { RunFigures(blocks, weights: $0.weights) }
    return metrics.map { metric in
      BlockWeights.variance(draws.map { metric.scaled($0.value(metric)) })
    }
  }
}

extension RunSummary {
  /// The metrics of the frame rates that are kept: the average and every low.
  static let rateMetrics = Metrics.ratesOfFrameTimes
  /// The frame rates that players know best, with their names in sentences.
  package static let spokenRates = [
    (name: "averageFrameRate", words: "frame rate"),
    (name: "onePercentLowAverage", words: "1 % low"),
  ]

  /// The minimum number of frames that a run needs for a comparison.
  public static let fewestFrames = 240

  /// Counts frame times, in nanoseconds and in order.
  /// - Parameter histogram: A histogram that the source counted, used instead of times.
  init(
    file: String, process: String?, surface: String, metric: String = ComparedFigures.usual,
    definition: String, times: [Int64], histogram: FieldHistogram? = nil,
    refresh: RunRefresh?, start: Int64? = nil, clock: String? = nil,
    latencies: [Int64] = [], latencyName: String? = nil, launches: LaunchTimes = .none,
    droppedShare: Double? = nil, hitchRatio: Double? = nil, rates: [String: Double] = [:],
    interruptions: [RunMetric: Double] = [:], jankShare: Double? = nil,
    countedMetric: String? = nil, limits: LimitCounts? = nil, setup: [String: String] = [:],
    losses: [String] = []
  ) {
    self.file = file
    self.process = process
    self.surface = surface
    (self.metric, self.definition) = (metric, definition)
    self.refresh = refresh
    self.start = start
    self.clock = clock
    self.latencies = latencies
    self.latencyName = latencyName
    self.launches = launches.times
    areProfiled = launches.areProfiled
    self.droppedShare = droppedShare
    self.hitchRatio = hitchRatio
    self.rates = rates
    self.interruptions = interruptions
    (self.jankShare, self.countedMetric) = (jankShare, countedMetric)
    (self.limits, self.setup, self.losses) = (limits, setup, losses)
    let frames = histogram.map { CountedFrames($0) } ?? CountedFrames(times, refresh)
    (blocks, exact) = (frames.blocks, frames.exact)
    (onGrid, onKept) = (frames.onGrid, frames.onKept)
  }
}

public import FrameAnalysis
import FrameStatistics

/// What a comparison needs of one run: its frame times, counted in six stretches, so that a
/// few kilobytes stand for a trace of any length.
public struct RunSummary: Hashable, Sendable {
  /// Where it comes from, as the user named it.
  public let file: String
  /// The process that drew the frames; `nil` when not known.
  public let process: String?
  /// The surface's name.
  public let surface: String
  /// The metric that its times are of: `frameTime`, unless another one was chosen.
  public let metric: String
  /// Which times they are: the definition of that metric.
  public let definition: String
  /// The refresh interval that misses are counted by; `nil` where frame times lie on no grid, and
  /// nothing counts as missed.
  public let refresh: RunRefresh?
  /// When the run began, and on which clock; `nil` when the clock tells nothing of other runs.
  public let start: Int64?
  /// The clock that the times were taken on; `nil` when not known.
  public let clock: String?
  /// The stretches in order.
  public let blocks: [RunBlock]
  /// The exact quantiles and the mean of all frame times, in milliseconds.
  public let exact: [RunMetric: Double]
  /// How many frame times are near whole numbers of refreshes, and take as many as most do.
  package let onGrid, onKept: Int64
  /// Latencies of touches or clicks in nanoseconds; empty when there are none.
  public let latencies: [Int64]
  /// What the latencies are: a metric's name.
  public let latencyName: String?
  /// Launches, those that only warmed things up left out; empty when there are none.
  public let launches: [LaunchTime]
  /// Whether any of them was taken under a profiler.
  public let areProfiled: Bool
  /// The due-based figures, where the trace tells them.
  public let droppedShare, hitchRatio: Double?
  /// The frame rates that people know runs by, by their metrics, in frames per second.
  public let rates: [String: Double]
  /// The share of janky frames in percent, where the source states it.
  public let jankShare: Double?
  /// A metric of which the source counted enough frames to be compared; `nil` where it counted none.
  package let countedMetric: String?
  /// What it was recorded on and with, by name: what two sides should have in common.
  public let setup: [String: String]
  /// What of it could not be read, in words.
  public let losses: [String]

  /// What its times are, in words.
  var values: String { metric == ComparedFigures.usual ? "frame times" : "values of \(metric)" }

  /// Whether the source counted the frames itself, so that only their lengths are known.
  var isCounted: Bool { exact.isEmpty && count > 0 }

  /// How many frames there are.
  public var count: Int64 { blocks.reduce(0) { $0 + $1.count } }

  /// Whether frame times are bound to the display's refreshes, so that their quantiles stand
  /// still until they jump: nine in ten within a tenth of an interval of a whole number of
  /// them, and half of them of as many as most.
  public var isQuantized: Bool {
    refresh != nil && GridCounter.areBound(onGrid: onGrid, onKept: onKept, of: count)
  }

  /// Whether some of its stretches keep a lower rate than most frames do.
  ///
  /// Times tell, as of a long hitch no more than eight refreshes are counted as missed locally.
  var changesRate: Bool { blocks.contains { $0.late != $0.lateOfRun } }

  package init(
    file: String, process: String?, surface: String, metric: String, definition: String,
    refresh: RunRefresh?, start: Int64?, clock: String?, blocks: [RunBlock],
    exact: [RunMetric: Double], onGrid: Int64, onKept: Int64, latencies: [Int64],
    latencyName: String?, launches: [LaunchTime], areProfiled: Bool, droppedShare: Double?,
    hitchRatio: Double?, rates: [String: Double], jankShare: Double?, countedMetric: String?,
    setup: [String: String], losses: [String]
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
    self.setup = setup
    self.losses = losses
  }

  /// A figure in its unit.
  public func value(_ metric: RunMetric) -> Double {
    exact[metric]
      ?? RunFigures(blocks, weights: [Int64](repeating: 1, count: blocks.count)).value(metric)
  }

  /// How long shares of its frame times are at most, in milliseconds: every half percent up to the 99.9th percentile.
  package var distribution: [(share: Double, value: Double)] {
    let figures = RunFigures(blocks, weights: blocks.map { _ in 1 })
    return (0...200).map { min(Double($0) / 200, 0.999) }.compactMap { share in
      figures.quantile(share).map { (share, $0) }
    }
  }

  /// Whether two runs are the same recording, whatever they are called.
  func isSameRecording(as other: RunSummary) -> Bool {
    count > 0 && blocks == other.blocks && exact == other.exact && latencies == other.latencies
  }

  /// By which factor the first sixth of the run raises its p99, where most of its slow frames are in there;
  /// `nil` where they are not.
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

  /// The variance of a scaled figure within the run, by the bootstrap of its stretches.
  func variance(_ metrics: [RunMetric]) -> [Double] {
    let draws = BlockWeights.all.map { RunFigures(blocks, weights: $0.weights) }
    return metrics.map { metric in
      BlockWeights.variance(draws.map { metric.scaled($0.value(metric)) })
    }
  }
}

extension RunSummary {
  /// The metrics of the frame rates that are kept, and what they are called in a sentence.
  package static let rateMetrics = [
    (name: "averageFrameRate", words: "frame rate"),
    (name: "onePercentLowAverage", words: "1 % low"),
  ]

  /// The fewest frames of a run that is compared.
  public static let fewestFrames = 240

  /// Counts frame times, in nanoseconds and in order.
  /// - Parameter histogram: What the source counted itself, in place of times.
  init(
    file: String, process: String?, surface: String, metric: String = ComparedFigures.usual,
    definition: String, times: [Int64], histogram: FieldHistogram? = nil,
    refresh: RunRefresh?, start: Int64? = nil, clock: String? = nil,
    latencies: [Int64] = [], latencyName: String? = nil, launches: LaunchTimes = .none,
    droppedShare: Double? = nil, hitchRatio: Double? = nil, rates: [String: Double] = [:],
    jankShare: Double? = nil,
    countedMetric: String? = nil, setup: [String: String] = [:], losses: [String] = []
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
    (self.jankShare, self.countedMetric) = (jankShare, countedMetric)
    (self.setup, self.losses) = (setup, losses)
    let frames = histogram.map { CountedFrames($0) } ?? CountedFrames(times, refresh)
    (blocks, exact) = (frames.blocks, frames.exact)
    (onGrid, onKept) = (frames.onGrid, frames.onKept)
  }
}

/// What a comparison needs of one run: its frame times, counted in six stretches, so that a
/// few kilobytes stand for a trace of any length.
public struct RunSummary: Hashable, Sendable {
  /// Where it comes from, as the user named it.
  public let file: String
  public let process: String?
  public let surface: String
  /// Which frame times they are: the definition of the metric `frameTime`.
  public let definition: String
  /// The refresh interval that misses are counted by; `nil` where frame times lie on no grid, and
  /// nothing counts as missed.
  public let refresh: RunRefresh?
  /// When the run began, and on which clock; `nil` when the clock tells nothing of other runs.
  public let start: Int64?
  public let clock: String?
  /// The stretches in order.
  public let blocks: [RunBlock]
  /// The exact quantiles and the mean of all frame times, in milliseconds.
  public let exact: [RunMetric: Double]
  /// How many frame times are near whole numbers of refreshes, and take as many as most do.
  let onGrid, onKept: Int64
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
  /// What it was recorded on and with, by name: what two sides should have in common.
  public let setup: [String: String]
  /// What of it could not be read, in words.
  public let losses: [String]

  /// How many frames there are.
  public var count: Int64 { blocks.reduce(0) { $0 + $1.count } }

  /// Whether frame times are bound to the display's refreshes, so that their quantiles stand
  /// still until they jump: nine in ten within a tenth of an interval of a whole number of
  /// them, and half of them of as many as most.
  public var isQuantised: Bool {
    let n = Double(max(1, count))
    return refresh != nil && Double(onGrid) >= 0.9 * n && Double(onKept) >= 0.5 * n
  }

  /// A figure in its unit.
  public func value(_ metric: RunMetric) -> Double {
    exact[metric]
      ?? RunFigures(blocks, weights: [Int64](repeating: 1, count: blocks.count)).value(metric)
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
  /// The fewest frames of a run that is compared.
  public static let fewestFrames = 240

  /// Counts frame times, in nanoseconds and in order.
  init(
    file: String, process: String?, surface: String, definition: String, times: [Int64],
    refresh: RunRefresh?, start: Int64? = nil, clock: String? = nil,
    latencies: [Int64] = [], latencyName: String? = nil, launches: LaunchTimes = .none,
    droppedShare: Double? = nil,
    hitchRatio: Double? = nil, setup: [String: String] = [:], losses: [String] = []
  ) {
    self.file = file
    self.process = process
    self.surface = surface
    self.definition = definition
    self.refresh = refresh
    self.start = start
    self.clock = clock
    self.latencies = latencies
    self.latencyName = latencyName
    self.launches = launches.times
    areProfiled = launches.areProfiled
    self.droppedShare = droppedShare
    self.hitchRatio = hitchRatio
    (self.setup, self.losses) = (setup, losses)
    var counter = GridCounter(refresh)
    var blocks = [RunBlock](repeating: RunBlock(), count: BlockWeights.blockCount)
    for block in blocks.indices {
      let start = (block * times.count + blocks.count - 1) / blocks.count
      let end = ((block + 1) * times.count + blocks.count - 1) / blocks.count
      for place in start..<end {
        blocks[block].add(times[place], refresh)
        counter.add(times[place])
      }
    }
    self.blocks = blocks
    (onGrid, onKept) = (counter.onGrid, counter.onKept)
    exact = Self.exact(times)
  }

  private static func exact(_ times: [Int64]) -> [RunMetric: Double] {
    let metrics: [RunMetric] = [.p50, .p90, .p95, .p99]
    guard let values = Quantile.type7(times, metrics.compactMap(\.probability)) else { return [:] }
    return Dictionary(uniqueKeysWithValues: zip(metrics, values.map { $0 / 1e6 }))
  }
}

/// Counts times that are close to whole numbers of intervals.
private struct GridCounter {
  private let refresh: RunRefresh?
  private(set) var onGrid: Int64 = 0
  private(set) var onKept: Int64 = 0

  init(_ refresh: RunRefresh?) { self.refresh = refresh }

  mutating func add(_ time: Int64) {
    guard let refresh else { return }
    let count = max(1, refresh.refreshes(time))
    if abs(time - count * refresh.interval) * 10 <= refresh.interval { onGrid += 1 }
    if count == refresh.kept { onKept += 1 }
  }
}

import FrameAnalysis
import FrameStatistics
import FrameTrace
import FrameVerdicts

/// The figures of a surface that a replay compares.
struct ReplayFigures {
  private struct Value {
    let name: String
    let unit: String
    let direction: MetricDirection
    let value: Double
    let n: Int
    /// The chance variation of the value in a run of the same length: 95 % limits on either side.
    let chance: Double
    /// The value's lower limit; `nil` if there is none.
    let least: Double?
  }

  private var values: [Value] = []
  /// Dropped refreshes by stage; empty if unknown.
  private(set) var drops: [PipelineStage: Int] = [:]

  /// The metrics to compare, with their statistics.
  private static let metrics: [(name: String, statistics: [String])] = [
    ("touchToPhoton", ["mean", "p50", "p95"]), ("touchToPhotonFrames", ["p50"]),
    ("effectiveLatency", ["p50"]), ("displayLatency", ["mean", "p50", "p95"]),
    ("frameTime", ["mean", "p50", "p99"]),
    ("queueWait", ["p50"]),
  ]

  /// - Parameter names: The figures that are needed in addition to dropped refreshes; `nil` for all.
  init(_ trace: Trace, _ options: AnalysisOptions, only names: Set<String>? = nil) {
    let study = Study(of: trace, options)
    self.init(study, surface: study.meant, only: names)
  }

  init(_ study: Study, surface: Int?, only names: Set<String>? = nil) {
    guard let surface else { return }
    let isNeeded = { (name: String) in names?.contains(name) ?? true }
    let measured = study.surface(surface)
    let interval = measured.rebuilt?.timeline.schedule.grid.interval
    if let drops = measured.drops {
      self.drops = drops.byStage.filter { $0.value > 0 }
      add(
        "droppedRefreshes", "refreshes", .lowerIsBetter, Double(drops.refreshes),
        drops.activeRefreshes, chance: Self.chance(ofCount: drops.refreshes), least: 0)
    }
    if isNeeded("hitchTimeRatio"), let hitches = measured.hitches, hitches.source == .rebuilt,
      let ratio = hitches.ratio
    {
      let count = hitches.times.count
      // If there are no hitches, assume that a hitch would last one interval.
      let length =
        count > 0
        ? ratio / Double(count) : (interval?.milliseconds ?? 0) / (hitches.span.seconds)
      add(
        "hitchTimeRatio", "ms/s", .lowerIsBetter, ratio, count,
        chance: Self.chance(ofCount: count) * length, least: 0)
    }
    for (name, all) in Self.metrics {
      let statistics = all.filter { isNeeded("\($0)(\(name))") }
      guard !statistics.isEmpty,
        let metric = Metrics.all.first(where: { $0.name == name }),
        case .sample(let sample) = metric.measure(measured).content,
        let summary = Summary(millionths: sample)
      else { continue }
      let parts = Self.parts(sample.values)
      for statistic in statistics {
        guard let value = summary[statistic] else { continue }
        add(
          "\(statistic)(\(name))", metric.unit.rawValue, metric.direction, value, summary.n,
          chance: Self.chance(parts.compactMap { $0[statistic] })
            + abs(value) * Self.difference(name, statistic), least: 0)
      }
    }
    if isNeeded("bufferDepth"), let depth = Self.depth(measured.depthShares) {
      add(
        "bufferDepth", "buffers", .neither, depth, measured.outcomes.displayed,
        chance: Self.chanceOfDepth(measured), least: 1)
    }
  }

  private mutating func add(
    _ name: String, _ unit: String, _ direction: MetricDirection, _ value: Double, _ n: Int,
    chance: Double = 0, least: Double? = nil
  ) {
    values.append(
      Value(
        name: name, unit: unit, direction: direction, value: value, n: n, chance: chance,
        least: least))
  }

  /// The share by which two runs of one program may differ; a single recording cannot show it. This share is the
  /// threshold below which a comparison does not act on a change.
  private static func difference(_ metric: String, _ statistic: String) -> Double {
    let ofTimes = metric == "frameTime" ? RunMetric(rawValue: statistic)?.usualThreshold : nil
    return ofTimes ?? ComparisonConstants.latencyThreshold
  }

  /// The chance excess of a count: the upper 95 % limit of a Poisson distribution (Bégaud et al.,
  /// European Journal of Epidemiology 20, 2005), which also holds for a count of zero.
  private static func chance(ofCount count: Int) -> Double {
    let root = (Double(count) + 0.96).squareRoot() + 1.96 / 2
    return root * root - Double(count)
  }

  /// The mean number of buffers in use over the active time; `nil` if unknown.
  private static func depth(_ shares: [Double]?) -> Double? {
    shares.map { zip(1..., $0).reduce(0) { $0 + Double($1.0) * $1.1 } }
  }

  private static func chanceOfDepth(_ measured: MeasuredSurface) -> Double {
    guard let rebuilt = measured.rebuilt, let occupancy = measured.occupancy,
      let all = measured.pipeline.trace.timeRange
    else { return 0 }
    let part = measured.options.region?.range ?? .always
    let start = max(all.lowerBound, part.lowerBound)
    let length = (min(all.upperBound, part.upperBound) - start).count / Int64(stretches)
    guard length > 0 else { return 0 }
    let ranges = (0..<Int64(stretches)).map { position in
      let begin = start + Nanoseconds(position * length)
      return begin..<begin + Nanoseconds(length)
    }
    let parts = BufferFindings.depthShares(rebuilt, occupancy, within: ranges).compactMap(depth)
    return parts.count == stretches ? chance(parts) : 0
  }

  /// The number of stretches of a run that are treated as separate runs.
  private static let stretches = 6
  /// The 97.5 % quantile of Student's t with five degrees of freedom.
  private static let quantile = 2.571

  /// The summaries of stretches of the run, which show the random variation of a statistic. Frames within a stretch are
  /// not independent, so each stretch counts as one value.
  /// - Returns: An empty array if the stretches are too short.
  private static func parts(_ values: [Int64]) -> [Summary] {
    let length = values.count / stretches
    guard length >= 5 else { return [] }
    return (0..<stretches).compactMap { position in
      Summary(millionths: Sample(Array(values[position * length..<(position + 1) * length])))
    }
  }

  /// The chance variation of a statistic, from its values in stretches of the run; 0 if there are none.
  private static func chance(_ parts: [Double]) -> Double {
    guard !parts.isEmpty else { return 0 }
    let mean = parts.reduce(0, +) / Double(parts.count)
    let variance =
      parts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, parts.count - 1))
    return quantile * (variance / Double(parts.count)).squareRoot()
  }

  /// The same figures without dropped refreshes and hitches.
  fileprivate var withoutDrops: ReplayFigures {
    var figures = self
    figures.values.removeAll { ["droppedRefreshes", "hitchTimeRatio"].contains($0.name) }
    figures.drops = [:]
    return figures
  }

  /// The figures common to the recording and its replay, with the figures of a prediction.
  static func together(
    _ recorded: ReplayFigures, _ reproduced: ReplayFigures, _ predicted: ReplayFigures?,
    others: [[String: Double]]
  ) -> [Replay.Figure] {
    recorded.values.compactMap { value in
      guard let own = reproduced.values.first(where: { $0.name == value.name }) else { return nil }
      let other = predicted?.values.first { $0.name == value.name }
      guard predicted == nil || other != nil else { return nil }
      return Replay.Figure(
        name: value.name, unit: value.unit, direction: value.direction, recorded: value.value,
        reproduced: own.value, predicted: other?.value,
        otherGains: others.compactMap { changes in
          changes[value.name].flatMap { change in other.map { $0.value - own.value + change } }
        }, chance: other?.chance ?? value.chance,
        n: value.n, least: value.least)
    }
  }
}

extension ReplayRecording {
  /// The figures by which a replay can be compared. Dropped refreshes and hitches are excluded if a driver generated
  /// frames, because generated frames filled refreshes and are not replayed.
  func comparable(_ figures: ReplayFigures) -> ReplayFigures {
    generated > 0 ? figures.withoutDrops : figures
  }
}

extension ReplayFigures {
  /// The figure with that name; `nil` if there is none.
  subscript(name: String) -> Double? { values.first { $0.name == name }?.value }

  var names: [String] { values.map(\.name) }

  /// Whether a figure is a count of events, so that it grows with the length of the recording.
  func isCount(_ name: String) -> Bool {
    values.first { $0.name == name }?.unit == MetricUnit.refreshes.rawValue
  }
}

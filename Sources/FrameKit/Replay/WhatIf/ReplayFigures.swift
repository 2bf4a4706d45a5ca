/// The figures of a surface that a replay compares.
struct ReplayFigures {
  private struct Value {
    let name: String
    let unit: String
    let direction: MetricDirection
    let value: Double
    let n: Int
    /// By how much the value of a run as long differs by chance: 95 % to either side.
    let chance: Double
    /// What it can be at the least; `nil` where nothing limits it.
    let least: Double?
  }

  private var values: [Value] = []
  /// Dropped refreshes by stage; empty where they are not known.
  private(set) var drops: [PipelineStage: Int] = [:]

  /// The metrics whose quantiles are compared, and which of them.
  private static let metrics: [(name: String, statistics: [String])] = [
    ("touchToPhoton", ["p50", "p95"]), ("touchToPhotonFrames", ["p50"]),
    ("effectiveLatency", ["p50"]), ("displayLatency", ["p50", "p95"]),
    ("frameTime", ["mean", "p50", "p99"]),
    ("queueWait", ["p50"]),
  ]

  init(_ trace: Trace, _ options: AnalysisOptions) {
    let study = Study(of: trace, options)
    self.init(study, surface: study.meant)
  }

  init(_ study: Study, surface: Int?) {
    guard let surface else { return }
    let measured = study.surface(surface)
    if let drops = measured.drops {
      self.drops = drops.byStage.filter { $0.value > 0 }
      let count = Double(drops.refreshes)
      add(
        "droppedRefreshes", "refreshes", .lowerIsBetter, count, drops.activeRefreshes,
        chance: 1.96 * count.squareRoot(), least: 0)
    }
    if let hitches = measured.hitches, hitches.source == .rebuilt, let ratio = hitches.ratio {
      let count = Double(max(1, hitches.times.count))
      add(
        "hitchTimeRatio", "ms/s", .lowerIsBetter, ratio, hitches.times.count,
        chance: 1.96 * ratio / count.squareRoot(), least: 0)
    }
    for (name, statistics) in Self.metrics {
      guard let metric = Metrics.all.first(where: { $0.name == name }),
        case .sample(let sample) = metric.measure(measured).content, let summary = Summary(sample)
      else { continue }
      for statistic in statistics {
        guard let value = summary[statistic] else { continue }
        add(
          "\(statistic)(\(name))", metric.unit.rawValue, metric.direction, value / 1e6, summary.n,
          chance: Self.chance(sample.values, statistic) / 1e6
            + value / 1e6 * Self.difference(name, statistic))
      }
    }
    if let shares = measured.buffers?.depthShares {
      let depth = zip(1..., shares).reduce(0) { $0 + Double($1.0) * $1.1 }
      add("bufferDepth", "buffers", .neither, depth, measured.outcomes.displayed, least: 1)
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

  /// By which share two runs of one program may differ, which one recording cannot show: what a comparison takes for no
  /// change worth acting on.
  private static func difference(_ metric: String, _ statistic: String) -> Double {
    let ofTimes = metric == "frameTime" ? RunMetric(rawValue: statistic)?.usualThreshold : nil
    return ofTimes ?? ComparisonConstants.latencyThreshold
  }

  /// How many stretches of a run stand for runs.
  private static let stretches = 6
  /// The 97.5 % quantile of Student's t with five degrees of freedom.
  private static let quantile = 2.571

  /// By how much a statistic differs by chance, by how much it differs between stretches of the run; frames of one
  /// stretch depend on each other, so that each counts as one.
  private static func chance(_ values: [Int64], _ statistic: String) -> Double {
    let length = values.count / stretches
    guard length >= 5 else { return 0 }
    let parts = (0..<stretches).compactMap { place in
      Summary(Sample(Array(values[place * length..<(place + 1) * length])))?[statistic]
    }
    let mean = parts.reduce(0, +) / Double(parts.count)
    let variance =
      parts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, parts.count - 1))
    return quantile * (variance / Double(parts.count)).squareRoot()
  }

  /// The figures that the recording and its replay have, with those of a prediction.
  static func together(
    _ recorded: ReplayFigures, _ reproduced: ReplayFigures, _ predicted: ReplayFigures?
  ) -> [Replay.Figure] {
    recorded.values.compactMap { value in
      guard let own = reproduced.values.first(where: { $0.name == value.name }) else { return nil }
      let other = predicted?.values.first { $0.name == value.name }
      guard predicted == nil || other != nil else { return nil }
      return Replay.Figure(
        name: value.name, unit: value.unit, direction: value.direction, recorded: value.value,
        reproduced: own.value, predicted: other?.value, chance: other?.chance ?? value.chance,
        n: value.n, least: value.least)
    }
  }
}

extension ReplayFigures {
  /// The figure of that name; `nil` when there is none.
  subscript(name: String) -> Double? { values.first { $0.name == name }?.value }
}

public import FrameTrace

/// The metrics that are measured.
public enum Metrics {
  /// The average frame rate and every low, from frame times.
  package static let ratesOfFrameTimes: [any Metric] = all.filter { metric in
    (metric as? FrameRateMetric)?.base == .frameTime
  }

  /// All metrics, in the order in which they are printed.
  package static let all: [any Metric] = [
    FrameMetric.frameTime,
    FrameRateMetric.averageFrameRate,
    FrameRateMetric.onePercentLowAverage,
    FrameRateMetric.onePercentLowIntegral,
    FrameRateMetric.onePercentLowPercentile,
    FrameRateMetric.pointOnePercentLowAverage,
    FrameRateMetric.pointOnePercentLowIntegral,
    FrameRateMetric.pointOnePercentLowPercentile,
    StutterMetric.stuttersPerMinute,
    StutterMetric.stutterTimeShare,
    StutterMetric.worstStutter,
    StutterMetric.stopsPerMinute,
    StutterMetric.stopTimeShare,
    FrameMetric.presentInterval,
    FrameMetric.startInterval,
    FrameMetric.displayChange,
    FrameMetric.displayedTime,
    FrameRateMetric.displayedFrameRate,
    FrameRateMetric.displayedOnePercentLow,
    FrameRateMetric.displayedPointOnePercentLow,
    FrameRateMetric.renderedFrameRate,
    GeneratedFrameMetric.generatedShare,
    GeneratedFrameMetric.generatedPacing,
    FrameMetric.displayLatency,
    FrameMetric.presentLatency,
    FrameMetric.renderLatency,
    FrameMetric.cpuBusy,
    FrameMetric.cpuWait,
    FrameMetric.uiThreadBlocked,
    FrameMetric.gpuLatency,
    FrameMetric.gpuTime,
    FrameMetric.gpuBusy,
    FrameMetric.gpuWait,
    FrameMetric.videoBusy,
    FrameMetric.gameThreadTime,
    FrameMetric.renderThreadTime,
    FrameMetric.rhiThreadTime,
    AnimationErrorMetric.animationError,
    PipelineMetric.appTime,
    PipelineMetric.compositorTime,
    PipelineMetric.queueWait,
    PipelineMetric.frameOverrun,
    PipelineMetric.droppedShare,
    PipelineMetric.hitchRatio,
    PipelineMetric.hitchTime,
    MissedRefreshMetric.missedRefreshShare,
    MissedRefreshMetric.intervalHitchRatio,
    MissedRefreshMetric.missedRefreshShareOfRun,
    MissedRefreshMetric.intervalHitchRatioOfRun,
    PipelineMetric.layerSkew,
    PipelineMetric.gpuTimePerPass,
    PipelineMetric.touchToPhoton,
    PipelineMetric.touchToPhotonFrames,
    PipelineMetric.touchToPhotonCoalesced,
    PipelineMetric.inputAge,
    PipelineMetric.inputAgeFrames,
    PipelineMetric.effectiveLatency,
    PipelineMetric.effectiveLatencyFrames,
    PipelineMetric.predictionError,
    PipelineMetric.scanInterval,
    PipelineMetric.scanJitter,
    PipelineMetric.scanDelivery,
    PipelineMetric.coalescedSamples,
    InputLatencyMetric.clickToPhoton,
    InputLatencyMetric.inputToPhoton,
  ]

  /// Other common names of metrics, in lowercase and without spaces.
  private static let synonyms = [
    "fps": "averageFrameRate", "1%low": "onePercentLowAverage",
    "0.1%low": "pointOnePercentLowAverage", "dropped": "droppedShare", "hitches": "hitchRatio",
    "stutters": "stuttersPerMinute", "stops": "stopsPerMinute",
  ]

  /// The name of the metric that a word refers to: its name in any case, or a synonym; `nil` if there is none.
  public static func name(_ word: String) -> String? {
    if all.contains(where: { $0.name == word }) { return word }
    let word = word.lowercased().filter { $0 != " " }
    return all.first { $0.name.lowercased() == word }?.name ?? synonyms[word]
  }

  /// Which way a metric is better; neither for an unknown one.
  package static func direction(of name: String) -> MetricDirection {
    all.first { $0.name == name }?.direction ?? .neither
  }

  /// A metric as listed for users.
  public struct Entry: Sendable {
    /// The name in results, what it measures in one sentence, and how it is computed.
    public let name, summary, formula: String
    /// The unit of the metric's values.
    public let unit: MetricUnit
    /// Whether lower or higher values are better.
    public let direction: MetricDirection
    /// Where the formula comes from; `nil` if the formula is the plain meaning of the name.
    public let source: String?
  }

  /// The metrics in the order in which they are printed.
  public static var entries: [Entry] {
    all.map {
      Entry(
        name: $0.name, summary: $0.summary, formula: $0.formula, unit: $0.unit,
        direction: $0.direction, source: $0.source)
    }
  }
}

/// Which metrics are measured.
public struct MetricSelection: Sendable {
  package let metrics: [any Metric]
  /// Whether all metrics are selected, and with them everything else known about a trace.
  public let isAll: Bool

  /// All metrics.
  public static let all = MetricSelection(metrics: Metrics.all, isAll: true)

  private init(metrics: [any Metric], isAll: Bool) {
    self.metrics = metrics
    self.isAll = isAll
  }

  /// The metrics with these names, in the order of the list of metrics; `nil` when any name is
  /// unknown.
  public init?(_ names: some Sequence<String>) {
    let wanted = Set(names)
    let metrics = Metrics.all.filter { wanted.contains($0.name) }
    guard metrics.count == wanted.count else { return nil }
    self.init(metrics: metrics, isAll: false)
  }

  /// What has to be read from a trace for the selected metrics.
  public var demand: TraceDemand {
    isAll
      ? .everything : metrics.map(\.demand).reduce(TraceDemand(frameColumns: [])) { $0.union($1) }
  }

  /// Whether the pipeline has to be rebuilt for the selected metrics.
  package var needsReconstruction: Bool { isAll || metrics.contains(where: \.needsReconstruction) }
}

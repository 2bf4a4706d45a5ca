public import FrameAnalysis
import FrameStatistics
public import FrameTrace

/// The frame times of a run, with the other data that a comparison needs.
public struct RunTimes: Sendable {
  /// The file of the run, as the user named it.
  public var file: String
  let process: String?
  private(set) var surface: String
  let metric: String
  let definition: String
  /// The times in nanoseconds, in order.
  public var times: [Int64]
  /// The histogram that the source counted, if it is compared instead of times.
  private(set) var histogram: FieldHistogram?
  /// A metric for which the source counted enough frames to compare.
  private(set) var countedMetric: String?
  /// Well-known frame rates by metric name, in frames per second.
  private(set) var rates: [String: Double] = [:]
  /// The figures of stutters and stops; empty where the run is not judged.
  private(set) var interruptions: [RunMetric: Double] = [:]
  /// The share of janky frames in percent, if the source reports it.
  private(set) var jankShare: Double?
  /// What limits the frames; `nil` where the source does not say.
  private(set) var limits: LimitCounts?
  let refresh: RunRefresh?
  package var start: Int64?
  package var clock: String?
  let latencies: [Int64]
  let latencyName: String?
  private(set) var launches: LaunchTimes
  let droppedShare, hitchRatio: Double?
  let setup: [String: String]
  let losses: [String]

  /// A run of frame times from any origin.
  /// - Parameters:
  ///   - times: The times in nanoseconds, above 0 and in order.
  ///   - interval: The display's refresh interval; `nil` to infer it.
  public init(named file: String, times: [Int64], interval: Nanoseconds?) {
    self.init(
      file: file, process: nil, surface: file, definition: "frame to frame", times: times,
      refresh: interval.flatMap { RunRefresh($0.count, .stated, times: times) }
        ?? RunRefresh(inferring: times), setup: [:], losses: [])
    interruptions = RunInterruptions.figures(of: times)
  }

  /// The summary that a comparison keeps of the run.
  public var summary: RunSummary {
    RunSummary(
      file: file, process: process, surface: surface, metric: metric, definition: definition,
      times: times, histogram: histogram, refresh: refresh, start: start, clock: clock,
      latencies: latencies, latencyName: latencyName, launches: launches,
      droppedShare: droppedShare, hitchRatio: hitchRatio, rates: rates,
      interruptions: interruptions, jankShare: jankShare,
      countedMetric: countedMetric, limits: limits, setup: setup, losses: losses)
  }
}

extension RunTimes {
  init(
    file: String, process: String?, surface: String, metric: String = ComparedFigures.usual,
    definition: String, times: [Int64] = [], refresh: RunRefresh? = nil, start: Int64? = nil,
    clock: String? = nil, latencies: [Int64] = [], latencyName: String? = nil,
    launches: LaunchTimes = .none, droppedShare: Double? = nil, hitchRatio: Double? = nil,
    setup: [String: String], losses: [String]
  ) {
    (self.file, self.process, self.surface) = (file, process, surface)
    (self.metric, self.definition) = (metric, definition)
    self.times = times
    self.refresh = refresh
    (self.start, self.clock) = (start, clock)
    (self.latencies, self.latencyName) = (latencies, latencyName)
    self.launches = launches
    (self.droppedShare, self.hitchRatio) = (droppedShare, hitchRatio)
    (self.setup, self.losses) = (setup, losses)
  }

  /// The run of a trace: the times of the selected surface, and the launches. If a trace has no
  /// frames, the histogram of durations that its source counted is used instead.
  /// - Throws: If there are no such times.
  public static func of(
    _ study: Study, _ figures: ComparedFigures = ComparedFigures()
  ) throws(ComparisonRefusal) -> RunTimes {
    let file = study.trace.provenance.file
    let launches = LaunchTimes(study.launches)
    if let counted = counted(study, figures, launches) { return counted }
    // A trace of launches may have no frames.
    if study.trace.frameCount == 0, !launches.times.isEmpty {
      var run = RunTimes(named: file, times: [], interval: nil)
      run.surface = launches.process ?? file
      run.launches = launches
      return run
    }
    guard let meant = study.meant else {
      throw study.trace.frameCount == 0
        ? ComparisonRefusal.noFrames(file: file)
        : .noSurface(file: file)
    }
    return try of(study, surface: meant, launches, figures.metric)
  }

  private static func of(
    _ study: Study, surface: Int, _ launches: LaunchTimes, _ metric: String
  ) throws(ComparisonRefusal) -> RunTimes {
    let trace = study.trace
    let file = trace.provenance.file
    let measured = study.surface(surface)
    let found = Metrics.all.first { $0.name == metric }?.measure(measured)
    guard let found, case .sample(let sample) = found.content else {
      throw ComparisonRefusal.noValues(file: file, words(metric))
    }
    guard metric == ComparedFigures.usual || sample.values.allSatisfy({ $0 >= 0 }) else {
      throw ComparisonRefusal.negativeValues(file: file, metric: metric)
    }
    let latency = latencies(measured)
    let times = sample.values.filter(RunRefresh.isFrameTime)
    var run = RunTimes(
      file: file, process: measured.surface.process, surface: measured.surface.id,
      metric: metric,
      definition: found.definition ?? (metric == ComparedFigures.usual ? "frame to frame" : metric),
      times: times,
      refresh: metric == ComparedFigures.usual ? RunRefresh(measured, times: times) : nil,
      start: study.sharedClock == nil ? nil : study.timeRange?.lowerBound.nanoseconds,
      clock: study.sharedClock, latencies: latency.values, latencyName: latency.name,
      launches: launches,
      droppedShare: measured.drops?.share.map { $0 * 100 }, hitchRatio: measured.hitches?.ratio,
      setup: setup(trace, measured.surface),
      losses: losses(trace, leftOut: sample.values.count - times.count))
    if metric == ComparedFigures.usual {
      run.rates = rates(measured)
      run.interruptions = interruptions(measured)
    }
    run.limits = measured.limits?.counts
    run.jankShare = jankShare(trace)
    run.countedMetric = histogram(trace, StatedMetric.frameDuration.rawValue)?.metric
    return run
  }

  /// The frame rates, as `analyze` prints them.
  private static func rates(_ surface: MeasuredSurface) -> [String: Double] {
    var rates: [String: Double] = [:]
    for metric in RunSummary.rateMetrics {
      if case .figure(let rate, _) = metric.measure(surface).content { rates[metric.name] = rate }
    }
    return rates
  }

  /// The figures of stutters and stops, as `analyze` prints them.
  private static func interruptions(_ surface: MeasuredSurface) -> [RunMetric: Double] {
    var figures: [RunMetric: Double] = [:]
    for figure in RunMetric.interruptions {
      let metric = Metrics.all.first { $0.name == figure.rawValue }
      if case .figure(let value, _)? = metric?.measure(surface).content { figures[figure] = value }
    }
    return figures
  }

  private static func words(_ metric: String) -> String {
    metric == ComparedFigures.usual ? "frame times" : "values of \(metric)"
  }

  /// The run that a source counted itself, used if that metric was chosen or there are no frames.
  static func counted(
    _ study: Study, _ figures: ComparedFigures, _ launches: LaunchTimes = .none
  ) -> RunTimes? {
    let trace = study.trace
    guard figures.isMetricChosen || (trace.frameCount == 0 && launches.times.isEmpty) else {
      return nil
    }
    let metric = figures.isMetricChosen ? figures.metric : StatedMetric.frameDuration.rawValue
    guard let histogram = histogram(trace, metric) else { return nil }
    let file = trace.provenance.file
    var run = RunTimes(
      file: file, process: nil, surface: trace.bins.text(0, .label) ?? file, metric: metric,
      definition: "as the source counted it", launches: launches, setup: setup(trace),
      losses: losses(trace, leftOut: 0))
    run.histogram = histogram
    run.jankShare = jankShare(trace)
    return run
  }

  /// The histogram of a metric that the source reports, if it has enough frames to compare.
  private static func histogram(_ trace: Trace, _ metric: String) -> FieldHistogram? {
    guard ComparedFigures.counted.contains(where: { $0.rawValue == metric }) else { return nil }
    return trace.bins.histograms.first { histogram in
      histogram.metric == metric && histogram.unit == "ms"
        && histogram.count >= RunSummary.fewestFrames
        && histogram.bins.allSatisfy { bin in
          // Bounds the sum, so that it fits in 64 bits.
          bin.low >= 0 && Double(histogram.count) * Millionths.of(bin.high) < 0x1p62
        }
    }
  }

  /// The share of janky frames that a source reports, if it has exactly one run.
  private static func jankShare(_ trace: Trace) -> Double? {
    let shares = (0..<trace.figures.count).filter {
      trace.figures.text($0, .metric) == StatedMetric.jankShare.rawValue
    }
    return shares.count == 1 ? trace.figures.real(shares[0], .value) : nil
  }

  /// The recording setup of a run, as far as its source reports it.
  private static func setup(_ trace: Trace, _ surface: Surface) -> [String: String] {
    var setup = setup(trace)
    let frames = surface.frames
    if let mode = frames.stored(.presentMode)?.constantValue {
      setup["present mode"] = frames.texts[mode]
    }
    setup["sync interval"] = frames.stored(.syncInterval)?.constantValue.map { "\($0)" }
    for extra in surface.frames.extras {
      guard let name = setupColumns[extra.name.lowercased()] else { continue }
      // Only a value that is constant over the run describes the setup.
      switch extra.values {
      case .texts(let column, let texts): setup[name] = column.constantValue.map { texts[$0] }
      case .integers(let column): setup[name] = column.constantValue.map { "\($0)" }
      case .reals: break
      }
    }
    return setup
  }

  /// The recording setup, as far as the source reports it for the whole trace.
  static func setup(_ trace: Trace) -> [String: String] {
    var setup: [String: String] = [:]
    setup["device"] = trace.setting.device
    setup["system"] = trace.setting.system
    let surfaces = trace.surfaces.count { $0.frames.count >= SurfaceOrder.fewestFrames }
    setup[RunSummary.surfaces] = surfaces > 0 ? "\(surfaces)" : nil
    setup[RunSummary.day] = trace.setting.date.flatMap { JobDate($0) }?.dayText
    for (condition, value) in trace.setting.conditions { setup[condition.words] = value }
    return setup
  }

  /// Columns of sources that describe the recording setup, by lower-case name, with the names used
  /// here.
  private static let setupColumns: [String: String] = [
    "resolution": "resolution", "width": "width", "height": "height", "gpu": "GPU", "cpu": "CPU",
    "driver": "driver", "gpu driver": "driver", "driver version": "driver",
    "runtime": "runtime",
    "presentruntime": "runtime", "allowstearing": "tearing allowed",
  ]

  /// The data of a trace that could not be read, and values that are not frame times.
  static func losses(_ trace: Trace, leftOut: Int) -> [String] {
    let lost = trace.issues.filter { $0.severity == .dataLoss }.map {
      "\($0.count) × \($0.message)"
    }
    return lost
      + (leftOut > 0 ? ["\(leftOut) × frame times of 0 or less, or of years, left out"] : [])
  }

  /// The surface's latencies of touches, otherwise of clicks.
  private static func latencies(_ surface: MeasuredSurface) -> (name: String?, values: [Int64]) {
    let metrics: [any Metric] = [
      PipelineMetric.touchToPhoton, InputLatencyMetric.clickToPhoton,
      InputLatencyMetric.inputToPhoton,
    ]
    for metric in metrics {
      if case .sample(let sample) = metric.measure(surface).content {
        return (metric.name, sample.values)
      }
    }
    return (nil, [])
  }
}

extension Study {
  /// The name of the clock, if other traces of the machine use it too; `nil` if times count from
  /// the start of the capture.
  fileprivate var sharedClock: String? {
    guard let clock = trace.clocks.first, let start = timeRange?.lowerBound.nanoseconds else {
      return nil
    }
    // A clock that starts with the capture is near zero; a clock of the machine has run for a
    // while.
    return start > 60_000_000_000 ? clock.name : nil
  }
}

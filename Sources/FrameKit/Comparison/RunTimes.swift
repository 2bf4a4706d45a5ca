/// The frame times of a run, with what else a comparison needs of it.
public struct RunTimes: Sendable {
  /// Where it comes from, as the user named it.
  public var file: String
  let process: String?
  private(set) var surface: String
  let definition: String
  /// In nanoseconds and in order.
  public var times: [Int64]
  let refresh: RunRefresh?
  package var start: Int64?
  package var clock: String?
  let latencies: [Int64]
  let latencyName: String?
  private(set) var launches: LaunchTimes
  let droppedShare, hitchRatio: Double?
  let setup: [String: String]
  let losses: [String]

  /// A run of frame times of any origin.
  /// - Parameters:
  ///   - times: In nanoseconds, above 0 and in order.
  ///   - interval: The display's refresh interval; `nil` when not known, and then it is inferred.
  public init(named file: String, times: [Int64], interval: Nanoseconds?) {
    self.init(
      file: file, process: nil, surface: file, definition: "frame to frame", times: times,
      refresh: interval.flatMap { RunRefresh($0.count, .stated, times: times) }
        ?? RunRefresh(inferring: times),
      start: nil, clock: nil, latencies: [], latencyName: nil, launches: .none,
      droppedShare: nil, hitchRatio: nil, setup: [:], losses: [])
  }

  /// What a comparison keeps of it.
  public var summary: RunSummary {
    RunSummary(
      file: file, process: process, surface: surface, definition: definition, times: times,
      refresh: refresh, start: start, clock: clock, latencies: latencies,
      latencyName: latencyName, launches: launches, droppedShare: droppedShare,
      hitchRatio: hitchRatio, setup: setup, losses: losses)
  }
}

extension RunTimes {
  private init(
    file: String, process: String?, surface: String, definition: String, times: [Int64],
    refresh: RunRefresh?, start: Int64?, clock: String?,
    latencies: [Int64], latencyName: String?, launches: LaunchTimes, droppedShare: Double?,
    hitchRatio: Double?, setup: [String: String], losses: [String]
  ) {
    (self.file, self.process, self.surface) = (file, process, surface)
    self.definition = definition
    self.times = times
    self.refresh = refresh
    (self.start, self.clock) = (start, clock)
    (self.latencies, self.latencyName) = (latencies, latencyName)
    self.launches = launches
    (self.droppedShare, self.hitchRatio) = (droppedShare, hitchRatio)
    (self.setup, self.losses) = (setup, losses)
  }

  /// The run that a trace is: the frame times of the surface that is meant, and the launches.
  /// - Throws: Where there are no frame times.
  public static func of(_ study: Study) throws(ComparisonRefusal) -> RunTimes {
    let file = study.trace.provenance.file
    let launches = LaunchTimes(study.launches)
    // A trace of launches need not have frames.
    if study.trace.frameCount == 0, !launches.times.isEmpty {
      var run = RunTimes(named: file, times: [], interval: nil)
      run.surface = launches.process ?? file
      run.launches = launches
      return run
    }
    guard let meant = study.meant else {
      throw ComparisonRefusal(
        message: "\(file): there is no such surface", help: "'frametool info \(file)' lists them")
    }
    return try of(study, surface: meant, launches)
  }

  /// The run that one of a trace's surfaces is.
  /// - Parameter surface: Its place in the trace's list.
  /// - Throws: Where there are no frame times.
  static func of(_ study: Study, surface: Int) throws(ComparisonRefusal) -> RunTimes {
    try of(study, surface: surface, LaunchTimes(study.launches))
  }

  private static func of(
    _ study: Study, surface: Int, _ launches: LaunchTimes
  ) throws(ComparisonRefusal) -> RunTimes {
    let trace = study.trace
    let file = trace.provenance.file
    let measured = study.surface(surface)
    let frameTimes = FrameMetric.frameTime.measure(measured)
    guard case .sample(let sample) = frameTimes.content else {
      throw ComparisonRefusal(
        message: "\(file): there are no frame times to compare",
        help: "'frametool analyze \(file)' shows what there is")
    }
    let latency = latencies(measured)
    let times = sample.values.filter { $0 > 0 && $0 < longest }
    return RunTimes(
      file: file, process: measured.surface.process, surface: measured.surface.id,
      definition: frameTimes.definition ?? "frame to frame",
      times: times,
      refresh: RunRefresh(
        measured.rebuilt?.refreshes,
        hasDisplayTimes: measured.surface.frames.valueCount(.displayed) > 3, times: times),
      start: study.sharedClock == nil ? nil : study.timeRange?.lowerBound.nanoseconds,
      clock: study.sharedClock, latencies: latency.values, latencyName: latency.name,
      launches: launches,
      droppedShare: measured.drops?.share.map { $0 * 100 }, hitchRatio: measured.hitches?.ratio,
      setup: setup(trace, measured.surface),
      losses: losses(trace, leftOut: sample.values.count - times.count))
  }

  /// What a run was recorded on and with, as far as its source says.
  private static func setup(_ trace: Trace, _ surface: Surface) -> [String: String] {
    var setup: [String: String] = [:]
    setup["device"] = trace.setting.device
    setup["system"] = trace.setting.system
    for extra in surface.frames.extras where setupColumns.contains(extra.name.lowercased()) {
      // Only what is the same in all of a run is what it was recorded with.
      if case .texts(let column, let texts) = extra.values, let value = column.constantValue {
        setup[extra.name.lowercased()] = texts[value]
      }
    }
    return setup
  }

  /// Columns of sources that tell what a run was recorded on and with.
  private static let setupColumns: Set<String> = [
    "resolution", "gpu", "cpu", "driver", "gpu driver", "driver version",
  ]

  /// What of a trace could not be read, and what is no frame time.
  private static func losses(_ trace: Trace, leftOut: Int) -> [String] {
    let lost = trace.issues.filter { $0.severity == .dataLoss }.map {
      "\($0.count) × \($0.message)"
    }
    return lost
      + (leftOut > 0 ? ["\(leftOut) × frame times of 0 or less, or of years, left out"] : [])
  }

  /// No frame takes longer than this, nine years in nanoseconds: times beyond it are none.
  private static let longest: Int64 = 1 << 58

  /// The latencies of touches, else of clicks, that the surface shows.
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
  /// The name of a clock that other traces of the machine are on too; `nil` when times count
  /// from the start of the capture.
  fileprivate var sharedClock: String? {
    guard let clock = trace.clocks.first, let start = timeRange?.lowerBound.nanoseconds else {
      return nil
    }
    // A clock that begins with the capture is near zero then; one of the machine has run for
    // a while.
    return start > 60_000_000_000 ? clock.name : nil
  }
}

/// The frame times of a run, with what else a comparison needs of it.
public struct RunTimes: Sendable {
  /// Where it comes from, as the user named it.
  public var file: String
  let process: String?
  private(set) var surface: String
  let definition: String
  /// In nanoseconds and in order.
  public var times: [Int64]
  let interval: Int64?
  let intervalSource: String?
  let start: Int64?
  let clock: String?
  let latencies: [Int64]
  let latencyName: String?
  private(set) var launches: LaunchTimes
  let droppedShare, hitchRatio: Double?

  /// A run of frame times of any origin.
  /// - Parameters:
  ///   - times: In nanoseconds, above 0 and in order.
  ///   - interval: The display's refresh interval; `nil` when not known.
  public init(named file: String, times: [Int64], interval: Nanoseconds?) {
    self.init(
      file: file, process: nil, surface: file, definition: "frame to frame", times: times,
      interval: interval?.count, intervalSource: interval == nil ? nil : "stated", start: nil,
      clock: nil, latencies: [], latencyName: nil, launches: .none,
      droppedShare: nil, hitchRatio: nil)
  }

  /// What a comparison keeps of it.
  public var summary: RunSummary {
    RunSummary(
      file: file, process: process, surface: surface, definition: definition, times: times,
      interval: interval, intervalSource: intervalSource, start: start, clock: clock,
      latencies: latencies, latencyName: latencyName, launches: launches,
      droppedShare: droppedShare, hitchRatio: hitchRatio)
  }
}

extension RunTimes {
  private init(
    file: String, process: String?, surface: String, definition: String, times: [Int64],
    interval: Int64?, intervalSource: String?, start: Int64?, clock: String?,
    latencies: [Int64], latencyName: String?, launches: LaunchTimes, droppedShare: Double?,
    hitchRatio: Double?
  ) {
    (self.file, self.process, self.surface) = (file, process, surface)
    self.definition = definition
    self.times = times
    (self.interval, self.intervalSource) = (interval, intervalSource)
    (self.start, self.clock) = (start, clock)
    (self.latencies, self.latencyName) = (latencies, latencyName)
    self.launches = launches
    (self.droppedShare, self.hitchRatio) = (droppedShare, hitchRatio)
  }

  /// The run that a trace is: the frame times of one of its surfaces.
  ///
  /// Of several surfaces the one with most frames is taken.
  /// - Parameters:
  ///   - isWanted: Which surfaces may be taken.
  ///   - interval: The refresh interval, where the user states it.
  ///   - process: The process whose launches are meant; else those of the one with most are.
  /// - Throws: Where there are no frame times.
  public static func of(
    _ trace: Trace, where isWanted: (Surface) -> Bool = { _ in true },
    interval stated: Nanoseconds? = nil, launchesOf process: String? = nil
  ) throws(ComparisonRefusal) -> RunTimes {
    let file = trace.provenance.file
    let launches = LaunchTimes(trace, of: process)
    // A trace of launches need not have frames.
    if trace.frameCount == 0, !launches.times.isEmpty {
      var run = RunTimes(named: file, times: [], interval: stated)
      run.surface = launches.process ?? file
      run.launches = launches
      return run
    }
    let wanted = trace.surfaces.indices.filter { isWanted(trace.surfaces[$0]) }
    let most = wanted.max {
      (trace.surfaces[$0].frames.count, $1) < (trace.surfaces[$1].frames.count, $0)
    }
    guard let index = most else {
      throw ComparisonRefusal(
        message: "\(file): there is no such surface", help: "'frametool info \(file)' lists them")
    }
    let measured = MeasuredSurface(Pipeline(reconstructing: trace), index: index)
    let frameTimes = FrameMetric.frameTime.measure(measured)
    guard case .sample(let sample) = frameTimes.content else {
      throw ComparisonRefusal(
        message: "\(file): there are no frame times to compare",
        help: "'frametool analyze \(file)' tells what there is")
    }
    let latency = latencies(measured)
    let refreshes = measured.rebuilt?.refreshes
    return RunTimes(
      file: file, process: measured.surface.process, surface: measured.surface.id,
      definition: frameTimes.definition ?? "frame to frame",
      times: sample.values.filter { $0 > 0 && $0 < longest },
      interval: stated?.count ?? refreshes?.interval?.count,
      intervalSource: stated == nil ? refreshes?.source?.rawValue : "stated",
      start: trace.sharedClock == nil ? nil : trace.timeRange?.lowerBound.nanoseconds,
      clock: trace.sharedClock, latencies: latency.values, latencyName: latency.name,
      launches: launches,
      droppedShare: measured.drops?.share.map { $0 * 100 }, hitchRatio: measured.hitches?.ratio)
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

extension Trace {
  /// The name of a clock that other traces of the machine are on too; `nil` when times count
  /// from the start of the capture.
  fileprivate var sharedClock: String? {
    guard let clock = clocks.first, let start = timeRange?.lowerBound.nanoseconds else {
      return nil
    }
    // A clock that begins with the capture is near zero then; one of the machine has run for
    // a while.
    return start > 60_000_000_000 ? clock.name : nil
  }
}

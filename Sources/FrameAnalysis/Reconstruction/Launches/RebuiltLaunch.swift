public import FrameTrace

/// A launch, assembled from the facts of a trace.
///
/// Apple, "Optimizing App Launch", WWDC 2019: a launch lasts from the tap, or if the tap is unknown, from the start of
/// the process, to the first frame; the extended phase comes after it.
public struct RebuiltLaunch: Sendable {
  /// The launch's number in the source, otherwise its position in the trace, from 1.
  public let number: Int64
  /// The process that was launched; `nil` when not known.
  public let process: String?
  /// cold, warm or resume; `nil` when not known.
  public let kind: LaunchColumn.Kind?
  /// The event that ends the launch.
  public let until: LaunchColumn.End
  /// Whether the source marks the launch as one to discard, and whether a profiler slowed it down.
  public let isThrowaway, isProfiled: Bool
  /// When the launch was requested, otherwise when its process started; `nil` if neither is known.
  public let start: Timestamp?
  /// Whether the start is the tap.
  public let isFromTap: Bool
  /// When the process was created; `nil` if unknown.
  public let processStart: Timestamp?
  /// When the launch was over, as defined by `until`; `nil` if that never happened or is unknown.
  public let end: Timestamp?
  /// When the extended phase was over; `nil` when it has none.
  public let finished: Timestamp?
  /// How long all threads of the launch ran; `nil` if unknown.
  public let cpu: Nanoseconds?
  /// How much was read from disk during the launch; `nil` if unknown.
  public let bytesRead: Int64?
  /// The phases in order of time.
  public let phases: [LaunchPhase]
  /// The priority inversions of the main thread up to the end of the launch, the longest first.
  public let inversions: [PriorityInversion]
  /// The main thread; `nil` when the trace does not say which one it is.
  public let mainThread: ThreadName?

  /// The time from start to end; `nil` if one of them is unknown, or they are out of order.
  public var total: Nanoseconds? {
    guard let start, let end, end > start, end - start < LaunchPhase.longest else {
      return nil
    }
    return end - start
  }

  /// Whether the launch counts as a measurement: a resume is not a launch, a discarded launch only warms things up, and
  /// a profiled launch is slower.
  public var isMeasurement: Bool { whyNoMeasurement == nil }

  /// Why the launch is left out of every statistic; `nil` if it is included.
  public var whyNoMeasurement: Exclusion? {
    if kind == .resume { return .resume }
    if isThrowaway { return .throwaway }
    if isProfiled { return .profiled }
    return total == nil ? .unfinished : nil
  }

  /// Why a launch is not a measurement.
  public enum Exclusion: String, Sendable, CaseIterable {
    case resume, throwaway, profiled, unfinished

    /// The reason as used in a sentence.
    public var words: String {
      switch self {
      case .resume: "a resume is not a launch"
      case .throwaway: "a throwaway launch is only a warm-up"
      case .profiled: "a profiler slows launches down"
      case .unfinished: "the start or end is unknown"
      }
    }
  }

  /// The launches of a trace, in trace order.
  public static func all(_ trace: Trace) -> [RebuiltLaunch] {
    let facts = LaunchFacts(trace)
    return (0..<trace.launches.count).map { RebuiltLaunch(facts, row: $0) }
  }

  private init(_ facts: LaunchFacts, row: Int) {
    let trace = facts.trace
    let launches = trace.launches
    let identifier = launches[row, .identifier]
    number = identifier ?? Int64(row + 1)
    process = launches.text(row, .process)
    kind = launches[row, .kind].flatMap(LaunchColumn.Kind.init)
    let until = launches[row, .until].flatMap(LaunchColumn.End.init) ?? .firstFrame
    self.until = until
    isThrowaway = launches[row, .throwaway] == 1
    isProfiled = launches[row, .profiled] == 1
    let tapped = launches.time(row, .tapped)
    processStart = launches.time(row, .started)
    isFromTap = tapped != nil
    start = tapped ?? processStart
    end = launches.time(row, until.column)
    finished = launches.time(row, .finished)
    cpu = launches.duration(row, .cpu).flatMap { LaunchPhase.isPossible($0) ? $0 : nil }
    bytesRead = launches[row, .bytesRead].flatMap { $0 < 0 ? nil : $0 }
    let rows = facts.phases(of: row)
    let span = Self.span(
      [start, end, finished].compactMap { $0 }
        + rows.flatMap { [trace.phases.time($0, .start), trace.phases.time($0, .end)] }
        .compactMap { $0 })
    // After the first frame, the main thread waits for the user and not for other work.
    let first = start ?? span.lowerBound
    let waiting = first..<max(first, end ?? span.upperBound)
    let thread = facts.mainThread(of: process, in: span)
    mainThread = thread.map(facts.name)
    phases = rows.compactMap { LaunchPhase(facts, row: $0, thread: thread, waiting: waiting) }
    inversions = thread.map { PriorityInversions(facts).all(of: $0, in: waiting) } ?? []
  }

  private static func span(_ times: [Timestamp]) -> Range<Timestamp> {
    guard let first = times.min(), let last = times.max() else {
      return .earliest ..< .earliest
    }
    return first..<last
  }
}

extension LaunchColumn.End {
  /// The column that contains the event's time.
  var column: LaunchColumn {
    switch self {
    case .firstFrame: .firstFrame
    case .frameCallback: .frameCallback
    case .marked: .marked
    case .exited: .exited
    case .responsive: .responsive
    }
  }

  /// The event in words.
  public var words: String {
    switch self {
    case .firstFrame: "first frame"
    case .frameCallback: "first frame callback"
    case .marked: "marker"
    case .exited: "exit"
    case .responsive: "first frame that reacts to input"
    }
  }
}

/// The data recorded by a source: an immutable set of facts and their origin.
///
/// All times are on one clock, the trace clock. Data that a source lacks is missing and never
/// filled in: nothing here is derived from a model.
public struct Trace: Sendable {
  /// Where the trace comes from, and how it was read.
  public package(set) var provenance: Provenance
  /// The clocks of the input, the trace clock first.
  public package(set) var clocks: [ClockDomain] = []
  /// The displays, to which surfaces refer by index.
  public package(set) var displays: [Display] = []
  /// The surfaces with their frames, in the order in which the input names them.
  public package(set) var surfaces: [Surface] = []
  /// Commits of apps, for sources that list them separately from frames.
  public package(set) var commits = Table<CommitColumn>()
  /// Samples of touches and other input.
  public package(set) var touches = Table<TouchColumn>()
  /// The events of buffers.
  public package(set) var bufferEvents = Table<BufferColumn>()
  /// The content of transactions that each frame shows.
  public package(set) var layers = Table<LayerColumn>()
  /// Launches of apps.
  public package(set) var launches = Table<LaunchColumn>()
  /// The phases of launches.
  public package(set) var phases = Table<PhaseColumn>()
  /// The threads that states and calls belong to.
  public package(set) var threads = Table<ThreadColumn>()
  /// The states of threads over time: running, runnable, preempted, or blocked.
  public package(set) var threadStates = Table<ThreadStateColumn>()
  /// Function calls, as recorded by a profiler.
  public package(set) var calls = Table<CallColumn>()
  /// GPU passes within frames.
  public package(set) var passes = Table<PassColumn>()
  /// Marks set by the source or the app.
  public package(set) var markers = Table<MarkerColumn>()
  /// Hitches as the source computed them.
  public package(set) var statedHitches = Table<HitchColumn>()
  /// Hangs as the source computed them.
  public package(set) var hangs = Table<HangColumn>()
  /// Events that a page handled.
  public package(set) var pageEvents = Table<PageEventColumn>()
  /// Figures that the source itself states for runs.
  public package(set) var figures = Table<FigureColumn>()
  /// Histograms: how many values fell between bounds, as counted by the source.
  public package(set) var bins = Table<BinColumn>()
  /// The device, app and origin of the recording.
  public package(set) var setting = Setting.unknown
  /// Temperatures, clock rates and other values over time.
  public package(set) var telemetry: [TelemetrySeries] = []
  /// Whether columns of the input were not read because they were not needed.
  public package(set) var isPartial = false
  /// What was skipped, repaired or assumed.
  public package(set) var issues: [TraceIssue] = []

  init(_ provenance: Provenance) { self.provenance = provenance }

  /// The number of frames on all surfaces.
  public var frameCount: Int { surfaces.reduce(0) { $0 + $1.frames.count } }

  /// The trace with the frames of only some surfaces. The others stay in the list because records refer to surfaces by
  /// index.
  public func keeping(_ isWanted: (Surface) -> Bool) -> Trace {
    keeping(Set(surfaces.indices.filter { isWanted(surfaces[$0]) }))
  }

  /// The trace with only the frames of the surfaces at these indices, and without references to the frames of the other
  /// surfaces.
  package func keeping(_ wanted: Set<Int>) -> Trace {
    guard wanted.count < surfaces.count else { return self }
    var trace = self
    for index in surfaces.indices where !wanted.contains(index) {
      trace.surfaces[index].frames = Table<FrameColumn>()
    }
    trace.referToSurfaces { wanted.contains($0) ? $0 : nil }
    return trace
  }

  /// The trace with only the surfaces at these indices, in this order, and without references to the other surfaces.
  package func reduced(to wanted: [Int]) -> Trace {
    var trace = self
    trace.surfaces = wanted.map { surfaces[$0] }
    let positions = Dictionary(uniqueKeysWithValues: zip(wanted, wanted.indices))
    trace.referToSurfaces { positions[$0] }
    return trace
  }

  /// Changes the surfaces that records refer to; removes the records of removed surfaces.
  private mutating func referToSurfaces(_ index: (Int) -> Int?) {
    for kind in FactTables.all { kind.changeSurfaces(&self, index) }
  }
}

extension Trace {
  /// The instant that times are relative to: 0 of a clock that counts from the start of the recording, or else the
  /// first instant; 0 if there is no instant.
  package func origin(of times: ClosedRange<Timestamp>?) -> Timestamp {
    let zero = Timestamp(nanoseconds: 0)
    let countsFromStart = clocks.contains {
      $0.join == .traceClock && $0.name == ClockDomain.recordingStart
    }
    return countsFromStart ? min(zero, times?.lowerBound ?? zero) : times?.lowerBound ?? zero
  }
}

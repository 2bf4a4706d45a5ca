import FrameStatistics
package import FrameTrace

/// A surface being measured, with what several metrics need of it kept at hand.
package final class MeasuredSurface {
  package let pipeline: Pipeline
  package let index: Int
  package let options: AnalysisOptions
  /// The rows of the frames that are measured.
  package let rows: Range<Int>
  /// Those frames.
  package let frames: Table<FrameColumn>
  package let outcomes: FrameOutcomes

  /// Its dropped refreshes, hitches, buffers and touches; `nil` where the trace does not say.
  package private(set) lazy var drops = contradictingPart == nil ? foundDrops : nil
  private lazy var foundDrops = rebuilt.flatMap { _ in
    DropFindings(pipeline.surfaces, index, rows: rows, within: range)
  }
  /// More frames and drops in the measured part than it has refreshes, although the whole trace has not; `nil` where
  /// they fit.
  private(set) lazy var contradictingPart = foundDrops.flatMap { found -> DropsUnknown? in
    guard options.region != nil, rebuilt?.timeline.schedule.isVariable == false else { return nil }
    return DropsUnknown.excess(
      shown: found.displayedFrames, dropped: found.refreshes, refreshes: found.activeRefreshes)
  }
  /// Why its dropped refreshes are not known; `nil` where they are, or nothing was displayed.
  package private(set) lazy var whyNoDrops =
    rebuilt.flatMap(DropFindings.whyMissing) ?? contradictingPart?.words
  package private(set) lazy var hitches = rebuilt.flatMap { rebuilt -> HitchFindings? in
    let found = HitchFindings(pipeline.trace, rebuilt, within: range)
    // Those that are rebuilt rest on the same frames and refreshes as drops.
    return found?.source == .rebuilt && contradictingPart != nil ? nil : found
  }
  package private(set) lazy var buffers = rebuilt.flatMap { rebuilt in
    BufferFindings.whyMissing(rebuilt) == nil
      ? occupancy.map { BufferFindings(rebuilt, $0, within: range) } : nil
  }
  /// Why frames of its app came late; `nil` where the trace tells nothing of threads, or nothing is charged to the app.
  package private(set) lazy var causes = drops.flatMap { drops -> LateCauses? in
    guard drops.byStage[.app] ?? 0 > 0 else { return nil }
    if let facts = threadFacts() {
      var search = LateCauseSearch(facts, pipeline.surfaces)
      if let found = search.causes(of: drops) { return found }
    }
    return rebuilt.flatMap(PresentingThread.init)?.causes(of: drops)
  }
  /// The stages whose usual times do not fit their budget, where frames came late; `nil` where there are none.
  private(set) lazy var usualBudget = rebuilt.flatMap { rebuilt in
    drops?.refreshes ?? 0 > 0
      ? UsualBudget(rebuilt.timeline, buffers: buffers.map { $0.allocated ?? $0.count }) : nil
  }
  /// What limits its frames; `nil` where the trace does not say.
  package private(set) lazy var limits = FrameLimits(self)
  /// The rests of its app.
  package private(set) lazy var rests = findRests()
  /// Which buffers were in use when; `nil` when the pipeline was not rebuilt.
  package private(set) lazy var occupancy = rebuilt?.buffers
  /// Its frames with all that is known of each; `nil` when the pipeline was not rebuilt.
  package private(set) lazy var listing = rebuilt.flatMap { rebuilt in
    occupancy.map { FrameListing(rebuilt, $0) }
  }
  package private(set) lazy var touches = rebuilt.flatMap { rebuilt in
    let touches = SurfaceTouches(pipeline.trace, rebuilt.timeline, end: pipeline.end)
    return touches.samples.isEmpty ? nil : TouchFindings(rebuilt, touches, options)
  }
  /// The refreshes that its frame times went past.
  package private(set) lazy var missedRefreshes = Finding<MissedRefreshMetric.Sums>(of: self)
  /// The inputs that its frames consumed.
  private(set) lazy var inputs = pipeline.inputs(surface: index)
  private var selections: [FrameMetric.Scope: FrameSelection] = [:]
  private var bases: [FrameRateMetric.Base: FrameTimeBase] = [:]
  /// The memory of a measurement that is no longer needed, for the next one.
  private var memory: [Int64] = []

  /// Finds the rests of its app on first use.
  private let findRests: () -> AppRests
  /// What is known of threads, on first use.
  let threadFacts: () -> ThreadFacts?

  /// - Parameter rests: Finds the rests of its app.
  init(
    _ pipeline: Pipeline, index: Int, _ options: AnalysisOptions = AnalysisOptions(),
    rests: @escaping () -> AppRests = { .none },
    threads: @escaping () -> ThreadFacts? = { nil }
  ) {
    self.pipeline = pipeline
    findRests = rests
    threadFacts = threads
    self.index = index
    self.options = options
    let all = pipeline.trace.surfaces[index].frames
    rows = options.region?.rows(of: all) ?? 0..<all.count
    if rows == 0..<all.count {
      frames = all
      outcomes = pipeline.outcomes[index]
    } else {
      frames = all.rows(rows)
      outcomes = FrameOutcomes(of: pipeline.trace.surfaces[index], rows)
    }
  }

  package var surface: Surface { pipeline.trace.surfaces[index] }
  /// Its rebuilt frames; `nil` when the pipeline was not rebuilt.
  package var rebuilt: RebuiltSurface? {
    pipeline.surfaces.isEmpty ? nil : pipeline.surfaces[index]
  }
  /// The instants that are measured.
  var range: Range<Timestamp> { options.region?.range ?? .always }

  /// The frames that are included in metrics of a scope.
  package func selection(_ scope: FrameMetric.Scope) -> FrameSelection {
    if let known = selections[scope] { return known }
    let selection = FrameSelection(scope, frames, outcomes)
    selections[scope] = selection
    return selection
  }

  /// The frame times that rates of a kind are computed from.
  func base(_ base: FrameRateMetric.Base) -> FrameTimeBase {
    if let known = bases[base] { return known }
    let measurement = FrameMetric.base(base).measure(self)
    let found = FrameTimeBase(measurement)
    bases[base] = found
    recycle(measurement)
    return found
  }

  /// Keeps the basis of rates from a measurement that has it.
  func keep(_ measurement: Measurement, of basis: MeasurementBasis?) {
    guard let basis, case .sample = measurement.content else { return }
    for base in FrameRateMetric.Base.allCases where bases[base] == nil {
      guard let own = FrameMetric.base(base).basis(on: self), own.basis == basis else { continue }
      var measurement = measurement
      measurement.definition = own.definition
      measurement.passedOver = own.passedOver
      bases[base] = FrameTimeBase(measurement)
    }
  }

  /// Hands out memory for values; its content is undefined.
  func takeMemory() -> [Int64] {
    defer { memory = [] }
    return memory
  }

  /// Frees the memory that was kept for measurements.
  func freeMemory() { memory = [] }

  /// Takes the memory of a measurement back.
  package func recycle(_ measurement: consuming Measurement) {
    guard case .sample(let sample) = measurement.content else { return }
    measurement.content = .unavailable("recycled")
    let values = sample.takeMemory()
    if values.capacity > memory.capacity { memory = values }
  }
}

/// The basis of a surface's rates: the slowest of its frame times, and how they were measured.
struct FrameTimeBase {
  /// `nil` when there are no frame times; `measurement` says why.
  let slowest: SlowestFrames?
  /// The measurement of the frame times, without the values.
  let measurement: Measurement

  init(_ measurement: Measurement) {
    var measurement = measurement
    if case .sample(let sample) = measurement.content {
      slowest = SlowestFrames(of: sample)
      measurement.content = .figure(0, n: sample.values.count)
    } else {
      slowest = nil
    }
    self.measurement = measurement
  }
}

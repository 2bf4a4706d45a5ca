import FrameStatistics
package import FrameTrace
import Synchronization

/// A surface being measured, with cached data that several metrics need, for any number of threads.
package final class MeasuredSurface: Sendable {
  package let pipeline: Pipeline
  package let index: Int
  package let options: AnalysisOptions
  /// The rows of the frames that are measured.
  package let rows: Range<Int>
  /// Those frames.
  package let frames: Table<FrameColumn>
  package let outcomes: FrameOutcomes

  private let known = Known()
  private let selections = Mutex<[FrameMetric.Scope: FrameSelection]>([:])
  private let coverages = Mutex<[Coverage: Int]>([:])
  private let bases = Mutex<[FrameRateMetric.Base: FrameTimeBase]>([:])
  /// The memory of a measurement that is no longer needed, reused by the next one.
  private let memory = Mutex<[Int64]>([])

  /// Finds the rests of the surface's app on first use.
  private let findRests: @Sendable () -> AppRests
  /// The known facts about threads, found on first use.
  let threadFacts: @Sendable () -> ThreadFacts?

  /// - Parameter rests: Finds the rests of the surface's app.
  init(
    _ pipeline: Pipeline, index: Int, _ options: AnalysisOptions = AnalysisOptions(),
    rests: @escaping @Sendable () -> AppRests = { .none },
    threads: @escaping @Sendable () -> ThreadFacts? = { nil }
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
      outcomes = FrameOutcomes(of: pipeline.trace.surfaces[index], rows) {
        pipeline.stops(of: index)
      }
    }
  }

  package var surface: Surface { pipeline.trace.surfaces[index] }
  /// The rebuilt frames of the surface; `nil` if the pipeline was not rebuilt.
  package var rebuilt: RebuiltSurface? {
    pipeline.surfaces.isEmpty ? nil : pipeline.surfaces[index]
  }
  /// The instants that are measured.
  var range: Range<Timestamp> { options.region?.range ?? .always }

  /// The frames that are included in metrics of a scope.
  package func selection(_ scope: FrameMetric.Scope) -> FrameSelection {
    selections.withLock { selections in
      if let known = selections[scope] { return known }
      let selection = FrameSelection(scope, frames, outcomes)
      selections[scope] = selection
      return selection
    }
  }

  /// Columns that frames of a scope may have.
  private struct Coverage: Hashable {
    let columns: [FrameColumn]
    let scope: FrameMetric.Scope
  }

  /// The number of frames of a scope that have the given columns: the number of frames with the rarest one.
  /// - Complexity: O(n) in the frames, the first time that the columns are requested.
  func covered(_ columns: [FrameColumn], _ scope: FrameMetric.Scope) -> Int {
    let coverage = Coverage(columns: columns, scope: scope)
    if let known = coverages.withLock({ $0[coverage] }) { return known }
    let found = count(of: columns, scope)
    coverages.withLock { $0[coverage] = found }
    return found
  }

  private func count(of columns: [FrameColumn], _ scope: FrameMetric.Scope) -> Int {
    guard columns.allSatisfy(frames.has) else { return 0 }
    let mask = selection(scope).mask(of: frames, knowsDisplay: columns.contains(.displayed))
    return columns.map { column in
      guard let mask else { return frames.valueCount(column) }
      return frames.stored(column)?.count(with: mask) { value, isWanted in
        value != IntegerColumn.missing && isWanted == 1
      } ?? 0
    }.min() ?? 0
  }

  /// The frame times that rates of a kind are computed from.
  func base(_ base: FrameRateMetric.Base) -> FrameTimeBase {
    if let known = bases.withLock({ $0[base] }) { return known }
    let measurement = FrameMetric.base(base).measure(self)
    let found = FrameTimeBase(measurement)
    bases.withLock { $0[base] = found }
    recycle(measurement)
    return found
  }

  /// Keeps the basis of rates from a measurement that contains it.
  func keep(_ measurement: Measurement, of basis: MeasurementBasis?) {
    guard let basis, case .sample = measurement.content else { return }
    for base in FrameRateMetric.Base.allCases {
      guard bases.withLock({ $0[base] }) == nil,
        let own = FrameMetric.base(base).basis(on: self), own.basis == basis
      else { continue }
      var measurement = measurement
      measurement.definition = own.definition
      measurement.passedOver = own.passedOver
      let found = FrameTimeBase(measurement)
      bases.withLock { $0[base] = found }
    }
  }

  /// Hands out memory for values; its content is undefined.
  func takeMemory() -> [Int64] {
    memory.withLock { memory in
      defer { memory = [] }
      return memory
    }
  }

  /// Frees the memory that was kept for measurements.
  func freeMemory() { memory.withLock { $0 = [] } }

  /// Takes back the memory of a measurement.
  package func recycle(_ measurement: consuming Measurement) {
    guard case .sample(let sample) = measurement.content else { return }
    measurement.content = .unavailable("recycled")
    let values = sample.takeMemory()
    memory.withLock { memory in
      if values.capacity > memory.capacity { memory = values }
    }
  }
}

extension MeasuredSurface {
  /// The results that are computed on first use.
  private struct Known {
    let drops = Once<DropFindings?>()
    let unjudgedPart = Once<DropsUnknown?>()
    let whyNoDrops = Once<String?>()
    let hitches = Once<HitchFindings?>()
    let buffers = Once<BufferFindings?>()
    let causes = Once<LateCauses?>()
    let usualBudget = Once<UsualBudget?>()
    let limits = Once<FrameLimits?>()
    let rests = Once<AppRests>()
    let stops = Once<StopFindings>()
    let stutters = Once<StutterFindings?>()
    let differences = Once<StutterDifferences?>()
    let occupancy = Once<BufferOccupancy?>()
    let listing = Once<FrameListing?>()
    let touches = Once<TouchFindings?>()
    let missedRefreshes = Once<Finding<MissedRefreshMetric.Sums>>()
    let inputs = Once<ShownInputs>()
  }

  /// Whether frames start at the end of the previous frame, which may be a generated one.
  var mayFollowGeneratedFrames: Bool {
    surface.derivesStarts == true && !surface.frames.has(.kind)
  }

  /// Its dropped refreshes; `nil` where the trace does not say.
  package var drops: DropFindings? { whyNoDrops == nil ? foundDrops : nil }
  /// The dropped refreshes that are known, also if there may be more.
  private var foundDrops: DropFindings? {
    known.drops.value {
      rebuilt.flatMap { _ in DropFindings(pipeline.surfaces, index, rows: rows, within: range) }
    }
  }
  /// Why drops cannot be judged in the measured part, although they can in the complete trace; `nil` if they can.
  var unjudgedPart: DropsUnknown? {
    known.unjudgedPart.value {
      guard options.region != nil, rebuilt?.timeline.schedule.isVariable == false,
        let found = foundDrops
      else { return nil }
      return DropsUnknown.excess(
        shown: found.displayedFrames, dropped: found.refreshes, refreshes: found.activeRefreshes)
        ?? rebuilt.flatMap { DropsUnknown.fewDueTimes($0, rows: rows) }
    }
  }
  /// Why the surface's dropped refreshes are unknown; `nil` if they are known, or nothing was displayed.
  package var whyNoDrops: String? {
    known.whyNoDrops.value {
      rebuilt.flatMap(DropFindings.whyMissing) ?? unjudgedPart?.words
    }
  }
  /// The surface's hitches; `nil` if the trace does not say.
  package var hitches: HitchFindings? {
    known.hitches.value {
      guard let rebuilt else { return nil }
      let found = HitchFindings(pipeline.trace, rebuilt, within: range)
      // Rebuilt hitches depend on the same frames and refreshes as drops.
      return found?.source == .rebuilt && unjudgedPart != nil ? nil : found
    }
  }
  /// The surface's buffers; `nil` if the trace does not say.
  package var buffers: BufferFindings? {
    known.buffers.value {
      guard let rebuilt, BufferFindings.whyMissing(rebuilt) == nil else { return nil }
      return occupancy.map { BufferFindings(rebuilt, $0, within: range) }
    }
  }
  /// The shares of the active time by the depth of the displayed frame, without the remaining parts of ``buffers``,
  /// which take longer to find; `nil` if the trace does not show the shares.
  package var depthShares: [Double]? {
    guard let rebuilt, BufferFindings.whyMissing(rebuilt) == nil, let occupancy else { return nil }
    return BufferFindings.depthShares(rebuilt, occupancy, within: [range])[0]
  }
  /// Why frames of the surface's app were late; `nil` if the trace has no data about threads, or nothing is charged to
  /// the app.
  package var causes: LateCauses? {
    known.causes.value {
      guard let drops = foundDrops, drops.byStage[.app] ?? 0 > 0 else { return nil }
      if let facts = threadFacts() {
        var search = LateCauseSearch(facts, pipeline.surfaces)
        if let found = search.causes(of: drops) { return found }
      }
      return rebuilt.flatMap(PresentingThread.init)?.causes(of: drops)
    }
  }
  /// The stages whose usual times do not fit their budget, if frames were late; `nil` if there are none.
  var usualBudget: UsualBudget? {
    known.usualBudget.value {
      guard let rebuilt, drops?.refreshes ?? 0 > 0 else { return nil }
      return UsualBudget(rebuilt.timeline, buffers: buffers.map { $0.allocated ?? $0.count })
    }
  }
  /// What limits the surface's frames; `nil` if the trace does not say.
  package var limits: FrameLimits? { known.limits.value { FrameLimits(self) } }
  /// The stretches of more than 500 ms without a new frame, in all frames of the surface.
  var stops: SurfaceStops { pipeline.stops(of: index) }
  /// The stops in the measured part.
  package var stopFindings: StopFindings { known.stops.value { StopFindings(self) } }
  /// The surface's stutters; `nil` for fewer than 60 frames.
  package var stutters: StutterFindings? { known.stutters.value { StutterFindings(self) } }
  /// What differs around the surface's stutters; `nil` without stutters or without other series.
  package var stutterDifferences: StutterDifferences? {
    known.differences.value { StutterDifferences(self) }
  }
  /// The rests of the surface's app.
  package var rests: AppRests { known.rests.value(findRests) }
  /// Which buffers were in use at which time; `nil` if the pipeline was not rebuilt.
  package var occupancy: BufferOccupancy? { known.occupancy.value { rebuilt?.buffers } }
  /// The surface's frames with everything known about each; `nil` if the pipeline was not rebuilt.
  package var listing: FrameListing? {
    known.listing.value {
      guard let rebuilt, let occupancy else { return nil }
      return FrameListing(rebuilt, occupancy)
    }
  }
  /// The surface's touches; `nil` if the trace has none for it.
  package var touches: TouchFindings? {
    known.touches.value {
      guard let rebuilt else { return nil }
      let touches = SurfaceTouches(pipeline.trace, rebuilt.timeline, end: pipeline.end)
      return touches.samples.isEmpty ? nil : TouchFindings(rebuilt, touches, options)
    }
  }
  /// The refreshes that the surface's frame times missed.
  package var missedRefreshes: Finding<MissedRefreshMetric.Sums> {
    known.missedRefreshes.value { Finding(of: self) }
  }
  /// The inputs that the surface's frames consumed.
  var inputs: ShownInputs { known.inputs.value { pipeline.inputs(surface: index) } }
}

/// The basis of a surface's rates: its slowest frame times, and how the times were measured.
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

public import FrameStatistics
import FrameTrace

/// The measurements of one surface.
public struct SurfaceAnalysis: Sendable {
  /// The surface's index in the trace's list.
  public let index: Int
  /// The surface's identifier in its trace.
  public let id: String
  /// The surface's name; `nil` if the source has none.
  public let name: String?
  /// The process that drew the surface; `nil` if unknown.
  public let process: String?
  /// That process's number; `nil` when not known.
  public let processID: Int?
  /// The outcomes of the surface's frames.
  public let outcomes: FrameOutcomes
  /// The results of the metrics, in the order of their list.
  public let metrics: [MetricResult]
  /// The surface's frames with times that cannot all be right; `nil` if no requested figure leaves any out.
  public let contradictions: Contradictions?
  /// The refreshes of the surface's display; `nil` if the requested metrics need none.
  public let refreshes: DisplayRefreshes?
  /// Whether the trace does not show which refresh starts the app on a frame, as in games.
  package let runsFreely: Bool
  /// How much of the recording the surface's frames cover; `nil` if no frame has a time, or if only a part of the trace
  /// was read.
  public let coverage: Coverage?
  /// The surface's dropped refreshes, or why they are unknown.
  public let drops: Finding<DropFindings>
  /// How many of the surface's frames the source itself calls late; `nil` if it judges none.
  public let verdicts: StatedVerdicts?
  /// Why frames of the surface's app were late; `nil` if the trace has no data about threads, or if nothing is charged
  /// to the app.
  public let causes: LateCauses?
  /// Why the surface's drops cannot be judged, if users should know that first.
  package let unjudgedDrops: DropsUnknown?
  /// The stretches of more than 500 ms without a new frame.
  public let stops: StopFindings
  /// The surface's stutters; `nil` for fewer than 60 frames.
  public let stutters: StutterFindings?
  /// What differs around the surface's stutters; `nil` without stutters, without other series, or if only some metrics
  /// were requested.
  public let stutterDifferences: StutterDifferences?
  /// The stages whose usual times do not fit their budget, if frames were late; `nil` if there are none.
  public let usualBudget: UsualBudget?
  /// What limits the surface's frames, or why the limits are unknown.
  public let limits: Finding<FrameLimits>
  /// The surface's hitches, or why they are unknown.
  public let hitches: Finding<HitchFindings>
  /// The buffers in use, or why they are not known.
  public let buffers: Finding<BufferFindings>
  /// A summary of the surface's touches, or why there is no summary.
  public let touches: Finding<TouchSummary>
  /// The GPU time of offscreen passes; `nil` if the trace does not say.
  public let passes: TheilSen?
  /// How many frames took longer than the requested budget; `nil` without a budget.
  public let overBudget: Finding<BudgetShare>?
  /// How many frames were slow (longer than one and a half refreshes), and how many were frozen; empty if these were
  /// not requested, or if there are no frame times.
  public let jank: [BudgetShare]
  /// The requested figures of other tools.
  public let dialects: [DialectResult]
  /// What published models predict for the surface, each with its range; empty if they were not requested.
  public let perception: [PerceptionFinding]
  /// The worst frames, up to the requested number.
  public let worst: [WorstFrame]

  /// - Parameters:
  ///   - time: The time that frames cover; `nil` when only a part of the trace was read.
  ///   - parallelism: How the surface's metrics, buffers and limits are computed.
  init(
    _ measured: MeasuredSurface, _ selection: MetricSelection, _ time: CoveredTime?,
    _ parallelism: Parallelism = .none
  ) {
    index = measured.index
    id = measured.surface.id
    name = measured.surface.name
    process = measured.surface.process
    processID = measured.surface.processID
    outcomes = measured.outcomes
    metrics = Self.measure(measured, selection.metrics, parallelism)
    contradictions =
      metrics.contains(where: \.leavesOutContradictions) ? Contradictions(measured) : nil
    refreshes = measured.rebuilt?.refreshes
    runsFreely = measured.rebuilt?.timeline.schedule.isFree ?? true
    coverage = time.flatMap { Coverage(measured, in: $0) }
    drops = Finding(measured.drops, measured.rebuilt) { _ in measured.whyNoDrops }
    verdicts = StatedVerdicts(
      measured.frames, measured.options.region == nil ? measured.surface.statedDrops : nil)
    causes = measured.causes
    unjudgedDrops =
      measured.rebuilt.flatMap(DropsUnknown.init).flatMap { $0.isHeadline ? $0 : nil }
      ?? measured.unjudgedPart
    stops = measured.stopFindings
    stutters = measured.stutters
    stutterDifferences = selection.isAll ? measured.stutterDifferences : nil
    usualBudget = measured.usualBudget
    limits = Finding(measured.limits, measured.rebuilt) { _ in
      FrameLimits.whyMissing(measured)
    }
    hitches = Finding(measured.hitches, measured.rebuilt) {
      measured.unjudgedPart?.words ?? PipelineMetric.whyNoHitches($0)
    }
    buffers = Finding(measured.buffers, measured.rebuilt) { rebuilt in
      BufferFindings.whyMissing(rebuilt)
    }
    touches = Finding(measured.touches.map(TouchSummary.init), measured.rebuilt) { _ in
      PipelineMetric.noTouches
    }
    passes = measured.rebuilt.flatMap { PassCost($0, measured)?.slope }
    overBudget = measured.options.budget.map { budget in
      BudgetShare(measured, budget: budget).map { .found($0) }
        ?? .missing("there are no frame times")
    }
    jank = measured.options.countsJank ? BudgetShare.jank(measured) : []
    dialects = Self.dialects(measured)
    perception = measured.options.predictsPerception ? PerceptionFinding.all(measured) : []
    worst = WorstFrame.list(measured, count: measured.options.worstCount)
  }

  package init(_ measured: MeasuredSurface, _ selection: MetricSelection) {
    self.init(measured, selection, nil)
  }

  private static func dialects(_ measured: MeasuredSurface) -> [DialectResult] {
    let wanted = measured.options.dialects.compactMap(Dialects.named)
    guard !wanted.isEmpty,
      case .sample(let sample) = FrameMetric.frameTime.measure(measured, leavingOut: .none).content
    else { return [] }
    let times = DialectTimes(sample, of: measured)
    return wanted.map { DialectResult($0, times) }
  }

  /// Measures the metrics. If other threads are free, they compute the buffers and limits in parallel.
  private static func measure(
    _ measured: MeasuredSurface, _ selection: [any Metric], _ parallelism: Parallelism
  ) -> [MetricResult] {
    guard parallelism.most > 1, measured.rebuilt != nil else { return measure(measured, selection) }
    let waitForBuffers = parallelism.begin { _ = measured.buffers }
    let waitForLimits = parallelism.begin { _ = measured.limits }
    defer {
      waitForBuffers()
      waitForLimits()
    }
    return measure(measured, selection)
  }

  private static func measure(
    _ measured: MeasuredSurface, _ selection: [any Metric]
  ) -> [MetricResult] {
    defer { measured.freeMemory() }
    var known: [MeasurementBasis: MetricResult] = [:]
    return selection.map { metric in
      let basis = metric.basis(on: measured)
      if let basis, let same = known[basis.basis] {
        return same.renamed(metric.name, basis)
      }
      let measurement = metric.measure(measured)
      let result = MetricResult(metric, measurement)
      measured.keep(measurement, of: basis?.basis)
      measured.recycle(measurement)
      if let basis { known[basis.basis] = result }
      return result
    }
  }

  /// The result of the metric with that name; `nil` if there is none.
  public subscript(name: String) -> MetricResult? { metrics.first { $0.name == name } }
}

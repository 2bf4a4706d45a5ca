import FrameStatistics
import FrameTrace

extension PipelineMetric {
  /// The share of refreshes that were dropped.
  static let droppedShare = PipelineMetric(
    name: "droppedShare", unit: .percent,
    summary:
      "The share of refreshes in active time that repeated an older frame while one was due.",
    formula: "dropped refreshes / refreshes in active time"
  ) { rebuilt, surface in
    guard let drops = surface.drops else {
      return .unavailable(surface.whyNoDrops ?? "nothing was displayed")
    }
    guard let share = drops.share else { return .unavailable("no refresh was in active time") }
    return Measurement(content: .figure(share * 100, n: drops.activeRefreshes))
  }

  /// Milliseconds of hitches per second of active time.
  static let hitchRatio = PipelineMetric(
    name: "hitchRatio", unit: .millisecondsPerSecond,
    summary: "The total time by which frames were late, per second of active time.",
    formula: "sum of hitch times / active time",
    source: "Apple, Explore UI animation hitches and the render loop, 2021: hitch time ratio"
  ) { rebuilt, surface in
    guard let hitches = surface.hitches else {
      return .unavailable(surface.unjudgedPart?.words ?? whyNoHitches(rebuilt))
    }
    guard let ratio = hitches.ratio else { return .unavailable(hitches.whyNoRatio) }
    var measurement = Measurement(content: .figure(ratio, n: hitches.times.count))
    if hitches.ratioSpan == .hitches { measurement.definition = hitches.ratioSpan.rawValue }
    return measurement
  }

  /// How late each hitch was.
  static let hitchTime = PipelineMetric(
    name: "hitchTime", summary: "How late a frame was displayed, for each late frame.",
    formula: "displayed − the later of due and the refresh after the previous frame",
    source: "Apple, Explore UI animation hitches and the render loop, 2021: hitch time"
  ) { rebuilt, surface in
    guard let hitches = surface.hitches else {
      return .unavailable(surface.unjudgedPart?.words ?? whyNoHitches(rebuilt))
    }
    guard !hitches.times.isEmpty else {
      return .unavailable(hitches.impossible > 0 ? Contradictions.reason : "no frame came late")
    }
    var measurement = Measurement(content: .sample(Sample(hitches.times)))
    measurement.leaveOut(hitches.impossible)
    return measurement
  }

  /// Why hitches cannot be determined.
  static func whyNoHitches(_ rebuilt: RebuiltSurface) -> String {
    if rebuilt.timeline.schedule.isVariable {
      return "variable refresh: the trace does not show when frames were expected"
    }
    return DropFindings.whyMissing(rebuilt) ?? "nothing was displayed"
  }
}

extension PipelineMetric {
  /// How far apart the GPU content and the compositor content of a transaction are.
  static let layerSkew = PipelineMetric(
    name: "layerSkew", unit: .refreshes, direction: .neither,
    summary:
      "How many refreshes the GPU content of a transaction is shown after its compositor content; negative when before.",
    formula: "refresh of the GPU content − refresh of the compositor content",
    source: "Apple, Advanced Touch Input on iOS, WWDC 2015: presentsWithTransaction"
  ) { rebuilt, surface in
    let skews = LayerSkews(surface.pipeline.trace, surface.index, rebuilt, surface.options.region)
    guard !skews.values.isEmpty else {
      return .unavailable("no transaction has both GPU content and compositor content")
    }
    return Measurement(
      content: .sample(Sample(skews.values.map { $0 * 1_000_000 })), missing: skews.missing)
  }
}

/// The distances between the contents of transactions whose GPU content is on a surface.
private struct LayerSkews {
  private(set) var values: [Int64] = []
  /// Transactions with content that was never displayed.
  private(set) var missing = 0

  init(_ trace: Trace, _ surface: Int, _ rebuilt: RebuiltSurface, _ region: TraceRegion?) {
    let layers = trace.layers
    let schedule = rebuilt.timeline.schedule
    var compositor: [Int64: Int] = [:]
    for row in 0..<layers.count
    where layers[row, .content] == LayerColumn.Content.compositor.rawValue {
      if let transaction = layers[row, .transaction] { compositor[transaction] = row }
    }
    for row in 0..<layers.count
    where layers[row, .content] == LayerColumn.Content.gpu.rawValue
      && layers[row, .surface] == Int64(surface)
    {
      guard let transaction = layers[row, .transaction], let other = compositor[transaction]
      else { continue }
      guard let shown = Self.displayed(row, trace), let otherShown = Self.displayed(other, trace)
      else {
        missing += 1
        continue
      }
      guard region?.range.contains(shown) ?? true else { continue }
      values.append(
        schedule.refresh(displayedAt: shown) - schedule.refresh(displayedAt: otherShown))
    }
  }

  /// When a layer's content was displayed: the recorded time, otherwise that of its frame.
  private static func displayed(_ row: Int, _ trace: Trace) -> Timestamp? {
    let layers = trace.layers
    if let shown = layers.time(row, .displayed) { return shown }
    guard let surface = layers[row, .surface], let frame = layers[row, .frame] else { return nil }
    return trace.surfaces[Int(surface)].frames.time(Int(frame), .displayed)
  }
}

extension PipelineMetric {
  /// How much GPU time an offscreen pass costs.
  static let gpuTimePerPass = PipelineMetric(
    name: "gpuTimePerPass",
    summary: "The GPU time that each further offscreen pass of a frame costs.",
    formula: "median slope of GPU time over offscreen passes between pairs of frames",
    source: "Sen, Estimates of the regression coefficient based on Kendall's tau, 1968"
  ) { rebuilt, surface in
    guard let cost = PassCost(rebuilt, surface) else {
      return .unavailable("too few frames have GPU times and different numbers of passes")
    }
    return Measurement(content: .figure(cost.slope.slope, n: cost.slope.n))
  }
}

/// The GPU time of offscreen passes.
struct PassCost {
  /// GPU time in nanoseconds as a function of passes.
  let slope: TheilSen

  /// - Returns: `nil` where fewer than ten frames have values, or all have the same number of
  ///   passes.
  init?(_ rebuilt: RebuiltSurface, _ surface: MeasuredSurface) {
    let hasPasses = surface.frames.has(.offscreenPasses)
    guard hasPasses || surface.pipeline.trace.passes.count > 0 else { return nil }
    var points: [(x: Double, y: Double)] = []
    let counts = Self.counts(surface)
    for (position, row) in surface.rows.enumerated() {
      guard let passes = surface.frames[position, .offscreenPasses] ?? counts[row],
        let time = rebuilt.timeline.stages[row].gpuTime
      else { continue }
      points.append((Double(passes), Double(time.count)))
    }
    guard points.count >= 10, let slope = TheilSen(points)?.fromMillionths else { return nil }
    self.slope = slope
  }

  /// How many passes the trace lists for each frame, where it lists passes.
  private static func counts(_ surface: MeasuredSurface) -> [Int: Int64] {
    let passes = surface.pipeline.trace.passes
    guard passes.count > 0 else { return [:] }
    var counts: [Int: Int64] = [:]
    for row in surface.rows { counts[row] = 0 }
    for row in 0..<passes.count where passes[row, .surface] == Int64(surface.index) {
      if let frame = passes[row, .frame] { counts[Int(frame), default: 0] += 1 }
    }
    return counts
  }
}

extension PipelineMetric {
  /// How many milliseconds of hitches there are in a second of active time.
  static let hitchRatio = PipelineMetric(
    name: "hitchRatio", unit: .millisecondsPerSecond,
    summary: "The time by which frames came late, for each second of active time.",
    formula: "sum of hitch times / active time",
    source: "Apple, Explore UI animation hitches and the render loop, 2021: hitch time ratio"
  ) { rebuilt, surface in
    guard let hitches = surface.hitches else { return .unavailable(whyNoHitches(rebuilt)) }
    guard let ratio = hitches.ratio else { return .unavailable(HitchFindings.whyNoRatio) }
    var measurement = Measurement(content: .figure(ratio, n: hitches.times.count))
    if hitches.ratioSpan == .hitches { measurement.definition = hitches.ratioSpan.rawValue }
    return measurement
  }

  /// By how much each hitch was late.
  static let hitchTime = PipelineMetric(
    name: "hitchTime", summary: "The time by which a frame came late, for each that did.",
    formula: "displayed − the later of due and the refresh after the frame before",
    source: "Apple, Explore UI animation hitches and the render loop, 2021: hitch time"
  ) { rebuilt, surface in
    guard let hitches = surface.hitches else { return .unavailable(whyNoHitches(rebuilt)) }
    guard !hitches.times.isEmpty else { return .unavailable("no frame came late") }
    return Measurement(content: .sample(Sample(hitches.times)))
  }

  /// Why hitches cannot be told.
  static func whyNoHitches(_ rebuilt: RebuiltSurface) -> String {
    if rebuilt.timeline.schedule.isVariable {
      return "the display waits for frames, and the trace does not tell when they were expected"
    }
    return DropFindings.whyMissing(rebuilt) ?? "nothing was displayed"
  }
}

extension Comparison {
  /// The fewest launches of a side.
  static let fewestLaunches = 4
  /// The smallest change of launch time worth acting on.
  private static let launchThreshold = 0.05

  /// Compares launches, each a value: by their ranks, as some take much longer than others, and
  /// by the median of all differences.
  init(launches before: [RunSummary], _ after: [RunSummary]) throws(ComparisonRefusal) {
    let sides = [before, after].map { $0.flatMap(\.launches) }
    for (runs, launches) in zip([before, after], sides) where launches.count < Self.fewestLaunches {
      throw ComparisonRefusal(
        message:
          "\(runs.first?.file ?? ""): expected at least \(Self.fewestLaunches) launches a side, found \(launches.count)",
        help: "launches that only warm up, and resumes, do not count")
    }
    if Set((before + after).map(\.areProfiled)).count > 1 {
      throw ComparisonRefusal(
        message: "some launches were taken under a profiler and others were not",
        help: "profiling is not measuring: compare like with like")
    }
    let logs = sides.map { $0.map { Elementary.log(Double($0) / 1e6) } }
    let metric = Self.launchMetric(logs[0], logs[1])
    self.before = before
    self.after = after
    metrics = [metric]
    overall = Self.overall([metric.verdict], isSingle: false)
    method =
      "Mann–Whitney on launch times, \(sides[0].count) v \(sides[1].count) launches, with the Hodges–Lehmann shift"
    warnings =
      min(sides[0].count, sides[1].count) < 10
      ? [
        "fewer than 10 launches a side: a change of 10 % is found in less than three of four tries"
      ] : []
    beside = []
  }

  private static func launchMetric(_ before: [Double], _ after: [Double]) -> MetricComparison {
    let threshold = Elementary.log(1 + launchThreshold)
    let worse = MannWhitney(before, after).pGreater
    let better = MannWhitney(after, before).pGreater
    let shift = HodgesLehmann(before, after)
    let narrow = HodgesLehmann(before, after, confidence: 0.9)
    let metric = RunMetric.p50
    let verdict: Verdict =
      worse <= 0.05 && shift.shift >= threshold
      ? .regressed
      : better <= 0.05 && shift.shift <= -threshold
        ? .improved
        : narrow.high < threshold && narrow.low > -threshold ? .noChange : .inconclusive
    let pooled = TwoSampleT.pooled(before, after)
    let inverse = 1 / Double(before.count) + 1 / Double(after.count)
    let noise = pooled.standardError / inverse.squareRoot()
    return MetricComparison(
      name: "p50(launchTime)", unit: "ms", effectUnit: "%",
      before: Elementary.exp(RealQuantile.type7(before, 0.5)),
      after: Elementary.exp(RealQuantile.type7(after, 0.5)), effect: metric.effect(shift.shift),
      interval: metric.effect(shift.low)...max(metric.effect(shift.low), metric.effect(shift.high)),
      p: worse, threshold: metric.effect(threshold), noise: metric.effect(noise), isGating: true,
      verdict: verdict,
      runsNeeded: TwoSampleT.sizeNeeded(toFind: threshold, spread: noise, level: 0.05))
  }
}

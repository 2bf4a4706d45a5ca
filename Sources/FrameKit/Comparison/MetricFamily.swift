/// The figures of a comparison, judged together.
struct MetricFamily {
  private let before, after: [RunSummary]
  private let options: ComparisonOptions
  private let measures: [RunMeasure]
  private let method: SideStatistics.Method

  init(
    _ before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions,
    _ measures: [RunMeasure], _ method: SideStatistics.Method
  ) {
    (self.before, self.after) = (before, after)
    self.options = options
    self.measures = measures
    self.method = method
  }

  /// A figure before the family is taken into account.
  private struct Row {
    let measure: RunMeasure
    let before, after: Double
    let threshold: Double
    let statistics: SideStatistics
  }

  func compared() -> [MetricComparison] {
    let variances = variancesWithinRuns()
    let rows = measures.indices.map { row($0, variances[$0]) }
    let gating = measures.indices.filter { measures[$0].isGating }
    let worse = adjusted(rows.map(\.statistics.pRise), gating)
    let better = adjusted(rows.map(\.statistics.pFall), gating)
    return rows.indices.map { index in
      judged(rows[index], worse: worse[index], better: better[index], family: gating.count)
    }
  }

  /// Probabilities corrected for the gating figures; the others stay as they are.
  private func adjusted(_ probabilities: [Double], _ gating: [Int]) -> [Double] {
    var adjusted = probabilities
    let together = MultipleTests.closedHarmonic(
      gating.map { probabilities[$0] }, weights: gating.map { measures[$0].weight ?? 1 })
    for (place, p) in zip(gating, together) { adjusted[place] = p }
    return adjusted
  }

  private func row(_ index: Int, _ variance: (before: Double, after: Double, mean: Double)) -> Row {
    let measure = measures[index]
    let first = before.map(measure.value)
    let second = after.map(measure.value)
    let level = Moments(first).mean
    var threshold = options.thresholds[measure.metric] ?? usualThreshold(measure.metric)
    var assumed = measure.metric.assumedNoise
    if measure.metric.isTime {
      threshold = Elementary.log(1 + threshold)
    } else {
      let grown = RunMetric.shareOfBaseline * level
      if options.thresholds[measure.metric] == nil { threshold = max(threshold, grown) }
      assumed = max(assumed, grown)
    }
    let history = options.history.map { job in Moments(job.map(measure.value)).mean }
    return Row(
      measure: measure, before: level, after: Moments(second).mean, threshold: threshold,
      statistics: SideStatistics(
        method, first, second, history: history, assumed: assumed, within: { variance }))
  }

  private func usualThreshold(_ metric: RunMetric) -> Double {
    options.kind == .latency ? ComparisonConstants.latencyThreshold : metric.usualThreshold
  }

  /// For each figure the variance within runs, where one run has to do: of the mean of each
  /// side, and on average of a run.
  private func variancesWithinRuns() -> [(before: Double, after: Double, mean: Double)] {
    let none = measures.map { _ in (before: 0.0, after: 0.0, mean: 0.0) }
    let needsThem =
      method == .singleRun || (method == .history && before.count == 1 && after.count == 1)
    guard needsThem, options.kind == .frames else { return none }
    let metrics = measures.map(\.metric)
    let first = before.map { $0.variance(metrics) }
    let second = after.map { $0.variance(metrics) }
    return metrics.indices.map { index in
      let (one, other) = (first.map { $0[index] }, second.map { $0[index] })
      let squares = (Double(one.count * one.count), Double(other.count * other.count))
      return (
        one.reduce(0, +) / squares.0, other.reduce(0, +) / squares.1, Moments(one + other).mean
      )
    }
  }

  private func judged(
    _ row: Row, worse: Double, better: Double, family: Int
  ) -> MetricComparison {
    let metric = row.measure.metric
    let found = row.statistics
    let needed = TwoSampleT.sizeNeeded(
      toFind: row.threshold, spread: found.noise,
      level: options.levelOfLook / Double(max(1, family)))
    // What shows a change in the direction that there is one in.
    let estimate = found.pRise <= found.pFall ? found.rise : found.fall
    let (low, high) = (metric.effect(found.low), metric.effect(found.high))
    return MetricComparison(
      name: row.measure.name, unit: metric.unit, effectUnit: metric.effectUnit,
      before: metric.unscaled(row.before), after: metric.unscaled(row.after),
      effect: metric.effect(estimate), interval: low...max(low, high), p: worse, pBetter: better,
      threshold: metric.effect(row.threshold), noise: metric.effect(found.noise),
      isGating: row.measure.isGating,
      verdict: verdict(found, row.threshold, worse: worse, better: better), runsNeeded: needed)
  }

  private func verdict(
    _ found: SideStatistics, _ threshold: Double, worse: Double, better: Double
  ) -> Verdict {
    let level = options.levelOfLook
    let isSingle = method == .singleRun
    if worse <= level, found.rise >= threshold { return isSingle ? .suspected : .regressed }
    if better <= level, found.fall <= -threshold {
      return isSingle ? .suspectedImprovement : .improved
    }
    return found.high < threshold && found.low > -threshold ? .noChange : .inconclusive
  }
}

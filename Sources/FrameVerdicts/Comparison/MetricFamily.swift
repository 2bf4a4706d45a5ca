import FrameStatistics

/// The figures of a comparison, judged as a family.
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

  /// A figure before correction for the family.
  private struct Row {
    let measure: RunMeasure
    /// The mean of the first side.
    let before: Double
    let threshold: Double
    let statistics: SideStatistics
  }

  func compared() -> [MetricComparison] {
    let variances = variancesWithinRuns()
    let rows = measures.indices.map { row($0, variances[$0]) }
    let gating = measures.indices.filter { measures[$0].isGating }
    let contradictions = rows.map { contradiction(of: $0, in: rows) }
    let probability = { (row: Row, contradiction: Contradiction?, isRise: Bool) in
      if contradiction?.isOfRise == isRise { return row.statistics.evidence == nil ? 1 : Self.lost }
      return isRise ? row.statistics.pRise : row.statistics.pFall
    }
    let worse = adjusted(zip(rows, contradictions).map { probability($0, $1, true) }, gating)
    let better = adjusted(zip(rows, contradictions).map { probability($0, $1, false) }, gating)
    return rows.indices.map { index in
      var judged = judged(
        rows[index], worse: worse[index], better: better[index], family: gating.count)
      if judged.verdict == .inconclusive || judged.verdict == .noChange {
        judged.contradictedBy = contradictions[index]?.name
      }
      return judged
    }
  }

  /// The inverse of what a figure wins whose bets do not count: nothing is left of its stake.
  private static let lost = 1e300

  /// Why a change of a figure is not caused by the program.
  private struct Contradiction {
    /// Whether the rise is contradicted, or the fall.
    let isOfRise: Bool
    /// The figure that contradicts it.
    let name: String
  }

  /// If some stretches keep a higher rate than before, there is more to miss: misses against the
  /// neighboring frames rise, although the refreshes missed in total fall by more. In the opposite
  /// case they fall. The same holds for stutters. Neither is a separate change.
  private func contradiction(of row: Row, in rows: [Row]) -> Contradiction? {
    guard let ofRun = row.measure.metric.explainedBy,
      let whole = rows.first(where: { $0.measure.metric == ofRun })
    else { return nil }
    let level = options.levelOfLook
    let (found, name) = (whole.statistics, whole.measure.name)
    if found.pFall <= level, found.leastFall <= -whole.threshold {
      return Contradiction(isOfRise: true, name: name)
    }
    if found.pRise <= level, found.leastRise >= whole.threshold {
      return Contradiction(isOfRise: false, name: name)
    }
    return nil
  }

  /// Probabilities corrected for the gating figures; those of the other figures are unchanged.
  private func adjusted(_ probabilities: [Double], _ gating: [Int]) -> [Double] {
    var adjusted = probabilities
    let together = MultipleTests.closedHarmonic(
      gating.map { probabilities[$0] }, weights: gating.map { measures[$0].weight ?? 1 })
    for (place, p) in zip(gating, together) { adjusted[place] = p }
    return adjusted.map { min(1, $0) }
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
      let grown = measure.metric.shareOfBaseline * level
      if options.thresholds[measure.metric] == nil { threshold = max(threshold, grown) }
      assumed = max(assumed, grown)
    }
    let history = options.history.map { job in Moments(job.map(measure.value)).mean }
    return Row(
      measure: measure, before: level, threshold: threshold,
      statistics: SideStatistics(
        method, first, second, history: history, assumed: assumed, within: { variance }))
  }

  private func usualThreshold(_ metric: RunMetric) -> Double {
    switch options.kind {
    case .frames: metric.usualThreshold
    case .latency: ComparisonConstants.latencyThreshold
    case .launch: Comparison.launchThreshold
    }
  }

  /// For each figure, the variance within runs, needed when a side has only one run: that of the
  /// mean of each side, and the average over runs.
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
    let level = options.levelOfLook / Double(max(1, family))
    let sizes = sizes(found, row.threshold, level: level)
    // Use the statistics of the direction in which the values changed.
    let isRise = found.pRise <= found.pFall
    let estimate = isRise ? found.rise : found.fall
    // The displayed level matches the estimate: without stray runs if those were trimmed.
    let before = (isRise ? found.levelOfRise : found.levelOfFall) ?? row.before
    let (low, high) = (metric.effect(found.low), metric.effect(found.high))
    return MetricComparison(
      name: row.measure.name, unit: metric.unit, effectUnit: metric.effectUnit,
      before: metric.unscaled(before), after: metric.unscaled(before + estimate),
      effect: metric.effect(estimate), interval: low...max(low, high), p: worse, pBetter: better,
      threshold: metric.effect(row.threshold), noise: metric.effect(found.noise),
      isGating: row.measure.isGating,
      verdict: verdict(found, row.threshold, worse: worse, better: better),
      runsNeeded: sizes.toFind,
      runsToDecide: sizes.toDecide)
  }

  /// How many runs a side would probably show the threshold, and decide the change seen.
  private func sizes(
    _ found: SideStatistics, _ threshold: Double, level: Double
  ) -> (toFind: Int?, toDecide: Int?) {
    if let evidence = found.evidence {
      // The figures of a family share what they win.
      return evidence.sizes(
        toFind: threshold, error: options.levelOfLook, doubt: ComparisonConstants.doubt)
    }
    return (
      TwoSampleT.sizeNeeded(toFind: threshold, spread: found.noise, level: level),
      TwoSampleT.sizeNeeded(
        toDecide: found.rise, threshold: threshold, spread: found.noise, level: level,
        doubt: ComparisonConstants.doubt)
    )
  }

  private func verdict(
    _ found: SideStatistics, _ threshold: Double, worse: Double, better: Double
  ) -> Verdict {
    let level = options.levelOfLook
    let isSingle = method == .singleRun
    if worse <= level, found.leastRise >= threshold { return isSingle ? .suspected : .regressed }
    if better <= level, found.leastFall <= -threshold {
      return isSingle ? .suspectedImprovement : .improved
    }
    let canRuleOut = found.evidence?.canRuleOut(error: ComparisonConstants.doubt) ?? true
    return canRuleOut && found.high < threshold ? .noChange : .inconclusive
  }
}

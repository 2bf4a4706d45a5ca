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
    /// A typical value of each side.
    let before, after: Double
    let threshold: Double
    let statistics: SideStatistics
  }

  func compared() -> [MetricComparison] {
    let variances = variancesWithinRuns()
    let rows = measures.indices.map { row($0, variances[$0]) }
    let contradictions = rows.map { contradiction(of: $0, in: rows) }
    let few = options.kind == .reported && method != .ranks ? ComparisonConstants.fewReported : 2
    let tests = ComparisonConstants.testsCounted(
      of: measures.count(where: \.isGating), byRanks: method == .ranks, few: few)
    let probabilities = [true, false].map { isRise in
      adjusted(
        rows.indices.map { index in
          if contradictions[index]?.isOfRise == isRise { return .infinity }
          let found = rows[index].statistics
          return isRise ? found.pRise : found.pFall
        }, tests)
    }
    return rows.indices.map { index in
      var judged = judged(
        rows[index], worse: probabilities[0][index], better: probabilities[1][index], tests: tests)
      if judged.verdict == .inconclusive || judged.verdict == .noChange {
        judged.contradictedBy = contradictions[index]?.name
      }
      return judged
    }
  }

  /// Probabilities corrected for the gating figures; those of the other figures are unchanged.
  ///
  /// Bets are combined by their mean. This mean is what a player wins who divides the capital among several figures (V.
  /// Vovk and R. Wang, "E-values: calibration, combination and applications", Annals of Statistics 49, 2021).
  private func adjusted(_ probabilities: [Double], _ tests: Double) -> [Double] {
    let gating = measures.indices.filter { measures[$0].isGating }
    let won = gating.reduce(0) { $0 + 1 / max(probabilities[$1], 1e-300) }
    return measures.indices.map { index in
      let own = probabilities[index]
      guard measures[index].isGating else { return min(1, own) }
      return min(1, method == .bets ? max(own, Double(gating.count) / won) : own * tests)
    }
  }

  /// Why a change of a figure is not caused by the program.
  private struct Contradiction {
    /// Whether the rise is contradicted; otherwise, the fall is.
    let isOfRise: Bool
    /// The figure that contradicts the change.
    let name: String
  }

  /// If some stretches keep a higher rate than before, there is more to miss: misses relative to the neighboring frames
  /// rise, although the total number of missed refreshes falls by more. In the opposite case, they fall. The same holds
  /// for stutters. Neither counts as a separate change.
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

  private func row(_ index: Int, _ variance: (before: Double, after: Double, mean: Double)) -> Row {
    let measure = measures[index]
    let first = before.map(measure.value)
    let second = after.map(measure.value)
    let level = Moments(first).mean
    var threshold = options.thresholds[measure.metric] ?? options.kind.threshold(of: measure.metric)
    var assumed = measure.metric.assumedNoise
    if measure.metric.isTime {
      threshold = Elementary.log(1 + threshold)
    } else {
      let grown = measure.metric.shareOfBaseline * level
      if options.thresholds[measure.metric] == nil { threshold = max(threshold, grown) }
      assumed = max(assumed, grown)
    }
    let history = options.history.map { job in Moments(job.map(measure.value)).mean }
    let typical = { (values: [Double]) in
      method == .ranks || method == .bets
        ? RealQuantile.type7(values, 0.5) : Moments(values).mean
    }
    return Row(
      measure: measure, before: typical(first), after: typical(second), threshold: threshold,
      statistics: SideStatistics(
        method, first, second, history: history, assumed: assumed, within: { variance }))
  }

  /// For each figure, the variance within runs, needed if a side has only one run: the variance of each side's mean,
  /// and the average over runs.
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
    _ row: Row, worse: Double, better: Double, tests: Double
  ) -> MetricComparison {
    let metric = row.measure.metric
    let found = row.statistics
    let level = options.levelOfLook / tests
    let sizes = sizes(found, row.threshold, level: level)
    let (low, high) = (metric.effect(found.low), metric.effect(found.high))
    return MetricComparison(
      name: row.measure.name, unit: row.measure.unit, effectUnit: metric.effectUnit,
      before: metric.unscaled(row.before), after: metric.unscaled(row.after),
      effect: metric.effect(found.difference), interval: low...max(low, high), p: worse,
      pBetter: better,
      threshold: metric.effect(row.threshold), noise: metric.effect(found.noise),
      isGating: row.measure.isGating,
      verdict: verdict(found, row.threshold, worse: worse, better: better),
      runsNeeded: sizes.toFind,
      runsToDecide: sizes.toDecide)
  }

  /// The number of runs per side that would probably show the threshold, and the number that would decide the observed
  /// change.
  private func sizes(
    _ found: SideStatistics, _ threshold: Double, level: Double
  ) -> (toFind: Int?, toDecide: Int?) {
    if let evidence = found.evidence {
      // The figures of a family share their winnings.
      return evidence.sizes(
        toFind: threshold, error: options.levelOfLook, doubt: ComparisonConstants.doubt)
    }
    return (
      TwoSampleT.sizeNeeded(toFind: threshold, spread: found.noise, level: level),
      TwoSampleT.sizeNeeded(
        toDecide: found.difference, threshold: threshold, spread: found.noise, level: level,
        doubt: ComparisonConstants.doubt)
    )
  }

  private func verdict(
    _ found: SideStatistics, _ threshold: Double, worse: Double, better: Double
  ) -> Verdict {
    let level = options.levelOfLook
    let isSingle = method == .singleRun
    // The variation of such figures from run to run was never measured.
    if isSingle, options.kind == .reported { return .inconclusive }
    if worse <= level, found.leastRise >= threshold { return isSingle ? .suspected : .regressed }
    if better <= level, found.leastFall <= -threshold {
      return isSingle ? .suspectedImprovement : .improved
    }
    let canRuleOut = found.evidence?.canRuleOut(error: ComparisonConstants.doubt) ?? true
    return canRuleOut && found.most < threshold ? .noChange : .inconclusive
  }
}

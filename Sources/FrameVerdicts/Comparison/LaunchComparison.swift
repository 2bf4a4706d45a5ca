import FrameAnalysis
import FrameStatistics
import FrameTrace

extension Comparison {
  /// The minimum number of launches per side.
  public static let fewestLaunches = 4
  /// The smallest change of launch time worth acting on.
  static let launchThreshold = 0.05

  /// Compares launches, with one value for each: by rank, because some take much longer than others, and by the median
  /// of all pairwise differences. Cold launches are compared with cold ones, and warm launches with warm ones.
  init(
    launches before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) {
    guard !options.isPaired else {
      throw ComparisonRefusal.pairedLaunches
    }
    let sides = [before, after].map { $0.flatMap(\.launches) }
    try Self.refuse(before, after, sides)
    let measures = Self.common(sides)
    let tests = measures.map { measure in
      let logs = sides.map { launches in
        launches.filter { $0.measure == measure }.map {
          Elementary.log(Nanoseconds($0.time).milliseconds)
        }
      }
      return LaunchTest(measure.name, logs[0], logs[1])
    }
    self.before = before
    self.after = after
    metrics = tests.map {
      $0.compared(of: tests.count, threshold: Self.launchThreshold, level: options.levelOfLook)
    }
    overall = Self.worst(metrics.map(\.verdict))
    let counts = zip(measures, tests).map { measure, test in
      "\(test.before.count) v \(test.after.count) \(measure.words)"
    }
    method =
      "Mann–Whitney on launch times, \(counts.joined(separator: "; ")), with the Hodges–Lehmann shift"
      + (tests.count > 1 ? "; Bonferroni's correction over the kinds" : "")
    let least = tests.map { min($0.before.count, $0.after.count) }.min() ?? 0
    let left = sides.map { $0.count { !measures.contains($0.measure) } }.reduce(0, +)
    var warnings: [ComparisonWarning] = []
    if least < 10 { warnings.append(.fewLaunches) }
    if left > 0 { warnings.append(.unmatchedLaunches(left, needed: Self.fewestLaunches)) }
    self.warnings = warnings
    beside = []
    (design, isSequential) = (.unknown, false)
    names = options.names
    kind = .launch
    metric = options.figures.metric
  }

  private static func refuse(
    _ before: [RunSummary], _ after: [RunSummary], _ sides: [[LaunchTime]]
  ) throws(ComparisonRefusal) {
    for (runs, launches) in zip([before, after], sides) where launches.count < fewestLaunches {
      throw ComparisonRefusal.fewLaunches(
        file: runs.first?.file ?? "", found: launches.count, needed: fewestLaunches)
    }
    let runs = (before + after).filter { !$0.launches.isEmpty }
    if Set(runs.map(\.areProfiled)).count > 1 {
      throw ComparisonRefusal.profiledLaunches
    }
    if common(sides).isEmpty {
      throw ComparisonRefusal.differentLaunches(
        file: before.first?.file ?? "", needed: fewestLaunches, before: words(sides[0]),
        after: words(sides[1]))
    }
  }

  /// The measures for which both sides have enough launches.
  private static func common(_ sides: [[LaunchTime]]) -> [LaunchMeasure] {
    LaunchMeasure.all.filter { measure in
      sides.allSatisfy { $0.count { $0.measure == measure } >= fewestLaunches }
    }
  }

  private static func words(_ launches: [LaunchTime]) -> String {
    LaunchMeasure.all.compactMap { measure in
      let count = launches.count { $0.measure == measure }
      return count == 0 ? nil : "\(count) \(measure.words)"
    }.joined(separator: "; ")
  }
}

/// Launches of one kind before and after, as logarithms of milliseconds.
private struct LaunchTest {
  let name: String
  let before, after: [Double]
  /// The probabilities of a change at least as bad, and at least as good, if there is none.
  let worse, better: Double

  init(_ name: String, _ before: [Double], _ after: [Double]) {
    (self.name, self.before, self.after) = (name, before, after)
    worse = MannWhitney(before, after).pSecondGreater
    better = MannWhitney(after, before).pSecondGreater
  }

  /// - Parameter kinds: The number of launch kinds that are compared. A change of one kind says nothing about the
  ///   others.
  func compared(of kinds: Int, threshold share: Double, level: Double) -> MetricComparison {
    let (worse, better) = (min(1, worse * Double(kinds)), min(1, better * Double(kinds)))
    let threshold = Elementary.log(1 + share)
    let shift = HodgesLehmann(before, after, confidence: 0.9)
    let metric = RunMetric.p50
    let verdict: Verdict =
      worse <= level && shift.shift >= threshold
      ? .regressed
      : better <= level && shift.shift <= -threshold
        ? .improved
        : shift.high < threshold ? .noChange : .inconclusive
    let pooled = TwoSampleT.pooled(before, after)
    let inverse = 1 / Double(before.count) + 1 / Double(after.count)
    let noise = pooled.standardError / inverse.squareRoot()
    return MetricComparison(
      name: "p50(\(name))", unit: "ms", effectUnit: "%",
      before: Elementary.exp(RealQuantile.type7(before, 0.5)),
      after: Elementary.exp(RealQuantile.type7(after, 0.5)), effect: metric.effect(shift.shift),
      interval: metric.effect(shift.low)...max(metric.effect(shift.low), metric.effect(shift.high)),
      p: worse, pBetter: better, threshold: metric.effect(threshold), noise: metric.effect(noise),
      isGating: true,
      verdict: verdict,
      runsNeeded: TwoSampleT.sizeNeeded(toFind: threshold, spread: noise, level: level),
      runsToDecide: TwoSampleT.sizeNeeded(
        toDecide: shift.shift, threshold: threshold, spread: noise, level: level,
        doubt: ComparisonConstants.doubt))
  }
}

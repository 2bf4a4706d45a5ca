import FrameKit

/// The rules by which other tools decide that runs have become slower, on one value per run, as in
/// their documentation and source.
///
/// Each gives a probability, so that it can also be compared with frametool at equal false alarms.
struct PeerRule: Sendable {
  let name: String
  /// The level at or below which its tool reports a change.
  let level: Double
  /// The smallest two-sided probability among figures whose typical value increased; 1 if there is
  /// none.
  let probability: @Sendable ([RunSummary], [RunSummary]) -> Double

  static let all = [benchstat, pyperf]

  /// benchstat, golang.org/x/perf/cmd/benchstat: the Mann–Whitney U test at 0.05 on each figure,
  /// exact for few runs, without correction for the number of figures.
  private static let benchstat = PeerRule(name: "benchstat", level: 0.05) { before, after in
    let metrics: [RunMetric] = [.mean, .p50, .p95, .p99]
    return metrics.map { metric in
      let sides = [before, after].map { $0.map { $0.value(metric) } }
      let medians = sides.map { RealQuantile.type7($0, 0.5) }
      return medians[1] > medians[0] ? MannWhitney(sides[0], sides[1]).pTwoSided : 1
    }.min() ?? 1
  }

  /// pyperf compare_to, github.com/psf/pyperf: Student's two-sample t with pooled variance, 95 %
  /// two-sided, on the means of the runs.
  private static let pyperf = PeerRule(name: "pyperf", level: 0.05) { before, after in
    let sides = [before, after].map { $0.map { $0.value(.mean) } }
    let test = TwoSampleT.pooled(sides[0], sides[1])
    return test.difference > 0 ? test.pTwoSided : 1
  }
}

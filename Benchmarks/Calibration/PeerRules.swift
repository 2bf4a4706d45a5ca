import FrameKit

/// The rules by which other tools tell that runs have got slower, on one value of each run, as their
/// documentation and source have them.
///
/// Each gives a probability, so that it can be held against ours at equal false alarms too.
struct PeerRule: Sendable {
  let name: String
  /// At or below which its tool tells of a change.
  let level: Double
  /// The smallest two-sided probability of a figure whose typical value is greater after; 1 where
  /// there is none.
  let probability: @Sendable ([RunSummary], [RunSummary]) -> Double

  static let all = [benchstat, pyperf]

  /// benchstat, golang.org/x/perf/cmd/benchstat: the Mann–Whitney U test at 0.05 on each figure,
  /// exact for few runs, figures not put right for each other.
  private static let benchstat = PeerRule(name: "benchstat", level: 0.05) { before, after in
    let metrics: [RunMetric] = [.mean, .p50, .p95, .p99]
    return metrics.map { metric in
      let sides = [before, after].map { $0.map { $0.value(metric) } }
      let medians = sides.map { RealQuantile.type7($0, 0.5) }
      return medians[1] > medians[0] ? MannWhitney(sides[0], sides[1]).pTwoSided : 1
    }.min() ?? 1
  }

  /// pyperf compare_to, github.com/psf/pyperf: Student's t of two samples with one variance, 95 %
  /// to both sides, on the means of the runs.
  private static let pyperf = PeerRule(name: "pyperf", level: 0.05) { before, after in
    let sides = [before, after].map { $0.map { $0.value(.mean) } }
    let test = TwoSampleT.pooled(sides[0], sides[1])
    return test.difference > 0 ? test.pTwoSided : 1
  }
}

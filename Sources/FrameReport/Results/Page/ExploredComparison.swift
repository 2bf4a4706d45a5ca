package import FrameVerdicts

/// A comparison for an interactive page: the distribution of each run's values, and the changes.
package struct ExploredComparison: Sendable {
  /// A run: its file, its number of values, and the quantiles of the values at `0, 0.5 %, … 100 %`,
  /// in milliseconds.
  struct Run: Sendable {
    let file: String
    let n: Int
    let curve: [Double]
  }

  /// What is compared, and the two sides with their runs.
  let what: String
  let sides: [(name: String, runs: [Run])]
  /// The result for each figure, in the terms of the comparison.
  let figures: [MetricComparison]

  /// - Returns: `nil` if there are no frame times to show.
  package init?(_ comparison: Comparison) {
    let runs = comparison.before + comparison.after
    guard comparison.kind == .frames, runs.allSatisfy({ $0.count > 0 }) else { return nil }
    what = comparison.metric == ComparedFigures.usual ? "frame time" : comparison.metric
    sides = [
      (comparison.names.before, comparison.before), (comparison.names.after, comparison.after),
    ].map { name, runs in
      (name, runs.map { Run(file: $0.file, n: Int($0.count), curve: $0.distribution.map(\.value)) })
    }
    figures = comparison.metrics
  }
}

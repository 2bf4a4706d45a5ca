/// Writes a comparison as a table, a row a metric.
struct ComparisonCSVWriter {
  private static let columns = [
    "metric", "unit", "before", "after", "effect", "effect_unit", "ci95_low", "ci95_high", "p",
    "p_better",
    "threshold", "noise", "gating", "verdict", "runs_needed",
  ]

  func write(_ comparison: Comparison) -> String {
    let rows = comparison.metrics.map { metric in
      [
        metric.name, metric.unit, "\(metric.before)", "\(metric.after)", "\(metric.effect)",
        metric.effectUnit, "\(metric.interval.lowerBound)", "\(metric.interval.upperBound)",
        "\(metric.p)", "\(metric.pBetter)", "\(metric.threshold)", "\(metric.noise)",
        "\(metric.isGating)",
        metric.verdict.rawValue, metric.runsNeeded.map { "\($0)" } ?? "",
      ]
    }
    return CSVText.rows([Self.columns] + rows)
  }
}

/// Writes analyses as one table for spreadsheets and data frames: a row a metric of a
/// surface. Times are in milliseconds; missing cells are empty.
struct AnalysisCSVWriter: AnalysisWriter {
  let format = OutputFormat.csv

  private static let columns = [
    "file", "process", "pid", "surface", "metric", "unit", "definition", "n", "missing", "min",
    "mean", "p50", "p90", "p95", "p99", "max", "value", "why_missing",
  ]

  func write(_ analyses: [TraceAnalysis]) -> String {
    var rows = [Self.columns]
    for analysis in analyses {
      for surface in analysis.surfaces {
        let owner = [
          analysis.trace.provenance.file, surface.process ?? "",
          surface.processID.map { "\($0)" } ?? "", surface.id,
        ]
        rows += counts(surface.outcomes).map { owner + $0 }
        if surface.refreshes != nil { rows += FindingRows(surface).rows().map { owner + $0 } }
        rows += surface.metrics.map { owner + row($0) }
      }
    }
    return CSVText.rows(rows)
  }

  private func counts(_ outcomes: FrameOutcomes) -> [[String]] {
    let counts = [
      ("count", outcomes.count), ("displayed", outcomes.displayed),
      ("replaced", outcomes.replaced), ("discarded", outcomes.discarded),
      ("dropped", outcomes.dropped), ("unresolved", outcomes.unresolved),
      ("generated", outcomes.generated),
    ]
    return counts.map { name, count in
      let empty = Array(repeating: "", count: 7)
      return ["frames.\(name)", "frames", "", "\(outcomes.count)", "0"] + empty + ["\(count)", ""]
    }
  }

  private func row(_ metric: MetricResult) -> [String] {
    let start = [metric.name, metric.unit.rawValue, metric.definition ?? ""]
    let empty = Array(repeating: "", count: 7)
    switch metric.figures {
    case .summary(let summary):
      let figures = [
        summary.minimum, summary.mean, summary.p50, summary.p90, summary.p95, summary.p99,
        summary.maximum,
      ]
      return start + ["\(summary.n)", "\(metric.missing)"] + figures.map { "\($0 / 1e6)" } + [
        "", "",
      ]
    case .figure(let figure, let n):
      return start + ["\(n)", "\(metric.missing)"] + empty + ["\(figure)", ""]
    case .unavailable(let why):
      return start + ["0", "\(metric.missing)"] + empty + ["", why]
    }
  }
}

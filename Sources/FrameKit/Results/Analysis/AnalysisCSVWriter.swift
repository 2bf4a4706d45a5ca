/// Writes analyses as one table for spreadsheets and data frames: a row a metric of a
/// surface. Times are in milliseconds; missing cells are empty.
struct AnalysisCSVWriter {
  func write(_ analyses: [TraceAnalysis]) -> String {
    var rows = [["file", "process", "pid", "surface"] + AnalysisRow.columns]
    for analysis in analyses {
      for surface in analysis.surfaces {
        let owner = [
          analysis.trace.provenance.file, surface.process ?? "",
          surface.processID.map { "\($0)" } ?? "", surface.id,
        ]
        let own =
          counts(surface.outcomes) + FindingRows(surface, analysis.options).rows()
          + surface.metrics.map(row)
        rows += own.map { owner + $0.cells }
      }
      let file = [analysis.trace.provenance.file, "", "", ""]
      rows += HangTables(analysis).rows().map { file + $0.cells }
      rows += StatedTables(analysis.trace).rows().map { file + $0.cells }
      for group in analysis.launches.groups {
        let owner = [analysis.trace.provenance.file, group.key.process ?? "", "", ""]
        rows.append(owner + row(group).cells)
      }
    }
    return CSVText.rows(rows)
  }

  private func counts(_ outcomes: FrameOutcomes) -> [AnalysisRow] {
    let counts = [
      ("count", outcomes.count), ("displayed", outcomes.displayed),
      ("replaced", outcomes.replaced), ("discarded", outcomes.discarded),
      ("dropped", outcomes.dropped), ("unresolved", outcomes.unresolved),
      ("generated", outcomes.generated),
    ]
    return counts.map { name, count in
      AnalysisRow(name: "frames.\(name)", unit: "frames", n: outcomes.count, value: "\(count)")
    }
  }

  private func row(_ group: LaunchGroup) -> AnalysisRow {
    var row = AnalysisRow(name: group.key.measure.name, unit: "ms")
    row.definition =
      (group.key.isProfiled ? "under a profiler, " : "") + "to the \(group.key.until.words)"
    (row.n, row.summary) = (group.total.n, group.total)
    return row
  }

  private func row(_ metric: MetricResult) -> AnalysisRow {
    var row = AnalysisRow(name: metric.name, unit: metric.unit.rawValue)
    row.definition = metric.definition ?? ""
    row.missing = metric.missing
    row.isInferred = metric.isInferred
    switch metric.figures {
    case .summary(let summary): (row.n, row.summary) = (summary.n, summary)
    case .figure(let figure, let n): (row.n, row.value) = (n, "\(figure)")
    case .unavailable(let why): row.why = why
    }
    return row
  }
}

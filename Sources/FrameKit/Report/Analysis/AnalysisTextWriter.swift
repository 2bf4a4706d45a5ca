/// Writes analyses for a person at a terminal.
struct AnalysisTextWriter: AnalysisWriter {
  let format = OutputFormat.text

  func write(_ analyses: [TraceAnalysis]) -> String {
    PrintableText.lines(
      analyses.map { lines($0).joined(separator: "\n") + "\n" }.joined(separator: "\n"))
  }

  private func lines(_ analysis: TraceAnalysis) -> [String] {
    var lines = [analysis.title]
    if let region = analysis.regionLine { lines.append(region) }
    lines += FramelessLines(analysis).lines.map { "  \($0)" }
    for surface in analysis.surfaces {
      lines += ["", AnalysisTables.title(surface), "  " + AnalysisTables.headline(surface)]
      lines += details(surface, analysis)
    }
    let launches = LaunchTables(analysis.launches)
    if !launches.isEmpty {
      lines += [""] + launches.headlines + launches.notes.map { "  \($0)" } + [""]
      lines += launches.launches().lines()
      lines.append("  'frametool launch' shows phases, waits and what to look at first")
    }
    let hangs = HangTables(analysis)
    if !hangs.isEmpty {
      lines += ["", hangs.headline]
      if let table = hangs.table() { lines += [""] + table.lines() }
      if let more = hangs.more { lines.append("  " + more) }
    }
    let stated = StatedTables(analysis.trace)
    if !stated.isEmpty {
      lines += ["", stated.headline]
      for table in [stated.figures(), stated.counts()].compactMap({ $0 }) {
        lines += [""] + table.lines()
      }
    }
    if !analysis.trace.issueLines.isEmpty {
      lines += ["", "about the input"] + analysis.trace.issueLines
    }
    return lines
  }

  private func details(_ surface: SurfaceAnalysis, _ analysis: TraceAnalysis) -> [String] {
    var tables = AnalysisTables(surface)
    let events = EventTables(surface, of: analysis)
    var lines = FindingLines(surface, of: analysis).lines().map { "  " + $0 }
    lines.append("  " + AnalysisTables.outcomes(surface.outcomes))
    if let drops = events.drops() { lines += [""] + drops.lines() }
    if let more = events.moreDrops() { lines.append("  " + more) }
    if let worst = events.worst() { lines += [""] + worst.lines() }
    if let distributions = tables.distributions() { lines += [""] + distributions.lines() }
    if let rates = tables.rates() { lines += [""] + rates.lines() }
    if let dialects = events.dialects() { lines += [""] + dialects.lines() }
    let notes = tables.footnotes.lines() + tables.unavailable()
    return lines + (notes.isEmpty ? [] : [""] + notes)
  }
}

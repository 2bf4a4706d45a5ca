/// Writes analyses for a pull request or a wiki page.
struct AnalysisMarkdownWriter: AnalysisWriter {
  let format = OutputFormat.markdown

  func write(_ analyses: [TraceAnalysis]) -> String {
    PrintableText.lines(
      analyses.map { lines($0).joined(separator: "\n") + "\n" }.joined(separator: "\n"))
  }

  private func lines(_ analysis: TraceAnalysis) -> [String] {
    var lines = ["## \(MarkdownText.escape(analysis.title))"]
    if let region = analysis.regionLine { lines += ["", MarkdownText.escape(region) + "."] }
    let frameless = FramelessLines(analysis).lines
    if !frameless.isEmpty { lines += [""] + items(frameless) }
    for surface in analysis.surfaces {
      lines += ["", "### \(MarkdownText.escape(AnalysisTables.title(surface)))", ""]
      lines += [
        AnalysisTables.headline(surface) + ".", "",
      ]
      lines += items(
        FindingLines(surface, of: analysis).lines() + [AnalysisTables.outcomes(surface.outcomes)])
      lines += details(surface, analysis)
    }
    let launches = LaunchTables(analysis.launches)
    if !launches.isEmpty {
      lines += ["", "### Launches", ""] + items(launches.headlines + launches.notes) + [""]
      lines += launches.launches().markdown()
    }
    let hangs = HangTables(analysis)
    if !hangs.isEmpty {
      lines += ["", "### Hangs", "", hangs.headline + "."]
      if let table = hangs.table() { lines += [""] + table.markdown() }
      if let more = hangs.more { lines += ["", more + "."] }
    }
    let stated = StatedTables(analysis.trace)
    if !stated.isEmpty {
      lines += ["", "### Stated figures", "", stated.headline + "."]
      for table in [stated.figures(), stated.counts()].compactMap({ $0 }) {
        lines += [""] + table.markdown()
      }
    }
    if !analysis.trace.issueLines.isEmpty {
      lines += ["", "### About the input", ""] + items(analysis.trace.issueLines)
    }
    return lines
  }

  private func details(_ surface: SurfaceAnalysis, _ analysis: TraceAnalysis) -> [String] {
    var tables = AnalysisTables(surface)
    let events = EventTables(surface, of: analysis)
    var lines: [String] = []
    if let drops = events.drops() { lines += [""] + drops.markdown() }
    if let more = events.moreDrops() { lines += ["", more + "."] }
    if let worst = events.worst() { lines += [""] + worst.markdown() }
    if let distributions = tables.distributions() { lines += [""] + distributions.markdown() }
    if let rates = tables.rates() { lines += [""] + rates.markdown() }
    if let dialects = events.dialects() { lines += [""] + dialects.markdown() }
    let notes = tables.footnotes.lines() + tables.unavailable()
    return lines + (notes.isEmpty ? [] : [""] + items(notes))
  }

  private func items(_ lines: [String]) -> [String] {
    lines.map { "- " + MarkdownText.escape(String($0.drop { $0 == " " })) }
  }
}

/// Writes analyses for a pull request or a wiki page.
struct AnalysisMarkdownWriter: AnalysisWriter {
  let format = OutputFormat.markdown

  func write(_ analyses: [TraceAnalysis]) -> String {
    analyses.map { lines($0).joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private func lines(_ analysis: TraceAnalysis) -> [String] {
    var lines = ["## \(escape(analysis.title))"]
    if let region = analysis.regionLine { lines += ["", escape(region) + "."] }
    for surface in analysis.surfaces {
      lines += ["", "### \(escape(AnalysisTables.title(surface)))", ""]
      lines += [
        AnalysisTables.headline(surface) + ".", "",
      ]
      lines += items(
        FindingLines(surface, of: analysis).lines() + [AnalysisTables.outcomes(surface.outcomes)])
      lines += details(surface, analysis)
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
    lines.map { "- " + escape(String($0.drop { $0 == " " })) }
  }

  /// Text that Markdown shows as it is.
  private func escape(_ text: String) -> String {
    text.map { "\\`*_{}<>#|".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

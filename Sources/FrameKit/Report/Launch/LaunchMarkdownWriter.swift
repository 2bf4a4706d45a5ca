/// Writes an analysis of launches for a pull request or a wiki page.
struct LaunchMarkdownWriter: LaunchWriter {
  let format = OutputFormat.markdown

  func write(_ analysis: LaunchAnalysis, _ comparison: Comparison?) -> String {
    let tables = LaunchTables(analysis)
    var lines = ["## Launches", ""] + Self.items(tables.titles)
    if !tables.headlines.isEmpty { lines += [""] + Self.items(tables.headlines) }
    if !tables.notes.isEmpty { lines += [""] + Self.items(tables.notes) }
    if !tables.isEmpty { lines += [""] + tables.launches().markdown() }
    if let phases = tables.phases() { lines += [""] + phases.markdown() }
    if let comparison { lines += [""] + ComparisonMarkdownWriter().lines(comparison) }
    for launch in analysis.told { lines += Self.lines(of: launch) }
    let issues = analysis.traces.flatMap(\.issueLines)
    if !issues.isEmpty { lines += ["", "### About the input", ""] + Self.items(issues) }
    return PrintableText.lines(lines.joined(separator: "\n") + "\n")
  }

  private static func lines(of launch: RebuiltLaunch) -> [String] {
    let owner = [launch.process, "launch \(launch.name)"].compactMap { $0 }.joined(separator: ", ")
    return LaunchTables.all(of: launch).flatMap { name, table in
      ["", "### \(MarkdownText.escape("\(owner): \(name)"))", ""] + table.markdown()
    }
  }

  private static func items(_ lines: [String]) -> [String] {
    lines.map { "- " + MarkdownText.escape(String($0.drop { $0 == " " })) }
  }
}

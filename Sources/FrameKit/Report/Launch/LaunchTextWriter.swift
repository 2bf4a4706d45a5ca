/// Writes an analysis of launches for a person at a terminal.
struct LaunchTextWriter: LaunchWriter {
  let format = OutputFormat.text

  func write(_ analysis: LaunchAnalysis, _ comparison: Comparison?) -> String {
    let tables = LaunchTables(analysis)
    var lines = tables.titles
    if !tables.headlines.isEmpty { lines += [""] + tables.headlines }
    if !tables.notes.isEmpty { lines += [""] + tables.notes.map { "  \($0)" } }
    if !tables.isEmpty { lines += [""] + tables.launches().lines() }
    if let phases = tables.phases() { lines += [""] + phases.lines() }
    if let comparison { lines += [""] + ComparisonTextWriter().lines(comparison) }
    for launch in analysis.told { lines += [""] + Self.lines(of: launch) }
    for trace in analysis.traces where !trace.issueLines.isEmpty {
      lines += ["", "about the input \(trace.provenance.file)"] + trace.issueLines
    }
    return PrintableText.lines(lines.joined(separator: "\n") + "\n")
  }

  private static func lines(of launch: RebuiltLaunch) -> [String] {
    let owner = [launch.process, "launch \(launch.name)"].compactMap { $0 }.joined(separator: ", ")
    return LaunchTables.all(of: launch).reduce([]) { lines, part in
      lines + (lines.isEmpty ? [] : [""]) + ["\(owner): \(part.name)"] + part.table.lines()
    }
  }
}

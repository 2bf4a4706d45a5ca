/// Writes a comparison for a pull request.
struct ComparisonMarkdownWriter: ComparisonWriter {
  let format = ComparisonFormat.markdown

  func write(_ comparison: Comparison) -> String {
    PrintableText.lines(lines(comparison).joined(separator: "\n") + "\n")
  }

  func lines(_ comparison: Comparison) -> [String] {
    let tables = ComparisonTables(comparison)
    var lines = ["## \(tables.subject): \(tables.headline)", ""]
    lines += tables.sides().map { "- \(MarkdownText.escape($0))" }
    lines += [""] + tables.table().markdown()
    lines += ["", "Method: \(comparison.method). Figures in brackets do not decide."]
    if !comparison.warnings.isEmpty { lines.append("") }
    return lines + comparison.warnings.map { "- **Warning:** \(MarkdownText.escape($0))" }
  }
}

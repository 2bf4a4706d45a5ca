/// Writes a comparison for a person at a terminal: the verdict first.
struct ComparisonTextWriter: ComparisonWriter {
  let format = ComparisonFormat.text

  func write(_ comparison: Comparison) -> String {
    let tables = ComparisonTables(comparison)
    var lines = ["overall: \(tables.headline)"] + tables.sides() + [""] + tables.table().lines()
    lines += ["", "method: \(comparison.method); figures in brackets do not decide"]
    lines += comparison.warnings.map { "warning: \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Writes a comparison for a pull request.
struct ComparisonMarkdownWriter: ComparisonWriter {
  let format = ComparisonFormat.markdown

  func write(_ comparison: Comparison) -> String {
    let tables = ComparisonTables(comparison)
    var lines = ["## Frame times: \(tables.headline)", ""]
    lines += tables.sides().map { "- \(MarkdownText.escape($0))" }
    lines += [""] + tables.table().markdown()
    lines += ["", "Method: \(comparison.method). Figures in brackets do not decide."]
    if !comparison.warnings.isEmpty { lines.append("") }
    lines += comparison.warnings.map { "- **Warning:** \(MarkdownText.escape($0))" }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Text in Markdown.
enum MarkdownText {
  /// Text that Markdown shows as it is.
  static func escape(_ text: String) -> String {
    text.map { "\\`*_{}<>#|".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

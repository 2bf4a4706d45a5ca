/// Writes a comparison for a person at a terminal: the verdict first.
struct ComparisonTextWriter: ComparisonWriter {
  let format = ComparisonFormat.text

  func write(_ comparison: Comparison) -> String {
    PrintableText.lines(lines(comparison).joined(separator: "\n") + "\n")
  }

  func lines(_ comparison: Comparison) -> [String] {
    let tables = ComparisonTables(comparison)
    var lines = [tables.headline] + tables.sides() + [""] + tables.table().lines()
    lines += ["", "method: \(comparison.method); figures in brackets do not decide"]
    return lines + comparison.warnings.map { "warning: \($0)" }
  }
}

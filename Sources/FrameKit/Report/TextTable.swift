/// A table for people: columns of texts with their headings, aligned when printed.
struct TextTable {
  enum Alignment { case left, right }

  struct Column {
    let heading: String
    let alignment: Alignment
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []

  init(_ columns: [(String, Alignment)]) {
    self.columns = columns.map { Column(heading: $0.0, alignment: $0.1) }
  }

  mutating func append(_ row: [String]) { rows.append(row) }

  /// The same table without columns that have no text in any row.
  var withoutEmptyColumns: TextTable {
    let used = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    var table = TextTable(used.map { (columns[$0].heading, columns[$0].alignment) })
    for row in rows { table.append(used.map { row[$0] }) }
    return table
  }

  /// The lines of the table, headings first, each indented by two blanks.
  func lines() -> [String] {
    let all = [columns.map(\.heading)] + rows
    let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      let cells = columns.indices.map { column -> String in
        let blanks = String(repeating: " ", count: widths[column] - row[column].count)
        return columns[column].alignment == .left ? row[column] + blanks : blanks + row[column]
      }
      var line = "  " + cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The lines of the table in Markdown.
  func markdown() -> [String] {
    let rule = columns.map { $0.alignment == .left ? "---" : "---:" }
    return ([columns.map(\.heading), rule] + rows).map { row in
      "| " + row.map(MarkdownText.cell).joined(separator: " | ") + " |"
    }
  }
}

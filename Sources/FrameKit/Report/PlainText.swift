/// Documents as plain text, for a person at a terminal.
enum PlainText {
  /// The documents with a blank line between two, the last line feed included.
  static func write(_ documents: [Document]) -> String {
    PrintableText.lines(
      documents.map { lines($0).joined(separator: "\n") + "\n" }.joined(separator: "\n"))
  }

  private static func lines(_ document: Document) -> [String] {
    var lines: [String] = []
    var isAfterTitle = true
    for block in document.blocks {
      lines += Self.lines(block, isAfterTitle: isAfterTitle, isFirst: lines.isEmpty)
      if case .title = block { isAfterTitle = true } else { isAfterTitle = false }
    }
    return lines
  }

  private static func lines(
    _ block: Document.Block, isAfterTitle: Bool, isFirst: Bool
  ) -> [String] {
    let gap = isAfterTitle ? [] : [""]
    switch block {
    case .title(let title, _, let opening):
      let opening = Self.lines(opening, of: title)
      return (isFirst || opening.isEmpty ? [] : [""]) + opening
    case .heading(let heading, _, let opening): return [""] + Self.lines(opening, of: heading)
    case .lines(let lines), .points(let lines): return gap + lines
    case .sentence(let sentence): return [isAfterTitle ? sentence : "  " + sentence]
    case .facts(let facts):
      let width = facts.map(\.name.count).max() ?? 0
      return gap
        + facts.map { name, value in
          "\(name)\(String(repeating: " ", count: width - name.count))  \(value)"
        }
    case .list(let items): return items.map { "  " + $0 }
    case .notes(let notes): return [""] + notes.map { "  " + $0 }
    case .remarks(let remarks): return ["", remarks.joined(separator: "; ")]
    case .warnings(let warnings): return warnings.map { "warning: \($0)" }
    case .table(let table, .named): return gap + table.lines()
    case .table(let table, .titled(let name)): return gap + [name] + table.lines()
    case .figure: return []
    case .hint(let hint): return ["  " + hint]
    }
  }

  private static func lines(_ opening: Document.Opening, of heading: String) -> [String] {
    switch opening {
    case .itself: [heading]
    case .words(let words), .sentence(let words): [words]
    case .points(let points): points
    case .nothing: []
    }
  }
}

extension TextTable {
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
}

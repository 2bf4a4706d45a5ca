import FrameTrace

/// Documents as plain text for a terminal.
struct PlainText {
  private let look: TextLook

  private init(_ look: TextLook) { self.look = look }

  /// The documents, separated by blank lines, including the last line feed.
  static func write(_ documents: [Document], _ look: TextLook = .plain) -> String {
    let text = PlainText(look)
    return documents.map { text.lines($0).joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private func lines(_ document: Document) -> [String] {
    var lines: [String] = []
    var isAfterTitle = true
    for block in document.blocks {
      lines += self.lines(block, isAfterTitle: isAfterTitle, isFirst: lines.isEmpty)
      if case .title = block { isAfterTitle = true } else { isAfterTitle = false }
    }
    return lines
  }

  private func lines(_ block: Document.Block, isAfterTitle: Bool, isFirst: Bool) -> [String] {
    let gap = isAfterTitle ? [] : [""]
    switch block {
    case .title(let title, _, let opening):
      let opening = texts(opening, of: title, .title)
      return (isFirst || opening.isEmpty ? [] : [""]) + opening
    case .heading(let heading, _, let opening): return [""] + texts(opening, of: heading, .title)
    case .lines(let lines), .points(let lines): return gap + lines.flatMap { text($0) }
    case .sentence(let sentence): return text(isAfterTitle ? sentence : "  " + sentence)
    case .facts(let facts):
      let width = facts.map(\.name.count).max() ?? 0
      return gap
        + facts.flatMap { name, value in
          text(
            "\(name)\(String(repeating: " ", count: width - name.count))  \(value)",
            indent: width + 2)
        }
    case .list(let items): return items.flatMap { text("  " + $0) }
    case .notes(let notes): return [""] + notes.flatMap { text("  " + $0) }
    case .remarks(let remarks): return [""] + text(remarks.joined(separator: "; "))
    case .warnings(let warnings): return warnings.flatMap { text("warning: \($0)", .doubtful) }
    case .table(let table, .named), .table(let table, .folded): return gap + table.lines(look)
    case .table(let table, .titled(let name)): return gap + text(name, .title) + table.lines(look)
    case .links(let links): return links.flatMap { text("  \($0.text): \($0.detail)") }
    case .figure, .explorer, .comparisonExplorer, .launchExplorer, .marker: return []
    case .hint(let hint): return text("  " + hint)
    }
  }

  private func texts(
    _ opening: Document.Opening, of heading: String, _ role: TextRole
  ) -> [String] {
    switch opening {
    case .itself: text(heading, role)
    case .words(let words), .sentence(let words): text(words, TextRole(verdict: words) ?? role)
    case .points(let points): points.flatMap { text($0, TextRole(verdict: $0)) }
    case .nothing: []
    }
  }

  /// A string wrapped to as many lines as it needs.
  private func text(_ text: String, _ role: TextRole? = nil, indent: Int? = nil) -> [String] {
    let start = text.prefix { $0 == " " }.count
    return PrintableText.lines(text).split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { look.folded(String($0), indent: indent ?? start + 2) }
      .map { look.styled($0, role) }
  }
}

extension TextTable {
  /// The lines of the table, headings first, each indented by two spaces. If the table is too wide, expendable columns
  /// are omitted and the last column is folded.
  func lines(_ look: TextLook = .plain) -> [String] {
    guard let width = look.width, self.width > width else { return aligned(look) }
    var table = self
    var left: [String] = []
    for heading in expendable where !table.fits(width) {
      guard let position = table.columns.firstIndex(where: { $0.heading == heading }) else {
        continue
      }
      table.remove(column: position)
      left.append(heading)
    }
    let note =
      left.isEmpty
      ? [] : look.folded("  no room for \(left.joined(separator: ", "))", indent: 4)
    return table.aligned(look) + note
  }

  /// The smallest width of a folded column.
  private static let narrowest = 16

  /// Whether the table's lines fit the width; the last column may be folded if it is text.
  private func fits(_ width: Int) -> Bool {
    let isText = columns.last?.alignment == .left
    return self.width <= width || (isText && start + longestWord <= width)
  }

  /// The length of the longest word in the last column, which is never broken.
  private var longestWord: Int {
    rows.flatMap { ($0.last ?? "").split(separator: " ").map(\.count) }
      .reduce(Self.narrowest, max)
  }

  /// The position where the last column begins.
  private var start: Int { width - (widths.last ?? 0) }

  /// The length of the longest line, in characters.
  private var width: Int { 2 + widths.reduce(0, +) + 2 * max(0, columns.count - 1) }

  private var widths: [Int] {
    let all = [columns.map(\.heading)] + rows
    return columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
  }

  private func aligned(_ look: TextLook) -> [String] {
    let widths = self.widths
    let start = self.start
    let all = [columns.map(\.heading)] + rows
    return all.enumerated().flatMap { number, row -> [String] in
      let cells = columns.indices.map { column -> String in
        let cell = PrintableText.lines(row[column])
        let blanks = String(repeating: " ", count: widths[column] - row[column].count)
        let text = columns[column].alignment == .left ? cell + blanks : blanks + cell
        let role = number == 0 ? .heading : TextRole(verdict: cell)
        return column == columns.count - 1 ? text : look.styled(text, role)
      }
      let last = foldedLast(cells.last ?? "", from: start, look)
      let role = number == 0 ? TextRole.heading : TextRole(verdict: last[0])
      let head = "  " + cells.dropLast().map { $0 + "  " }.joined()
      let blanks = String(repeating: " ", count: start)
      return last.enumerated().map { position, text in
        var line = (position == 0 ? head : blanks) + look.styled(Self.trimmed(text), role)
        if !look.hasColor { line = Self.trimmed(line) }
        return line
      }
    }
  }

  /// The last cell on as many lines as it needs, if the cell is text and the column has room for words.
  private func foldedLast(_ cell: String, from start: Int, _ look: TextLook) -> [String] {
    guard let width = look.width, columns.last?.alignment == .left, width - start >= Self.narrowest,
      start + Self.trimmed(cell).count > width
    else { return [cell] }
    var lines: [String] = []
    var line = ""
    for word in cell.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width - start {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return lines + [line]
  }

  private static func trimmed(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}

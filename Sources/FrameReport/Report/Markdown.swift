import FrameTrace

/// Documents in Markdown, for a pull request or a wiki page.
package struct Markdown: Sendable {
  /// The path of each plot, as written in the page; `nil` to describe plots in words.
  private let pictures: [String]?
  /// Whether each table has its name above it.
  private let namesTables: Bool

  /// Markdown for a separate page.
  /// - Parameter pictures: The path of each plot; `nil` to describe plots in words.
  package init(pictures: [String]?) {
    self.pictures = pictures
    namesTables = true
  }

  init() {
    pictures = nil
    namesTables = false
  }

  /// The document, including the last line feed.
  package func write(_ document: Document) -> String { write([document]) }

  /// The documents, separated by blank lines, including the last line feed.
  func write(_ documents: [Document]) -> String {
    PrintableText.lines(
      documents.map { lines($0).joined(separator: "\n") + "\n" }.joined(separator: "\n"))
  }

  private func lines(_ document: Document) -> [String] {
    var lines: [String] = []
    var continuesList = false
    for block in document.blocks {
      let own = self.lines(block, document)
      if !own.isEmpty {
        if !lines.isEmpty, !(continuesList && block.isList) { lines.append("") }
        lines += own
      }
      if case .heading(_, _, .points) = block {
        continuesList = true
      } else {
        continuesList = false
      }
    }
    return lines
  }

  private func lines(_ block: Document.Block, _ document: Document) -> [String] {
    switch block {
    case .title(let heading, let level, let opening), .heading(let heading, let level, let opening):
      return ["\(String(repeating: "#", count: level)) \(text(heading))"] + lines(opening)
    case .lines(let lines): return lines.map(text)
    case .points(let items), .list(let items), .notes(let items):
      return items.map { "- \(text($0))" }
    case .facts(let facts): return facts.table.markdown()
    case .sentence(let sentence): return [text(sentence.closed)]
    case .remarks(let remarks): return [text(remarks.sentences)]
    case .warnings(let warnings): return warnings.map { "- **Warning:** \(text($0))" }
    case .table(let table, .named(let name)):
      return (namesTables ? ["**\(text(name))**", ""] : []) + table.markdown()
    case .table(let table, .titled(let name)): return ["### \(text(name))", ""] + table.markdown()
    case .table(let table, .folded(let name)):
      return ["<details><summary>\(text(name))</summary>", ""] + table.markdown()
        + ["", "</details>"]
    case .marker(let name): return ["<!-- \(name) -->"]
    case .figure(let position):
      let plot = document.plots[position]
      guard let pictures else { return ["*\(text(plot.title))*: \(text(plot.description))"] }
      return ["![\(text(plot.description))](\(pictures[position]))"]
    case .links(let links): return links.map { "- \(text("\($0.text): \($0.detail)"))" }
    case .hint, .explorer, .comparisonExplorer, .launchExplorer: return []
    }
  }

  private func lines(_ opening: Document.Opening) -> [String] {
    switch opening {
    case .itself, .words, .nothing: []
    case .sentence(let sentence): ["", text(sentence.closed)]
    case .points(let points): [""] + points.map { "- \(text($0))" }
    }
  }

  /// Text on one line, escaped so that Markdown shows it literally.
  private func text(_ text: String) -> String {
    MarkdownText.escape(String(text.map { $0.isNewline ? " " : $0 }))
  }
}

extension Document.Block {
  fileprivate var isList: Bool {
    if case .list = self { return true }
    return false
  }
}

extension String {
  /// The sentence with a period, unless it already ends with a punctuation mark.
  var closed: String { last.map { ".:!?".contains($0) } ?? true ? self : self + "." }
}

extension [String] {
  /// The sentences on one line, each with a capital letter and a period.
  var sentences: String {
    map { $0.prefix(1).uppercased() + $0.dropFirst().description.closed }.joined(separator: " ")
  }
}

extension TextTable {
  /// The lines of the table in Markdown.
  func markdown() -> [String] {
    let rule = columns.map { $0.alignment == .left ? "---" : "---:" }
    return ([columns.map(\.heading), rule] + rows).map { row in
      "| " + row.map(MarkdownText.cell).joined(separator: " | ") + " |"
    }
  }
}

/// Escaped text for Markdown.
///
/// Markdown is parsed by Unicode scalars: a combining mark after a bar combines with the bar into one character, but
/// the bar still ends a cell.
enum MarkdownText {
  /// Escapes text so that Markdown shows it literally.
  static func escape(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var escaped = String.UnicodeScalarView()
    for (position, scalar) in scalars.enumerated() {
      let next = position + 1 < scalars.count ? scalars[position + 1] : nil
      if isMarkup(scalar, before: next) || (position == 0 && "+-=".unicodeScalars.contains(scalar))
      {
        escaped.append("\\")
      }
      escaped.append(scalar)
    }
    // A number, a period and a space at the start would begin a list.
    let digits = escaped.prefix { ("0"..."9").contains($0) }
    let mark = escaped.dropFirst(digits.count).prefix(2)
    if !digits.isEmpty, mark.first.map({ ".)".unicodeScalars.contains($0) }) ?? false,
      mark.dropFirst().first?.properties.isWhitespace ?? true
    {
      escaped.insert("\\", at: escaped.index(escaped.startIndex, offsetBy: digits.count))
    }
    return String(escaped)
  }

  private static func isMarkup(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
    // Brackets are plain text unless the next character makes them a link.
    isLink(scalar, before: next) || "\\`*_{}<>#|~&".unicodeScalars.contains(scalar)
  }

  private static func isLink(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
    scalar == "]" && (next.map { "([:".unicodeScalars.contains($0) } ?? false)
  }

  /// Text for a table cell: on one line, without anything that would end the cell or begin HTML or
  /// a link.
  static func cell(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var escaped = String.UnicodeScalarView()
    for (position, scalar) in scalars.enumerated() {
      let next = position + 1 < scalars.count ? scalars[position + 1] : nil
      if isLink(scalar, before: next) || "\\|<`&".unicodeScalars.contains(scalar) {
        escaped.append("\\")
      }
      escaped.append(lineEnds.contains(scalar) ? " " : scalar)
    }
    return String(escaped)
  }

  /// The line breaks of Unicode.
  private static let lineEnds: Set<Unicode.Scalar> = [
    "\n", "\u{b}", "\u{c}", "\r", "\u{85}", "\u{2028}", "\u{2029}",
  ]
}

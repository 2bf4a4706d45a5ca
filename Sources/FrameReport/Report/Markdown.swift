import FrameTrace

/// Documents in Markdown, for a pull request or a wiki page.
package struct Markdown: Sendable {
  /// The path of each picture, as the page names it; `nil` to describe pictures in words.
  private let pictures: [String]?
  /// Whether tables have their names above them.
  private let namesTables: Bool

  /// For a page of its own.
  /// - Parameter pictures: The path of each picture; `nil` to describe them in words.
  package init(pictures: [String]?) {
    self.pictures = pictures
    namesTables = true
  }

  init() {
    pictures = nil
    namesTables = false
  }

  /// The document, the last line feed included.
  package func write(_ document: Document) -> String { write([document]) }

  /// The documents with a blank line between two, the last line feed included.
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
    case .figure(let place):
      let plot = document.plots[place]
      guard let pictures else { return ["*\(text(plot.title))*: \(text(plot.description))"] }
      return ["![\(text(plot.description))](\(pictures[place]))"]
    case .hint, .explorer, .comparisonExplorer: return []
    }
  }

  private func lines(_ opening: Document.Opening) -> [String] {
    switch opening {
    case .itself, .words, .nothing: []
    case .sentence(let sentence): ["", text(sentence.closed)]
    case .points(let points): [""] + points.map { "- \(text($0))" }
    }
  }

  /// Text on one line that Markdown shows as it is.
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
  /// A sentence with its full stop, unless it ends with a mark already.
  var closed: String { last.map { ".:!?".contains($0) } ?? true ? self : self + "." }
}

extension [String] {
  /// Sentences in a row, each with a capital and a full stop.
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

/// Text in Markdown.
enum MarkdownText {
  /// Text that Markdown shows as it is.
  static func escape(_ text: String) -> String {
    let characters = Array(text)
    var escaped = ""
    for (place, character) in characters.enumerated() {
      let next = place + 1 < characters.count ? characters[place + 1] : nil
      if isMarkup(character, before: next) || (place == 0 && "+-=".contains(character)) {
        escaped.append("\\")
      }
      escaped.append(character)
    }
    // A number with a point and a blank at the start would begin a list.
    let digits = escaped.prefix { $0.isASCII && $0.isNumber }
    let mark = escaped.dropFirst(digits.count).prefix(2)
    if !digits.isEmpty, mark.first.map({ ".)".contains($0) }) ?? false,
      mark.dropFirst().first?.isWhitespace ?? true
    {
      escaped.insert("\\", at: escaped.index(escaped.startIndex, offsetBy: digits.count))
    }
    return escaped
  }

  private static func isMarkup(_ character: Character, before next: Character?) -> Bool {
    // Brackets are only text unless what is after them makes a link of them.
    if character == "]" { return next.map { "([:".contains($0) } ?? false }
    return "\\`*_{}<>#|~&".contains(character)
  }

  /// Text in a cell of a table: of one line, without what would end the cell or begin HTML or a
  /// link.
  static func cell(_ text: String) -> String {
    let characters = Array(text)
    var escaped = ""
    for (place, character) in characters.enumerated() {
      let next = place + 1 < characters.count ? characters[place + 1] : nil
      let isLink = character == "]" && (next.map { "([:".contains($0) } ?? false)
      if isLink || "\\|<`&".contains(character) { escaped.append("\\") }
      escaped.append(character.isNewline ? " " : character)
    }
    return escaped
  }
}

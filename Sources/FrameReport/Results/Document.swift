/// A document about results, in reading order: headings, sentences, lists, tables, and figures.
///
/// All output formats for people are written from the document, and differ only in punctuation. Sentences have no final
/// period, because not every format uses one.
public struct Document: Sendable {
  /// A part of a document.
  enum Block: Sendable {
    /// The title of the complete document, as a heading of the given level.
    case title(String, level: Int = 2, Opening = .itself)
    case heading(String, level: Int = 3, Opening = .itself)
    /// Lines that belong together.
    case lines([String])
    /// Lines that belong together, shown as a list in formats with markup.
    case points([String])
    /// Named facts, one per line.
    case facts([(name: String, value: String)])
    case sentence(String)
    /// Sentences about the previous block.
    case list([String])
    /// Notes on the previous block.
    case notes([String])
    /// Short sentences that are joined into one line.
    case remarks([String])
    case warnings([String])
    /// Links to other pages.
    case links([Link])
    case table(TextTable, Caption)
    /// A plot, by its index among the document's plots.
    case figure(Int)
    /// The element in which a page lets people explore surfaces, a comparison, or launches.
    case explorer, comparisonExplorer, launchExplorer
    /// A name for the document, by which a program finds its earlier comment; the name is never shown.
    case marker(String)
    /// What to try next on the command line, for people at a terminal.
    case hint(String)
  }

  /// The text that opens a section in formats without markup: in plain text, the section's first words must state what
  /// follows.
  enum Opening: Sendable {
    /// The heading itself.
    case itself
    /// The given words instead of the heading.
    case words(String)
    /// A sentence, shown below the heading in formats with markup.
    case sentence(String)
    /// Lines, shown below the heading as a list in formats with markup.
    case points([String])
    /// Nothing.
    case nothing
  }

  /// A link from a page to another page.
  struct Link: Sendable {
    let text: String
    /// The address relative to the page; `nil` if there is nothing to open.
    let address: String?
    /// The content of the other page, in a few words.
    let detail: String
  }

  /// The caption of a table.
  enum Caption: Sendable {
    /// A name, for pages that show several tables.
    case named(String)
    /// A separate heading.
    case titled(String)
    /// A name under which formats for web pages fold the table.
    case folded(String)

    var text: String {
      switch self {
      case .named(let text), .titled(let text), .folded(let text): text
      }
    }
  }

  private(set) var blocks: [Block] = []
  /// The plots, in order.
  public private(set) var plots: [Plot] = []

  /// The text of the title; empty for a document without one.
  public var title: String {
    for case .title(let text, _, _) in blocks { return text }
    return ""
  }

  mutating func add(_ block: Block) { blocks.append(block) }

  /// Adds a table, if there is one.
  mutating func add(_ table: TextTable?, _ name: String) {
    if let table, !table.rows.isEmpty { blocks.append(.table(table, .named(name))) }
  }

  /// Adds a sentence, if there is one.
  mutating func add(sentence: String?) {
    if let sentence { blocks.append(.sentence(sentence)) }
  }

  /// Adds lines of a kind, if there are any.
  mutating func add(_ kind: ([String]) -> Block, _ lines: [String]) {
    if !lines.isEmpty { blocks.append(kind(lines)) }
  }

  mutating func add(_ plot: Plot) {
    plots.append(plot)
    blocks.append(.figure(plots.count - 1))
  }

  /// Lets formats for web pages fold the document's tables.
  mutating func foldTables() {
    blocks = blocks.map { block in
      if case .table(let table, .named(let name)) = block { return .table(table, .folded(name)) }
      return block
    }
  }

  /// Appends another document.
  mutating func add(_ other: Document) {
    blocks += other.blocks.map { block in
      if case .figure(let position) = block { return .figure(plots.count + position) }
      return block
    }
    plots += other.plots
  }
}

extension [(name: String, value: String)] {
  /// The facts as a table.
  var table: TextTable {
    var table = TextTable([("what", .left), ("value", .left)])
    for (name, value) in self { table.append([name, value]) }
    return table
  }
}

/// A document about results, in reading order: headings, sentences, lists, tables, and figures.
///
/// All output formats for people are written from it, and differ only in punctuation. Sentences
/// have no full stop, as not every format uses one.
public struct Document: Sendable {
  /// A part of a document.
  enum Block: Sendable {
    /// The title of the whole document, as a heading of the given level.
    case title(String, level: Int = 2, Opening = .itself)
    case heading(String, level: Int = 3, Opening = .itself)
    /// Lines that belong together.
    case lines([String])
    /// Lines that belong together, shown as a list in formats with markup.
    case points([String])
    /// Named facts, one per line.
    case facts([(name: String, value: String)])
    case sentence(String)
    /// Sentences about the block before them.
    case list([String])
    /// Notes on the block before them.
    case notes([String])
    /// Short sentences that are joined into one.
    case remarks([String])
    case warnings([String])
    /// Other pages that a page leads to.
    case links([Link])
    case table(TextTable, Caption)
    /// A plot, by its index among the document's plots.
    case figure(Int)
    /// The element in which a page lets people explore surfaces, a comparison, or launches.
    case explorer, comparisonExplorer, launchExplorer
    /// A name for the document, by which a program finds the comment that it wrote before; shown
    /// to nobody.
    case marker(String)
    /// What to try next on the command line, for people at a terminal.
    case hint(String)
  }

  /// The text that opens a section in formats without markup: in plain text, its first words have
  /// to say what follows.
  enum Opening: Sendable {
    /// The heading itself.
    case itself
    /// These words in place of the heading.
    case words(String)
    /// A sentence, shown below the heading in formats with markup.
    case sentence(String)
    /// Lines, shown below the heading as a list in formats with markup.
    case points([String])
    /// Nothing.
    case nothing
  }

  /// A page that a page leads to.
  struct Link: Sendable {
    let text: String
    /// Relative to the page; `nil` if there is nothing to open.
    let address: String?
    /// What is there, in a few words.
    let detail: String
  }

  /// The caption of a table.
  enum Caption: Sendable {
    /// A name, for pages that show several.
    case named(String)
    /// A separate heading.
    case titled(String)
    /// A name behind which formats for web pages fold the table.
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

  /// Lets formats for web pages fold its tables.
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

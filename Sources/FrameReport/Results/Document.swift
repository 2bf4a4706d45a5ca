/// What is said of results, in the order in which it is read: headings, sentences, lists, tables,
/// and figures.
///
/// Every form for people is written from it, and these differ in punctuation only. Sentences stand
/// without their full stop, which not every form has.
public struct Document: Sendable {
  /// A part of what is said.
  enum Block: Sendable {
    /// What all of it is about, as a heading of that level.
    case title(String, level: Int = 2, Opening = .itself)
    case heading(String, level: Int = 3, Opening = .itself)
    /// Lines that belong together.
    case lines([String])
    /// Lines that belong together, of which forms with marks make a list.
    case points([String])
    /// Facts by their names, a line each.
    case facts([(name: String, value: String)])
    case sentence(String)
    /// Sentences that are said of what stands before them.
    case list([String])
    /// Notes on what stands before them.
    case notes([String])
    /// Short sentences that are read as one.
    case remarks([String])
    case warnings([String])
    case table(TextTable, Caption)
    /// A picture, by its place among the document's plots.
    case figure(Int)
    /// Where a page lets people explore surfaces, and a comparison.
    case explorer, comparisonExplorer
    /// What to try next on the command line, for those who are there.
    case hint(String)
  }

  /// What a heading begins with where nothing marks one: in plain text its first words have to say
  /// what follows.
  enum Opening: Sendable {
    /// The heading itself.
    case itself
    /// These words in place of the heading.
    case words(String)
    /// A sentence, which stands below the heading in forms with marks.
    case sentence(String)
    /// Lines, which stand below the heading as a list in forms with marks.
    case points([String])
    /// Nothing.
    case nothing
  }

  /// What is said of a table.
  enum Caption: Sendable {
    /// A name, for pages that show several.
    case named(String)
    /// A heading of its own.
    case titled(String)

    var text: String {
      switch self {
      case .named(let text), .titled(let text): text
      }
    }
  }

  private(set) var blocks: [Block] = []
  /// The pictures, in the order in which they come.
  public private(set) var plots: [Plot] = []

  /// The title in words; empty for a document without one.
  public var title: String {
    for case .title(let text, _, _) in blocks { return text }
    return ""
  }

  mutating func add(_ block: Block) { blocks.append(block) }

  /// Adds a table where there is one.
  mutating func add(_ table: TextTable?, _ name: String) {
    if let table, !table.rows.isEmpty { blocks.append(.table(table, .named(name))) }
  }

  /// Adds a sentence where there is one.
  mutating func add(sentence: String?) {
    if let sentence { blocks.append(.sentence(sentence)) }
  }

  /// Adds lines of a kind where there are any.
  mutating func add(_ kind: ([String]) -> Block, _ lines: [String]) {
    if !lines.isEmpty { blocks.append(kind(lines)) }
  }

  mutating func add(_ plot: Plot) {
    plots.append(plot)
    blocks.append(.figure(plots.count - 1))
  }

  /// Adds another document to the end.
  mutating func add(_ other: Document) {
    blocks += other.blocks.map { block in
      if case .figure(let place) = block { return .figure(plots.count + place) }
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

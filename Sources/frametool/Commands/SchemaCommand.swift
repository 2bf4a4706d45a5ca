import Fixtures
import FrameKit

/// Prints the JSON Schema of a document, or lists the documents.
struct SchemaCommand: Command {
  static let name = "list schema"
  static let summary = "prints the JSON Schema of a document that frametool prints"
  static let operands = "[DOCUMENT]"
  static let operandCount = 0...1
  static var operandWords: [String] { documents.map(\.name) }
  static let examples = [
    (
      command: "frametool list schema",
      does: "lists the documents, with the versions of their schemas"
    ),
    (
      command: "frametool list schema analyze > analysis.schema.json",
      does: "writes what a validator or a code generator reads"
    ),
  ]
  static let options: [CommandOption<SchemaCommand>] = [
    .choice("--format", to: \.format, help: "how the list is printed (default: text)")
  ]

  var format = ListFormat.text

  /// The documents; those that list frametool's capabilities are last.
  static let documents: [DocumentSchema] =
    DocumentSchema.results + [ScenarioTruth.schema, SummaryStore.document]
    + listCommands.map { .list(String($0.name.dropFirst("list ".count)), keys: $0.table.keys) }

  private static let listCommands: [any ListCommand.Type] = [
    FormatsCommand.self, MetricsCommand.self, ScenariosCommand.self, PlotsCommand.self,
  ]

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    guard let name = operands.first else {
      let list = ListTable(
        keys: ["name", "schema", "summary"], headings: ["document", "schema", "what prints it"],
        rows: Self.documents.map { [$0.name, $0.schema, $0.summary] })
      try console.print(list.text(format, markdown: false, look: console.look))
      return .success
    }
    // A document can also be named by the value of its 'schema' key.
    guard let found = Self.documents.first(where: { [$0.name, $0.schema].contains(name) }) else {
      throw CommandError(
        .usage, "schema: there is no document \(name)",
        help: Spelling.suggestion(for: name, among: Self.operandWords).map {
          "did you mean '\($0)'?"
        } ?? "'frametool list schema' lists them")
    }
    try console.print(found.text)
    return .success
  }
}

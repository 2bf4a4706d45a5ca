import Fixtures

/// Lists the synthetic traces that can be generated.
struct ScenariosCommand: Command {
  static let name = "scenarios"
  static let summary = "lists the synthetic traces that can be generated"
  static let operands = ""
  static let operandCount = 0...0
  static let examples: [(command: String, does: String)] = []
  static let options: [CommandOption<ScenariosCommand>] = [
    .choice("--format", to: \.format, help: "how it is printed (default: text)"),
    .flag("--markdown", \.markdown, help: "as a table in Markdown"),
  ]

  var format = ListFormat.text
  var markdown = false

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let table = ListTable(
      keys: ["name", "summary", "frames"], headings: ["name", "what happens", "frames"],
      rows: Scenarios.all.map { [$0.name, $0.summary, "\($0.frames)"] })
    try console.print(table.text(format, markdown: markdown))
    return .success
  }
}

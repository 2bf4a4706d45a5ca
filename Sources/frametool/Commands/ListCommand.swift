/// A command that lists what there is.
protocol ListCommand: Command {
  var format: ListFormat { get set }
  /// Whether the list is printed as a table in Markdown, whatever `format` says.
  var markdown: Bool { get set }

  /// What is listed.
  static var table: ListTable { get }
}

extension ListCommand {
  static var operands: String { "" }
  static var operandCount: ClosedRange<Int> { 0...0 }
  static var examples: [(command: String, does: String)] { [] }

  static var options: [CommandOption<Self>] { listOptions }

  /// The options that every list has.
  static var listOptions: [CommandOption<Self>] {
    [
      .choice("--format", to: \.format, help: "how it is printed (default: text)"),
      .flag("--markdown", \.markdown, help: "as a table in Markdown"),
    ]
  }

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    try console.print(Self.table.text(format, markdown: markdown))
    return .success
  }
}

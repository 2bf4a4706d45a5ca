/// Shows how the tool and its commands are used.
struct Help: Command {
  static let name = "help"
  static let summary = "shows how a command is used"
  static let operands = "[COMMAND]"
  static let operandCount = 0...2
  static let examples: [(command: String, does: String)] = []

  /// What `frametool help` prints.
  static var overview: String {
    let width = Frametool.commands.map { $0.name.count }.max() ?? 0
    let list = Frametool.commands.map { command in
      let blanks = String(repeating: " ", count: width - command.name.count + 2)
      return "  \(command.name)\(blanks)\(command.summary)"
    }
    return """
      usage: frametool COMMAND …

      \(Frametool.summary): what each frame did, how long it took, what was dropped.

      commands:
      \(list.joined(separator: "\n"))

      'frametool help COMMAND' describes one; 'frametool --version' prints the version.
      An input named '-' is standard input; gzip, zstd and zip are opened as they are.

      exit status: 0 fine, 1 regression, 3 undecided, 64 usage, 65 bad data,
      69 something needed is not installed, 74 input or output failed

      """
  }

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    guard !operands.isEmpty else {
      try console.print(Self.overview)
      return .success
    }
    let (command, rest) = try Frametool.command(at: operands)
    guard rest.isEmpty else {
      throw CommandError(.usage, "help: unexpected argument \(rest.joined(separator: " "))")
    }
    try console.print(text(of: command))
    return .success
  }

  private func text(of command: any Command.Type) -> String { CommandHelp.text(of: command) }
}

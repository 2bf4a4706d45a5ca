/// Shows the usage of the tool and its commands.
struct Help: Command {
  static let name = "help"
  static let summary = "shows how to use a command"
  static let operands = "[COMMAND]"
  static let operandCount = 0...2
  static var operandWords: [String] {
    Frametool.commands.map { $0.name }.filter { !$0.contains(" ") } + ["capture", "history"]
  }
  static let examples = [
    (command: "frametool help history check", does: "how to use one command"),
    (
      command: "frametool help --man > /usr/local/share/man/man1/frametool.1",
      does: "all commands as a manual page, for 'man frametool'"
    ),
  ]
  static let options: [CommandOption<Help>] = [
    .flag("--man", \.isManual, help: "print a manual page of all commands (roff)")
  ]

  var isManual = false

  /// The output of `frametool help`.
  static var overview: String {
    let statuses = ExitStatus.meanings.map { "\($0.status.rawValue) \($0.meaning)" }
    return """
      usage: frametool COMMAND …
             frametool TRACE…      (the same as frametool analyze TRACE…)

      \(Frametool.summary): what each frame did, how long it took, what was dropped.

      commands:
      \(lines(of: Frametool.commands))

      'frametool help COMMAND' describes a command; 'frametool --version' prints the version; --pager
      shows the output one screen at a time.
      An input named '-' is standard input; gzip, zstd and zip files are read directly.

      exit status: \(statuses.prefix(5).joined(separator: ", ")),
      \(statuses.dropFirst(5).joined(separator: ", "))

      """
  }

  /// The commands of a group, followed by how to get more information.
  static func list(of commands: [any Command.Type]) -> String {
    "\(lines(of: commands))\n\n'frametool help \(commands[0].name)' describes one.\n"
  }

  /// A line for each command.
  private static func lines(of commands: [any Command.Type]) -> String {
    let width = commands.map { $0.name.count }.max() ?? 0
    return commands.map { command in
      let blanks = String(repeating: " ", count: width - command.name.count + 2)
      return "  \(command.name)\(blanks)\(command.summary)"
    }.joined(separator: "\n")
  }

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    if isManual {
      guard operands.isEmpty else {
        throw CommandError(
          .usage, "help: expected no command with --man, found \(operands[0])")
      }
      try console.print(ManualPage.text)
      return .success
    }
    guard !operands.isEmpty else {
      try console.print(Self.overview)
      return .success
    }
    if let group = Frametool.group(at: operands), group[0].name != operands[0] {
      try console.print(Self.list(of: group))
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

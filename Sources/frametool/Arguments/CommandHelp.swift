/// The help texts, generated from the declarations of commands.
enum CommandHelp {
  /// The usage line of a command.
  static func usage<Subject: Command>(of command: Subject.Type) -> String {
    let options = command.options.isEmpty ? "" : "[OPTION…]"
    // Everything after the dashes belongs to the program.
    let rest =
      command.operands.hasPrefix("--") ? [options, command.operands] : [command.operands, options]
    let parts = ["frametool", command.name] + rest
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The complete help of a command.
  static func text<Subject: Command>(of command: Subject.Type) -> String {
    var lines = ["usage: \(usage(of: command))", "", capitalized(command.summary) + "."]
    if !command.options.isEmpty { lines += ["", "options:"] + optionLines(command.options) }
    if !command.examples.isEmpty {
      lines += ["", "examples:"]
      for example in command.examples {
        lines += ["  \(example.command)", "      \(example.does)"]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func optionLines<Root>(_ options: [CommandOption<Root>]) -> [String] {
    let names = options.map { option in
      option.names.joined(separator: ", ") + (option.metavar.map { " \($0)" } ?? "")
    }
    // A very long name, such as a list of words, has its help on a separate line.
    let width = names.map(\.count).filter { $0 <= 24 }.max() ?? 0
    return zip(names, options).flatMap { name, option in
      let needs = option.conditions.need.map { "; \($0)" } ?? ""
      let help = String(repeating: " ", count: width + 4) + option.help + needs
      if name.count > 24 { return ["  \(name)", help] }
      return ["  \(name)" + help.dropFirst(2 + name.count)]
    }
  }

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}

/// Prints what a shell needs to complete frametool's command lines.
struct Completions: Command {
  static let name = "completions"
  static let summary = "prints completions for a shell: bash, zsh or fish"
  static let operands = "SHELL"
  static let operandCount = 1...1
  static let examples = [
    (
      command: "frametool completions bash > /etc/bash_completion.d/frametool",
      does: "completes commands and options in new shells"
    )
  ]

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    switch operands[0] {
    case "bash": try console.print(bash)
    case "zsh":
      try console.print("#compdef frametool\nautoload -U +X bashcompinit && bashcompinit\n" + bash)
    case "fish": try console.print(fish)
    default:
      throw CommandError(.usage, "expected bash, zsh or fish, found \(operands[0])")
    }
    return .success
  }

  private var commands: [(name: String, summary: String, options: [String])] {
    Frametool.commands.map { ($0.name, $0.summary, Self.names($0)) }
  }

  private static func names(_ command: any Command.Type) -> [String] { optionNames(command) }

  private static func optionNames<Subject: Command>(_ command: Subject.Type) -> [String] {
    command.options.flatMap(\.names)
  }

  private var bash: String {
    let cases = commands.map { name, _, options in
      "    \(name)) words=\"\(options.joined(separator: " "))\" ;;\n"
    }.joined()
    let names = commands.map(\.name).joined(separator: " ")
    return """
      _frametool() {
        local word="${COMP_WORDS[COMP_CWORD]}" words=""
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(names) --help --version" -- "$word"))
          return
        fi
        case "${COMP_WORDS[1]}" in
      \(cases)  esac
        case "$word" in
          -*) COMPREPLY=($(compgen -W "$words --help" -- "$word")) ;;
          *) COMPREPLY=($(compgen -f -- "$word")) ;;
        esac
      }
      complete -o filenames -F _frametool frametool

      """
  }

  private var fish: String {
    commands.map { name, summary, options in
      let first = "complete -c frametool -n __fish_use_subcommand -a \(name) -d '\(summary)'\n"
      let rest = options.filter { $0.hasPrefix("--") }.map {
        "complete -c frametool -n '__fish_seen_subcommand_from \(name)' -l \($0.dropFirst(2))\n"
      }
      return first + rest.joined()
    }.joined()
  }
}

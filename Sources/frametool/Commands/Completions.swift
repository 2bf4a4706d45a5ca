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

  /// The first words of commands, each once.
  private var firstWords: [String] {
    commands.reduce(into: []) { words, command in
      let first = String(command.name.prefix { $0 != " " })
      if !words.contains(first) { words.append(first) }
    }
  }

  /// The second words of commands that begin with a word.
  private func secondWords(_ first: String) -> [String] {
    commands.filter { $0.name.hasPrefix("\(first) ") }
      .map { String($0.name.dropFirst(first.count + 1)) }
  }

  private var bash: String {
    let options = commands.map { name, _, options in
      "    \"\(name)\") words=\"\(options.joined(separator: " "))\" ;;\n"
    }.joined()
    let seconds = firstWords.map { ($0, secondWords($0)) }.filter { !$0.1.isEmpty }
    let groups = seconds.map { first, words in
      "    \(first)) seconds=\"\(words.joined(separator: " "))\" ;;\n"
    }.joined()
    return """
      _frametool() {
        local word="${COMP_WORDS[COMP_CWORD]}" words="" seconds="" second=""
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(firstWords.joined(separator: " ")) --help --version" -- "$word"))
          return
        fi
        case "${COMP_WORDS[1]}" in
      \(groups)  esac
        for second in $seconds ""; do
          [ "$second" = "${COMP_WORDS[2]}" ] && break
        done
        case "${COMP_WORDS[1]}${second:+ $second}" in
      \(options)  esac
        case "$word" in
          -*) COMPREPLY=($(compgen -W "$words --help" -- "$word")) ;;
          *) COMPREPLY=($(compgen -f -- "$word")) ;;
        esac
        if [ "$COMP_CWORD" -eq 2 ] && [ -n "$seconds" ]; then
          COMPREPLY+=($(compgen -W "$seconds" -- "$word"))
        fi
      }
      complete -o filenames -F _frametool frametool

      """
  }

  private var fish: String {
    let groups = firstWords.filter { first in !commands.contains { $0.name == first } }
    let starts = groups.map { "complete -c frametool -n __fish_use_subcommand -a \($0)\n" }
    return starts.joined() + fishCommands
  }

  private var fishCommands: String {
    commands.map { name, summary, options in
      let words = name.split(separator: " ").map(String.init)
      let isFirst =
        words.count == 1
        ? "__fish_use_subcommand" : "'__fish_seen_subcommand_from \(words[0])'"
      let first =
        "complete -c frametool -n \(isFirst) -a \(words[words.count - 1]) -d '\(summary)'\n"
      let seen = words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
      let rest = options.filter { $0.hasPrefix("--") }.map {
        "complete -c frametool -n '\(seen)' -l \($0.dropFirst(2))\n"
      }
      return first + rest.joined()
    }.joined()
  }
}

import FrameKit

/// Prints shell completions for frametool's command lines.
struct Completions: Command {
  static let name = "completions"
  static let summary = "prints completions for a shell: bash, zsh or fish"
  static let operands = "SHELL"
  static let operandCount = 0...Int.max
  static var operandWords: [String] { ["bash", "zsh", "fish"] }
  static let examples = [
    (
      command: "frametool completions bash > /etc/bash_completion.d/frametool",
      does: "completes commands and options in new shells"
    )
  ]

  static let options: [CommandOption<Completions>] = [
    .flag(
      "--processes", \.listsProcesses,
      help: "print the processes in traces instead, one per line; used by the completions")
  ]

  var listsProcesses = false

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    if listsProcesses {
      try console.print(processes(of: operands, on: console))
      return .success
    }
    guard operands.count == 1 else {
      throw CommandError(.usage, "completions: expected SHELL", help: "one of bash, zsh or fish")
    }
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

  /// The processes of the readable traces; words that are not traces are ignored silently.
  private func processes(of words: [String], on console: Console) -> String {
    let names = words.flatMap { path -> [String] in
      guard let input = try? console.open(path), Importers.recognizes(input),
        let trace = try? Importers.read(input)
      else { return [] }
      return trace.surfaces.compactMap(\.process)
    }
    return Set(names).sorted().map { PrintableText.line($0) + "\n" }.joined()
  }

  /// The properties of a command that completions need.
  private struct Subject {
    let name, summary: String
    /// The options with all of their names and the possible words of their values; `nil` for a
    /// switch.
    let options: [(names: [String], help: String, values: [String]?, conflicts: [String])]
    let operandWords: [String]
  }

  private var commands: [Subject] { Frametool.commands.map { Self.subject($0) } }

  private static func subject<Subject: Command>(_ command: Subject.Type) -> Completions.Subject {
    Completions.Subject(
      name: command.name, summary: command.summary,
      options: command.options.map {
        ($0.names, $0.help, $0.metavar == nil ? nil : $0.choices, $0.conditions.conflicts)
      },
      operandWords: command.operandWords)
  }

  /// The first words of commands, without duplicates.
  private var firstWords: [String] {
    commands.reduce(into: []) { words, command in
      let first = String(command.name.prefix { $0 != " " })
      if !words.contains(first) { words.append(first) }
    }
  }

  /// The second words of the commands that begin with a word.
  private func secondWords(_ first: String) -> [String] {
    commands.filter { $0.name.hasPrefix("\(first) ") }
      .map { String($0.name.dropFirst(first.count + 1)) }
  }

  private var bash: String {
    let options = commands.map { command in
      "    \"\(command.name)\") words=\" \(command.options.flatMap(\.names).joined(separator: " ")) \" operands=\"\(command.operandWords.joined(separator: " "))\" conflicts=\"\(Self.conflicts(command))\" ;;\n"
    }.joined()
    let values = commands.flatMap { command in
      command.options.compactMap { option -> String? in
        guard let values = option.values, !values.isEmpty else { return nil }
        let cases = option.names.map { "\"\(command.name) \($0)\"" }.joined(separator: "|")
        return "    \(cases)) values=\"\(values.joined(separator: " "))\" ;;\n"
      }
    }.joined()
    let seconds = firstWords.map { ($0, secondWords($0)) }.filter { !$0.1.isEmpty }
    let groups = seconds.map { first, words in
      "    \(first)) seconds=\"\(words.joined(separator: " "))\" ;;\n"
    }.joined()
    return """
      _frametool() {
        local word="${COMP_WORDS[COMP_CWORD]}" words="" operands="" values="" seconds="" second=""
        local conflicts="" pair="" other=""
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(firstWords.joined(separator: " ")) --help --version --pager" -- "$word"))
          return
        fi
        case "${COMP_WORDS[1]}" in
      \(groups)  esac
        for second in $seconds ""; do
          [ "$second" = "${COMP_WORDS[2]}" ] && break
        done
        local command="${COMP_WORDS[1]}${second:+ $second}" last="${COMP_WORDS[COMP_CWORD-1]}"
        local place=2
        [ -n "$second" ] && place=3
        case "$command" in
      \(options)  esac
        case "$command $last" in
      \(values)  esac
        if [ "$last" = --process ]; then
          local IFS=$'\\n'
          COMPREPLY=($(compgen -W "$(frametool completions --processes -- "${COMP_WORDS[@]:2}" 2>/dev/null)" -- "$word"))
          return
        fi
        if [ -n "$values" ]; then
          COMPREPLY=($(compgen -P "${word%"${word##*,}"}" -W "$values" -- "${word##*,}"))
          return
        fi
        for pair in $conflicts; do
          other="${pair#*:}"
          case " ${COMP_WORDS[*]} " in
            *" ${other/=/ } "*) words="${words/ ${pair%%:*} / }" ;;
          esac
        done
        case "$word" in
          -*) COMPREPLY=($(compgen -W "$words --help --pager" -- "$word")) ;;
          *)
            if [ "$COMP_CWORD" -eq "$place" ] && [ -n "$operands" ]; then
              COMPREPLY=($(compgen -W "$operands" -- "$word"))
            else
              COMPREPLY=($(compgen -f -- "$word"))
            fi ;;
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
    return starts.joined() + commands.map(fish).joined()
  }

  /// The options of a command, each with an option that makes it ineffective: `--all:--brief --all:--format=csv`.
  private static func conflicts(_ command: Subject) -> String {
    command.options.flatMap { option in
      option.conflicts.map { "\(option.names[0]):\($0.replacing(" ", with: "="))" }
    }.joined(separator: " ")
  }

  /// The fish completions of a command, with its options and their values.
  private func fish(_ command: Subject) -> String {
    let words = command.name.split(separator: " ").map(String.init)
    let isFirst =
      words.count == 1 ? "__fish_use_subcommand" : "'__fish_seen_subcommand_from \(words[0])'"
    let first =
      "complete -c frametool -n \(isFirst) -a \(words[words.count - 1]) -d '\(Self.quoted(command.summary))'\n"
    let seen = words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
    let operands =
      command.operandWords.isEmpty
      ? ""
      : "complete -c frametool -n '\(seen)' -a '\(command.operandWords.joined(separator: " "))'\n"
    let options = command.options.flatMap { option in
      option.names.filter { $0.hasPrefix("--") }.map { name -> String in
        var values = option.values.map {
          $0.isEmpty ? " -r" : " -x -a '\($0.joined(separator: " "))'"
        }
        if name == "--process" {
          values =
            " -x -a '(frametool completions --processes -- (commandline -opc)[3..] 2>/dev/null)'"
        }
        let others = option.conflicts.filter { !$0.contains(" ") }.map { $0.dropFirst(2) }
        let alone =
          others.isEmpty ? "" : "; and not __fish_contains_opt \(others.joined(separator: " "))"
        return
          "complete -c frametool -n '\(seen)\(alone)' -l \(name.dropFirst(2))\(values ?? "") -d '\(Self.quoted(option.help))'\n"
      }
    }
    return first + operands + options.joined()
  }

  /// A string escaped for use inside single quotes of a shell.
  private static func quoted(_ text: String) -> String { text.replacing("'", with: "\\'") }
}

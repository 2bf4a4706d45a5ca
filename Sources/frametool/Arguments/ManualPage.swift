/// The manual page in the macros of man(7), generated from the declarations of commands.
enum ManualPage {
  static var text: String {
    var lines = [
      ".TH FRAMETOOL 1 \"\" \"frametool \(Frametool.version)\" \"User Commands\"",
      ".SH NAME", "frametool \\- \(escaped(Frametool.summary))",
      ".SH SYNOPSIS", ".B frametool", ".I COMMAND", "[\\fIOPERAND\\fR|\\fIOPTION\\fR]...",
      ".SH DESCRIPTION",
      "Shows what each frame of a trace did, how long it took, and what was dropped, for traces of iOS, Android,",
      "games, browsers and Linux. An input named \\(lq\\-\\(rq is standard input; gzip, zstd and zip files are read",
      "directly.",
      ".SH COMMANDS",
    ]
    for command in Frametool.commands { lines += self.lines(of: command) }
    lines += [".SH EXIT STATUS"]
    for (status, meaning) in ExitStatus.meanings {
      lines += [".TP", ".B \(status.rawValue)", escaped(meaning)]
    }
    lines += [".SH ENVIRONMENT"]
    for (name, meaning) in variables { lines += [".TP", ".B \(name)", escaped(meaning)] }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let variables = [
    ("NO_COLOR", "if set and not empty, disables colors on a terminal"),
    (
      "FRAMETOOL_PAGER, PAGER",
      "the pager that --pager runs (default: less, with LESS=FRX unless LESS is set)"
    ),
    ("TMPDIR", "the directory for temporary files"),
    (
      "WAYLAND_DISPLAY, XDG_RUNTIME_DIR",
      "the compositor that captured programs connect to, and the directory of its sockets"
    ),
    (
      "FRAMETOOL_VULKAN_LAYER",
      "the layer library that capture vulkan uses instead of the installed one"
    ),
  ]

  private static func lines<Subject: Command>(of command: Subject.Type) -> [String] {
    let usage = CommandHelp.usage(of: command)
    let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst()
    var lines = [".SS \"\(escaped(usage))\"", escaped(summary) + "."]
    for option in command.options {
      let names = option.names.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
      let value = option.metavar.map { " \\fI\(escaped($0))\\fR" } ?? ""
      lines += [".TP", names + value, escaped(option.help)]
      if let conditions = option.conditions.words { lines += ["(\(escaped(conditions)))"] }
    }
    for example in command.examples {
      lines += [".PP", ".EX", escaped(example.command), ".EE", ".RS", escaped(example.does), ".RE"]
    }
    return lines
  }

  /// Escapes a string so that it contains no roff requests or escapes.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "\"": escaped += "\\(dq"
      case "…": escaped += "..."
      default: escaped.append(character)
      }
    }
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}

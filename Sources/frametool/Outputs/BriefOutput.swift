import FrameKit

/// The option for an answer of at most two kilobytes, and how it is printed.
enum BriefOutput {
  static func option<Root: Command>(
    _ path: any WritableKeyPath<Root, Bool> & Sendable
  ) -> CommandOption<Root> {
    .flag(
      "--brief", path,
      help: "at most 2 kB: the finding, the main figures, the worst events, what shows more")
  }

  /// Prints a brief answer.
  /// - Parameters:
  ///   - format: The chosen form, by its name.
  ///   - make: Makes the answer; receives the command that shows everything.
  static func print(
    as format: String, on console: Console, _ make: (String) -> Brief
  ) throws(CommandError) {
    guard ["text", "json"].contains(format) else {
      throw CommandError(
        .usage, "--brief: expected text or json, found --format \(format)",
        help: "leave out --brief for that form")
    }
    try console.print(make(command(console.arguments)).text(asJSON: format == "json"))
  }

  /// The most characters of a command that is printed.
  private static let longest = 300

  /// The command without what makes its answer brief.
  private static func command(_ arguments: [String]) -> String {
    var words: [String] = []
    var isFormat = false
    for word in arguments {
      if word == "--format" {
        isFormat = true
      } else if isFormat {
        isFormat = false
      } else if word != "--brief", !word.hasPrefix("--format=") {
        words.append(word.shellWord)
      }
    }
    let command = "frametool \(words.joined(separator: " "))"
    return command.count <= longest ? command : command.prefix(longest) + "…"
  }
}

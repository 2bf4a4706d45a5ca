import FrameKit

/// The option for an answer of at most two kilobytes, and the printing of answers with and without it.
enum BriefOutput {
  /// - Parameter format: The formats of the command.
  static func option<Root: Command, Format: RawRepresentable<String> & CaseIterable>(
    _ path: any WritableKeyPath<Root, Bool> & Sendable, in format: Format.Type = OutputFormat.self
  ) -> CommandOption<Root> {
    .flag(
      "--brief", path,
      help: "at most 2 kB: the finding, main figures, worst events, and commands that show more"
    ).conflicting(
      with: Format.allCases.map(\.rawValue).filter { $0 != "text" && $0 != "json" }
        .map { "--format \($0)" })
  }

  /// Prints an answer, in the brief form if requested.
  /// - Parameters:
  ///   - format: The name of the selected format.
  ///   - whole: Makes the complete answer in that format.
  static func print(
    _ isBrief: Bool, as format: String, on console: Console,
    _ brief: (BriefCommand) -> Brief, else whole: () -> String
  ) throws(CommandError) {
    guard isBrief else { return try console.print(whole()) }
    try console.print(
      brief(BriefCommand(console.arguments)).text(asJSON: format == "json"))
  }
}

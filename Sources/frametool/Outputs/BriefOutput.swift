import FrameKit

/// The option for an answer of at most two kilobytes, and how an answer is printed with and without
/// it.
enum BriefOutput {
  static func option<Root: Command>(
    _ path: any WritableKeyPath<Root, Bool> & Sendable
  ) -> CommandOption<Root> {
    .flag(
      "--brief", path,
      help: "at most 2 kB: the finding, main figures, worst events, and commands that show more")
  }

  /// - Parameter options: Those that a brief answer has no room for, each with whether it was given.
  /// - Throws: If one was given beside `--brief`.
  static func refuse(
    _ options: [(name: String, isGiven: Bool)], beside isBrief: Bool
  ) throws(CommandError) {
    guard isBrief, let other = options.first(where: \.isGiven) else { return }
    throw CommandError(
      .usage, "\(other.name) has no effect with --brief", help: "give one of the two")
  }

  /// Prints an answer, briefly if that was asked for.
  /// - Parameters:
  ///   - format: The chosen form, by its name.
  ///   - whole: Makes the whole answer in that form.
  static func print(
    _ isBrief: Bool, as format: String, on console: Console,
    _ brief: (BriefCommand) -> Brief, else whole: () -> String
  ) throws(CommandError) {
    guard isBrief else { return try console.print(whole()) }
    guard ["text", "json"].contains(format) else {
      throw CommandError(
        .usage, "--brief: expected text or json, found --format \(format)",
        help: "omit --brief for that format")
    }
    try console.print(
      brief(BriefCommand(console.arguments)).text(asJSON: format == "json"))
  }
}

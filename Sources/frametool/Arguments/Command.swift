/// A command of the tool: its name, its arguments and its action.
protocol Command: Sendable {
  /// The word that runs the command.
  static var name: String { get }
  /// A short summary for help.
  static var summary: String { get }
  /// The operands as help shows them, such as `TRACE…`; empty if the command takes none.
  static var operands: String { get }
  /// The allowed number of operands.
  static var operandCount: ClosedRange<Int> { get }
  /// The possible words of the first operand, for completion; empty for files.
  static var operandWords: [String] { get }
  /// Examples of use, each with a description.
  static var examples: [(command: String, does: String)] { get }
  static var options: [CommandOption<Self>] { get }

  init()
  /// Runs the command.
  /// - Returns: The exit status if no error occurred.
  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus
}

extension Command {
  static var options: [CommandOption<Self>] { [] }
  static var operandWords: [String] { [] }

  /// Reads the arguments and runs the command, or prints its help.
  static func start(
    _ arguments: [String], on console: Console
  ) throws(CommandError) -> ExitStatus {
    let beforeDashes = arguments.prefix { $0 != "--" }
    if beforeDashes.contains("--help") || beforeDashes.contains("-h") {
      try console.print(CommandHelp.text(of: Self.self))
      return .success
    }
    var command = Self()
    let (operands, given) = try ArgumentParser.parse(
      arguments, into: &command, options: options, command: name)
    console.given = given
    try checkCount(operands)
    return try command.run(operands, on: console)
  }

  private static func checkCount(_ found: [String]) throws(CommandError) {
    if operandCount.contains(found.count) { return }
    let problem =
      if found.count > operandCount.upperBound {
        "unexpected argument \(found[operandCount.upperBound])"
      } else {
        "expected \(operands)"
      }
    throw CommandError(.usage, "\(name): \(problem)", help: "usage: \(CommandHelp.usage(of: self))")
  }
}

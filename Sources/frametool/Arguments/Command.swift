/// A command of the tool: what it is called, what it takes and what it does.
protocol Command: Sendable {
  /// The word that runs it.
  static var name: String { get }
  /// What it does, in a few words.
  static var summary: String { get }
  /// The operands in help, as `TRACE…`; empty when it takes none.
  static var operands: String { get }
  /// How many operands it takes.
  static var operandCount: ClosedRange<Int> { get }
  /// The words that its first operand can be, for completion; empty for files.
  static var operandWords: [String] { get }
  /// Examples of use, each with what it does.
  static var examples: [(command: String, does: String)] { get }
  static var options: [CommandOption<Self>] { get }

  init()
  /// Does it.
  /// - Returns: The status to exit with when nothing went wrong.
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
    let operands = try ArgumentParser.parse(
      arguments, into: &command, options: options, command: name)
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

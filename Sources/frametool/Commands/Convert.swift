import FrameKit

/// Writes a trace in frametool's own format.
struct Convert: Command {
  static let name = "convert"
  static let summary = "writes a trace in frametool's own format, without loss"
  static let operands = "IN OUT"
  static let operandCount = 2...2
  static let examples = [
    (command: "frametool convert game.csv game.jsonl", does: "JSON Lines, a record a line"),
    (command: "frametool convert game.csv - | head", does: "to standard output"),
  ]
  static let options: [CommandOption<Convert>] = [
    .text(
      "--input-format", to: \.inputFormat, metavar: "NAME",
      help: "read as this format instead of the one the content shows"),
    .flag("--quiet", \.quiet, help: "no progress on a terminal"),
  ]

  var inputFormat: String?
  var quiet = false

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let inputs = TraceInputs(console: console, format: inputFormat, quiet: quiet)
    let (traces, status) = inputs.readAll([operands[0]]) { $0 }
    guard let trace = traces.first else { return status }
    try NativeOutput.write(trace, to: operands[1], on: console)
    return status
  }
}

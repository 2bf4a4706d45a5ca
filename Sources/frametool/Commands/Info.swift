import FrameKit

/// Shows the format and the contents of a trace.
struct Info: Command {
  static let name = "info"
  static let summary = "shows what a trace is, how it was read and what it can answer"
  static let operands = "TRACE…"
  static let operandCount = 1...Int.max
  static let examples = [
    (command: "frametool info game.csv", does: "the first thing to check when a figure looks odd")
  ]
  static let options: [CommandOption<Info>] =
    [
      .choice("--format", to: \.format, help: "how it is printed (default: text)")
    ] + TraceChoice.options(\.choice, [.reading, .threads])

  var format = OutputFormat.text
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let (traces, _, status) = choice.inputs(on: console).readAll(operands) { $0 }
    if !traces.isEmpty { try console.print(Writers.write(traces, as: format, look: console.look)) }
    return status
  }
}

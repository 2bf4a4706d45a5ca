import FrameKit

/// Tells what a trace is and what it can answer.
struct Info: Command {
  static let name = "info"
  static let summary = "tells what a trace is, how it was read and what it can answer"
  static let operands = "TRACE…"
  static let operandCount = 1...Int.max
  static let examples = [
    (command: "frametool info game.csv", does: "the first thing to look at when a figure surprises")
  ]
  static let options: [CommandOption<Info>] = [
    .choice("--format", to: \.format, help: "how it is printed (default: text)"),
    .text(
      "--input-format", to: \.inputFormat, metavar: "NAME",
      help: "read as this format instead of the one the content shows"),
    .flag(
      "--one-recording", \.areOneRecording,
      help: "the files are parts of one recording; a folder stands for the files in it"),
    .flag("--quiet", \.quiet, help: "no progress on a terminal"),
  ]

  var format = OutputFormat.text
  var inputFormat: String?
  var quiet = false
  var areOneRecording = false

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let inputs = TraceInputs(
      console: console, format: inputFormat, quiet: quiet,
      areOneRecording: areOneRecording)
    let (traces, status) = inputs.readAll(operands) { $0 }
    if !traces.isEmpty { try console.print(TraceInfo.write(traces, as: format)) }
    return status
  }
}

import Fixtures
import FrameKit

/// Writes a trace in frametool's own format, or in a format for other tools.
struct Convert: Command {
  static let name = "convert"
  static let summary = "writes a trace in frametool's own format, without loss, or for another tool"
  static let operands = "IN… OUT"
  static let operandCount = 2...Int.max
  static let examples = [
    (command: "frametool convert game.csv game.jsonl", does: "JSON Lines, one record per line"),
    (
      command: "frametool convert game.csv game.json",
      does: "the rebuilt pipeline for ui.perfetto.dev"
    ),
    (command: "frametool convert game.csv frames.csv", does: "one row per frame"),
    (
      command: "frametool convert game.csv - --as mangohud > log.csv",
      does: "to standard output, for tools that read MangoHud's logs"
    ),
  ]
  static let options: [CommandOption<Convert>] =
    [
      .words(
        "--as", to: \.formats, among: ConvertFormat.all.map(\.name), metavar: "NAME",
        help:
          "one of \(ConvertFormat.all.map(\.name).joined(separator: ", ")) (default: from OUT's extension, else native)"
      )
    ] + TraceChoice.options(\.choice, [.processes, .surfaces, .reading])

  var formats: [String] = []
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let (files, output) = (Array(operands.dropLast()), operands[operands.count - 1])
    guard files.count == 1 || choice.areOneRecording else {
      throw CommandError(
        .usage, "convert: unexpected argument \(operands[2])",
        help: "--one-recording joins the files of one recording")
    }
    try Output.keep(files, from: output)
    let format = try ConvertFormat.chosen(formats.last, for: output)
    if case .native = format.writer, !choice.surfaces.isEmpty {
      throw CommandError(
        .usage, "the native format keeps the whole trace, so it takes no --process or --surface",
        help: "--as names another format")
    }
    let (traces, _, status) = choice.inputs(on: console).readAll(files) { $0 }
    guard let trace = traces.first else { return status }
    try choice.surfaces.check(trace)
    try format.write(trace, choice, to: output, on: console)
    return status
  }
}

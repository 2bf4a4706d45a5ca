import Fixtures
import FrameKit

/// Writes a trace in frametool's native format, or in a format for other tools.
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
      command: "frametool convert runs/*.csv frames.csv",
      does: "the frames of all runs in one table, with the file of each"
    ),
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
      ),
      .choice("--formulas", to: \.formulas, help: Formulas.help).ineffective(on: .wholeTraces),
    ]
    + TraceChoice.options(\.choice, [.processes, .surfaces]).map {
      $0.ineffective(on: .wholeTraces)
    } + TraceChoice.options(\.choice, [.reading, .threads])

  var formats: [String] = []
  var formulas: Formulas?
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let (given, output) = (Array(operands.dropLast()), operands[operands.count - 1])
    try Output.keep(given, from: output)
    let format = try ConvertFormat.chosen(formats.last, for: output)
    let files =
      choice.areOneRecording ? given : try TraceFolder.expand(given, .traces, on: console)
    guard files.count == 1 || choice.areOneRecording else {
      return try writeTable(of: files, format, to: output, on: console)
    }
    if format.keepsEverything {
      try console.given.refuse(
        on: .wholeTraces, "the \(format.name) format, which keeps the whole trace as it is"
      ) { _ in "--as names another format" }
    }
    let (traces, _, status) = choice.inputs(on: console).readAll(files) { $0 }
    guard let trace = traces.first else { return status }
    try choice.surfaces.check(trace)
    try format.write(trace, choice, formulas, to: output, on: console)
    return status
  }

  /// Writes the frames of several traces to one table, trace by trace.
  private func writeTable(
    of files: [String], _ format: ConvertFormat, to output: String, on console: Console
  ) throws(CommandError) -> ExitStatus {
    guard format.name == Exports.table else {
      throw CommandError(
        .usage, "convert: \(format.name) holds one trace, found \(files.count)",
        help:
          "--as \(Exports.table) makes one table of several, --one-recording joins the files of one recording"
      )
    }
    var status = ExitStatus.success
    try Output.writeUnlessGivenUp(to: output, on: console) { sink in
      let sink = Formulas.sink(formulas, for: output, sink)
      var isEmpty = true
      for file in files {
        do throws(CommandError) {
          let study = try self.study(of: file, on: console)
          if isEmpty { sink(Exports.tableHeader) }
          isEmpty = false
          if let why = Exports.writeTable(study, to: sink) {
            throw CommandError(.badData, "\(file): \(why)")
          }
        } catch {
          console.report(error)
          if status == .success { status = error.status }
        }
      }
      return !isEmpty
    }
    return status
  }

  private func study(of file: String, on console: Console) throws(CommandError) -> Study {
    guard let result = choice.inputs(on: console).map([file], { $0 }).first else {
      throw CommandError(.badData, "\(file): nothing was read")
    }
    let trace = try result.get()
    try choice.surfaces.check(trace)
    return try choice.study(of: trace)
  }
}

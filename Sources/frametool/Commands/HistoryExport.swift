import FrameKit

/// Exports a history's values for other tools.
struct HistoryExport: Command {
  static let name = "history export"
  static let summary = "writes every value of a history as CSV or JSON Lines"
  static let operands = ""
  static let operandCount = 0...0
  static let examples = [
    (
      command: "frametool history export --scene scroll -o scroll.csv",
      does: "one row per run and figure, with its job's commit, date and device"
    )
  ]
  static let options: [CommandOption<HistoryExport>] =
    [
      .text(
        "--output", "-o", to: \.output, metavar: "FILE",
        help: "write here (default: standard output)"),
      .choice("--format", to: \.format, help: "how values are written (default: csv)"),
      .choice("--formulas", to: \.formulas, help: Formulas.help),
    ] + HistoryChoice.options(\.choice)

  /// The output format.
  enum Format: String, CaseIterable, Sendable { case csv, jsonl }

  var output: String?
  var format = Format.csv
  var formulas: Formulas?
  var choice = HistoryChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let filter = try choice.filter()
    let path = output ?? "-"
    try Output.keep([choice.path], from: path)
    var failure: CommandError?
    try Output.writeUnlessGivenUp(to: path, on: console) { sink in
      do throws(CommandError) {
        try choice.ask { store throws(ParseError) in
          switch format {
          case .csv:
            let sink = Formulas.sink(formulas, for: path, sink)
            try HistoryValues(.csv).write(store, filter, to: sink)
          case .jsonl: try HistoryValues(.jsonLines).write(store, filter, to: sink)
          }
        }
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    return .success
  }
}

import FrameKit

/// Lists the jobs of a history.
struct HistoryList: Command {
  static let name = "history list"
  static let summary = "lists the jobs of a history, or its series"
  static let operands = ""
  static let operandCount = 0...0
  static let examples = [
    (command: "frametool history list --last 5", does: "the five newest jobs"),
    (command: "frametool history list --series", does: "each figure of each scene and device"),
  ]
  static let options: [CommandOption<HistoryList>] =
    [
      .flag("--series", \.listsSeries, help: "list the series instead of the jobs"),
      .number(
        "--last", to: \.last, metavar: "N", in: 1...100_000_000,
        help: "only the N newest jobs (default: 20)"),
      .choice("--format", to: \.format, help: "how the result is printed (default: text)"),
    ] + HistoryChoice.options(\.choice)

  var listsSeries = false
  var last: Int?
  var format = OutputFormat.text
  var choice = HistoryChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let filter = try choice.filter()
    if !listsSeries, !filter.metrics.isEmpty {
      throw CommandError(
        .usage, "history list: --metric selects series, not jobs", help: "add --series")
    }
    if listsSeries, filter.version != nil || !filter.tags.isEmpty {
      throw CommandError(
        .usage, "history list: --app-version and --tag select jobs, not series",
        help: "leave out --series")
    }
    let report = try choice.ask { store throws(ParseError) in
      if listsSeries { return HistoryReport(series: try store.series(filter), of: store.path) }
      return HistoryReport(
        jobs: try store.jobs(filter, last: last ?? 20), total: try store.count(filter),
        of: store.path)
    }
    try console.print(Writers.write(report, as: format, look: console.look))
    return .success
  }
}

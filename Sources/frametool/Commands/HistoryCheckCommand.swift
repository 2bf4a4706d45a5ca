import FrameKit

/// Checks the newest jobs of a history.
struct HistoryCheckCommand: Command {
  static let name = "history check"
  static let summary = "shows where levels changed, and whether the newest job is off its level"
  static let operands = ""
  static let operandCount = 0...0
  static let examples = [
    (
      command: "frametool history check --scene scroll --fail-on regression",
      does: "exits with 1 when the newest jobs got worse, and names the commits around the change"
    ),
    (
      command: "frametool history check --metric 'p50(warmLaunchTime)' --all",
      does: "every change in launch time in the history"
    ),
  ]
  static let options: [CommandOption<HistoryCheckCommand>] =
    [
      .words(
        "--fail-on", to: \.failOn, among: Compare.failures, metavar: "WHAT",
        help: "regression (exit with 1), or inconclusive (also exit with 3 if undecided)"),
      .number(
        "--recent", to: \.recent, metavar: "N", in: 1...1_000_000,
        help: "count only changes among the N newest jobs (default: 10)"),
      .number(
        "--last", to: \.last, metavar: "N", in: 12...100_000,
        help: "only the N newest jobs of each series (default: 2000)"),
      .flag("--all", \.listsAll, help: "also list changes before the --recent jobs"),
      .choice("--format", to: \.format, help: "how the result is printed (default: text)"),
      BriefOutput.option(\.isBrief, in: VerdictFormat.self),
    ] + HistoryChoice.options(\.choice)

  var failOn: [String] = []
  var recent: Int?
  var last: Int?
  var listsAll = false
  var format = VerdictFormat.text
  var isBrief = false
  var choice = HistoryChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    var filter = try choice.filter()
    // Judging all metrics would make false alarms likely.
    if filter.metrics.isEmpty { filter.metrics = HistoryMetric.gating.sorted() }
    let recent = recent ?? 10
    let checks = HistoryCheck.all(
      try choice.ask { store throws(ParseError) in try store.values(filter, last: last ?? 2000) })
    guard !checks.isEmpty else {
      throw choice.nothing(
        "job with \(choice.metrics.isEmpty ? "figures that are checked" : "such a figure")")
    }
    let report = HistoryReport(
      checks: checks, recent: recent, listsAll: listsAll, of: choice.path)
    let overall = HistoryReport.overall(checks, recent: recent)
    try BriefOutput.print(isBrief, as: format.rawValue, on: console) {
      Brief(report, state: overall.word, $0)
    } else: {
      Writers.write(report, as: format, look: console.look)
    }
    if format == .github {
      StepSummary.append(Writers.write(report, as: VerdictFormat.markdown), on: console)
    }
    return Compare.status(overall, failOn: failOn)
  }
}

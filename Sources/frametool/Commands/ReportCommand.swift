import FrameKit

/// Writes a report with text, plots and tables.
struct ReportCommand: Command {
  static let name = "report"
  static let summary = "writes a report of traces, as a page to explore and to print"
  static let operands = "[TRACE…]"
  static let operandCount = 0...Int.max
  static let examples = [
    (
      command: "frametool report game.csv -o game.html",
      does: "one self-contained page; .md for a pull request"
    ),
    (
      command: "frametool report --before a*.csv --after b*.csv -o change.html",
      does: "what changed, and how sure that is"
    ),
  ]
  static let options: [CommandOption<ReportCommand>] =
    [
      .text(
        "--output", "-o", to: \.output, metavar: "FILE",
        help: "write here: .html or .md; - is standard output, as Markdown"),
      .flag("--static", \.isStatic, help: "HTML: pictures and tables only, without a script"),
      .flag("--no-plots", \.leavesPlotsOut, help: "Markdown: text and tables only"),
      .number(
        "--worst", to: \.worstCount, metavar: "N", in: 1...1000,
        help: "list the N worst frames with their times"),
    ] + ComparisonChoice.options(\.compared)
    + [ComparisonChoice.metricOption.within(\.compared)] + TraceChoice.options(\.choice)

  var output: String?
  var leavesPlotsOut = false
  var isStatic = false
  var worstCount: Int?
  var compared = ComparisonChoice()
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let target = try ReportTarget(output, leavesPlotsOut: leavesPlotsOut, isStatic: isStatic)
    guard !operands.isEmpty || !compared.isEmpty else {
      throw CommandError(
        .usage, "report: expected TRACE…, or --before FILE… and --after FILE…",
        help: "usage: \(CommandHelp.usage(of: Self.self))")
    }
    try Output.keep(operands + compared.before + compared.after, from: target.path)
    let comparison = compared.isEmpty ? nil : try compare(console)
    try ReportedPage(choice: choice, worstCount: worstCount).write(
      operands, comparison, to: target, on: console)
    return .success
  }

  private func compare(_ console: Console) throws(CommandError) -> Comparison {
    let sides = try compared.sides([], usage: "usage: \(CommandHelp.usage(of: Self.self))")
    return try ComparisonChoice.compare(sides, choice.runs(on: console), compared.options())
  }
}

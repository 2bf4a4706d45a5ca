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
      command: "frametool report --against old.csv new.csv -o change.html",
      does: "two runs over each other, with what changed"
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
      .text(
        "--against", to: \.against, metavar: "TRACE",
        help: "show the trace over this one, and what changed since"),
      .flag("--static", \.isStatic, help: "HTML: pictures and tables only, without a script"),
      .flag("--no-plots", \.leavesPlotsOut, help: "Markdown: text and tables only"),
      .number(
        "--worst", to: \.worstCount, metavar: "N", in: 1...1000,
        help: "list the N worst frames with their times"),
    ] + ComparisonChoice.options(\.compared)
    + [ComparisonChoice.metricOption.within(\.compared)] + TraceChoice.options(\.choice)

  var output: String?
  var against: String?
  var leavesPlotsOut = false
  var isStatic = false
  var worstCount: Int?
  var compared = ComparisonChoice()
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let target = try ReportTarget(output, leavesPlotsOut: leavesPlotsOut, isStatic: isStatic)
    if let against {
      guard operands.count == 1, compared.isEmpty else {
        throw CommandError(
          .usage, "--against: expected one TRACE in addition, and no --before or --after",
          help: "usage: \(CommandHelp.usage(of: Self.self))")
      }
      try Output.keep(operands + [against], from: target.path)
      let page = ReportedPage(choice: choice, worstCount: worstCount)
      let files = [against, operands[0]]
      try page.write(files, try page.comparison(of: files, on: console), to: target, on: console)
      return .success
    }
    guard !operands.isEmpty || !compared.isEmpty else {
      throw CommandError(
        .usage, "report: expected TRACE…, or --before FILE… and --after FILE…",
        help: "usage: \(CommandHelp.usage(of: Self.self))")
    }
    try Output.keep(operands + compared.before + compared.after, from: target.path)
    let page = ReportedPage(choice: choice, worstCount: worstCount)
    if let pairs = try compared.pairs(operands, compared.options(), on: console) {
      try page.write([], pairs, to: target, on: console)
      return .success
    }
    let comparison = compared.isEmpty ? nil : try compare(console)
    try page.write(
      shown(operands, in: target, on: console), comparison, to: target, on: console)
    return .success
  }

  /// The traces to show: the named traces, or else the only run of each side if it is a trace.
  private func shown(_ operands: [String], in target: ReportTarget, on console: Console) -> [String]
  {
    let sides = [compared.before, compared.after]
    guard operands.isEmpty, target.isExplored, sides.allSatisfy({ $0.count == 1 }) else {
      return operands
    }
    let files = sides.flatMap(\.self)
    return files.allSatisfy { RunInputs.isTrace($0, on: console) } ? files : []
  }

  private func compare(_ console: Console) throws(CommandError) -> Comparison {
    let sides = try compared.sides([], usage: "usage: \(CommandHelp.usage(of: Self.self))")
    return try ComparisonChoice.compare(sides, choice.runs(on: console), compared.options())
  }
}

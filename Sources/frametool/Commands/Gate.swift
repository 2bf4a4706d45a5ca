import FrameKit

/// Checks traces against absolute limits.
struct Gate: Command {
  static let name = "gate"
  static let summary = "fails if a trace violates a limit"
  static let operands = "TRACE…"
  static let operandCount = 1...Int.max
  static let examples = [
    (
      command: "frametool gate scroll.csv --limit 'p95(frameTime)<=20ms' --limit 'dropped<=1%'",
      does: "exits with 1 when a limit fails, with 3 when one cannot be decided"
    ),
    (
      command: "frametool gate scroll.csv --limit 'p95(frameTime)<=20ms' --self-test 20",
      does: "proves that the gate would notice a trace that is 20 % slower"
    ),
    (
      command: "frametool gate run1.csv run2.csv run3.csv --limit 'p95(frameTime)<=20ms'",
      does: "judges the median of three runs, and says how often an unchanged run fails the limit"
    ),
    (
      command: "frametool gate --suggest run*.csv",
      does: "finds limits that one unchanged run in 100 fails"
    ),
  ]
  static let options: [CommandOption<Gate>] =
    [
      .list(
        "--limit", to: \.limits, metavar: "LIMIT",
        help:
          "such as 'p95(frameTime)<=20ms', 'missedRefreshShare<=1%' or 'p50(warmLaunchTime)<=400ms'; may be repeated"
      ).conflicting(with: "--suggest"),
      .real(
        "--self-test", to: \.selfTest, metavar: "PERCENT", in: 0.1...10_000,
        help: "prove that the gate fails on the same traces made slower by this much"
      ).conflicting(with: "--suggest"),
      .flag(
        "--each", \.judgesEach,
        help: "check each trace against the limits, not the median of the runs"
      ).conflicting(with: "--suggest", "--self-test"),
      .flag(
        "--suggest", \.suggests,
        help: "print limits that one unchanged run in 100 fails, from three runs or more"
      ).conflicting(with: "--format junit", "--format github"),
      .flag(
        "--allow-missing", \.allowsMissing, help: "let a limit pass if the trace lacks its metric"
      ).conflicting(with: "--suggest", "--self-test"),
      .choice("--format", to: \.format, help: "how the result is printed (default: text)"),
      BriefOutput.option(\.isBrief, in: GateFormat.self)
        .conflicting(with: "--suggest", "--self-test"),
    ] + TraceChoice.options(\.choice, TraceChoice.figures)

  var limits: [String] = []
  var selfTest: Double?
  var judgesEach = false
  var suggests = false
  var allowsMissing = false
  var format = GateFormat.text
  var isBrief = false
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let limits = suggests ? GateSuggestion.candidates : try parsedLimits()
    var traces: [GatedTrace] = []
    for result in choice.inputs(on: console).mapRuns(
      operands,
      { (input, read) throws(CommandError) in
        GatedTrace(try choice.study(of: try read(input)), limits, slower: selfTest.map { $0 / 100 })
      })
    {
      traces.append(try result.get())
    }
    if suggests { return try suggest(traces, console) }
    let together = GatedRuns(traces)
    let isTogether = together.haveSeveralRuns && selfTest == nil && !judgesEach
    let runs = isTogether ? together : nil
    let report = GateReport(traces, together: runs)
    try BriefOutput.print(isBrief, as: format.rawValue, on: console) {
      Brief(report, $0)
    } else: {
      Writers.write(report, as: format, look: console.look)
    }
    if format == .github {
      StepSummary.append(Writers.write(report, as: .markdown), on: console)
    }
    return runs.map(status) ?? status(traces)
  }

  private func suggest(
    _ traces: [GatedTrace], _ console: Console
  ) throws(CommandError) -> ExitStatus {
    let suggestion: GateSuggestion
    do throws(ComparisonRefusal) {
      suggestion = try GateSuggestion(traces)
    } catch {
      throw CommandError(.usage, error.message, help: error.help)
    }
    try console.print(
      Writers.write(GateSuggestionReport(suggestion), as: format, look: console.look) ?? "")
    return suggestion.items.contains { !$0.limits.isEmpty } ? .success : .undecided
  }

  private func status(_ runs: GatedRuns) -> ExitStatus {
    let outcomes = runs.items.map(\.outcome)
    if outcomes.contains(.failed) { return .regression }
    if outcomes.contains(.withinNoise) { return .undecided }
    return !allowsMissing && outcomes.contains(.undecided) ? .undecided : .success
  }

  private func parsedLimits() throws(CommandError) -> [GateLimit] {
    guard !limits.isEmpty else {
      throw CommandError(
        .usage, "gate: expected at least one --limit", help: "'frametool help gate' shows examples")
    }
    var parsed: [GateLimit] = []
    for text in limits {
      do throws(ComparisonRefusal) {
        parsed.append(try GateLimit(text))
      } catch {
        throw CommandError(.usage, error.message, help: error.help)
      }
    }
    return parsed
  }

  private func status(_ traces: [GatedTrace]) -> ExitStatus {
    if traces.contains(where: { !$0.isProved }) { return .regression }
    if selfTest != nil { return .success }
    let results = traces.flatMap(\.results).map(\.result)
    if results.contains(where: { $0.isKept == false }) { return .regression }
    return !allowsMissing && results.contains { $0.isKept == nil } ? .undecided : .success
  }
}

import FrameKit

/// Compares runs before a change with runs after it.
struct Compare: Command {
  static let name = "compare"
  static let summary = "compares runs before a change with runs after it, and says how sure it is"
  static let operands = "[BEFORE AFTER|RUNS]"
  static let operandCount = 0...2
  static let examples = [
    (
      command: "frametool compare --before a1.csv a2.csv a3.csv --after b1.csv b2.csv b3.csv",
      does: "three runs against three: a verdict for each metric, and overall"
    ),
    (
      command: "frametool compare --before main.json --after pr.json --fail-on regression",
      does: "summaries from 'analyze --summary'; exits with 1 on a regression"
    ),
    (
      command: "frametool compare --side 1.0=runs-1.0/ --side 1.1=runs-1.1/ --side 1.2=runs-1.2/",
      does: "several versions, a folder of runs each, compared with the first"
    ),
    (
      command: "frametool compare before/ after/ --metric gpuTime",
      does: "folders of runs, by the GPU's time per frame"
    ),
    (command: "frametool compare bench-1.jsonl", does: "the runs that 'frametool bench' made"),
    (command: "frametool compare --plan 5", does: "the order in which to make five runs per side"),
  ]
  static let options: [CommandOption<Compare>] =
    ComparisonChoice.options(\.choice) + [
      ComparisonChoice.sideOption.within(\.choice).conflicting(with: "--self-test"),
      ComparisonChoice.metricOption.within(\.choice).conflicting(with: "--self-test"),
      .files(
        "--history", to: \.history, metavar: "FILE…",
        help: "earlier jobs of the same scene and device, one file each, to estimate the noise"
      ).ineffective(on: .pairs),
      .flag(
        "--paired", \.isPaired,
        help:
          "compare runs in pairs: the first run of each side, then the second, and so on"
      ).ineffective(on: .pairs),
      .choice("--format", to: \.format, help: "how the result is printed (default: text)")
        .conflicting(with: "--self-test"),
      BriefOutput.option(\.isBrief, in: VerdictFormat.self).conflicting(with: "--self-test"),
      .words(
        "--fail-on", to: \.failOn, among: Self.failures, metavar: "WHAT",
        help: "regression (exit with 1), or inconclusive (also exit with 3 if undecided)"
      ).conflicting(with: "--self-test"),
      .flag(
        "--gate-single-run", \.gatesSingleRun,
        help: "let --fail-on fail even with one run per side, which is often wrong"
      ).needing("--fail-on").ineffective(on: .pairs),
      .list(
        "--threshold", to: \.thresholds, metavar: "METRIC=N",
        help: "the smallest change worth acting on, such as p95=3 (in %, pp or ms/s)"),
      .text(
        "--sequential", to: \.looks, metavar: "N,N…",
        help: "the run counts at which you check the result; corrects for checking repeatedly"
      ).ineffective(on: .pairs),
      .number(
        "--plan", to: \.plan, metavar: "N", in: 1...1000,
        help: "print an order for N runs per side that steady drift cannot bias, and exit"
      ).alone(),
      .real(
        "--self-test", to: \.selfTest, metavar: "PERCENT", in: 0.1...1000,
        help: "prove on the runs of --before that a regression of this size is found"),
      .real(
        "--max-memory", to: \.maxMemory, metavar: "MB", in: 64...1e6,
        help:
          "first read each trace in a separate process that may take this much (default: no limit)"
      ).ineffective(on: .pairs),
      .real(
        "--max-time", to: \.maxTime, metavar: "S", in: 0.01...1e6,
        help: "first read each trace in a separate process within this time (default: no limit)"
      ).ineffective(on: .pairs),
    ] + TraceChoice.options(\.traces, [.processes, .surfaces, .region, .reading])
    + TraceChoice.options(\.traces, [.light]).map { $0.needing("--latency") }

  var maxMemory: Double?
  var maxTime: Double?
  var choice = ComparisonChoice()
  var history: [String] = []
  var isPaired = false
  var format = VerdictFormat.text
  var isBrief = false
  var failOn: [String] = []
  var gatesSingleRun = false
  var thresholds: [String] = []
  var looks: String?
  var plan: Int?
  var selfTest: Double?
  var traces = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    if let plan {
      try console.print(MeasuringPlan.order(runs: plan).joined(separator: "\n") + "\n")
      return .success
    }
    var runs = traces.runs(on: console)
    runs.guards = guards(console)
    if let selfTest { return try proveItself(selfTest / 100, operands, runs, console) }
    let comparison = try comparison(operands, runs, on: console)
    try BriefOutput.print(isBrief, as: format.rawValue, on: console) {
      Brief(comparison, $0)
    } else: {
      Writers.write(comparison, as: format, look: console.look)
    }
    if format == .github {
      StepSummary.append(Writers.write(comparison, as: .markdown), on: console)
    }
    return Self.status(comparison.overall, failOn: failOn, gatesSingleRun: gatesSingleRun)
  }

  private func comparison(
    _ operands: [String], _ runs: RunInputs, on console: Console
  ) throws(CommandError) -> ComparisonOfSides {
    var options = try comparisonOptions()
    if let pairs = try choice.pairs(operands, options, on: console) {
      let compared = ComparisonOfSides(pairs)
      try checkThresholds(compared)
      return compared
    }
    let sides = try choice.allSides(
      operands, usage: "usage: \(CommandHelp.usage(of: Self.self))")
    options.history = try runs.jobs(history, options.figures)
    options.isPaired = isPaired
    let compared = try ComparisonChoice.compare(sides, runs, options)
    try checkThresholds(compared)
    return compared
  }

  /// - Throws: If a threshold is for a figure that is not compared.
  private func checkThresholds(_ compared: ComparisonOfSides) throws(CommandError) {
    let names = compared.comparisons.flatMap(\.metrics).map(\.name)
    for text in thresholds {
      let name = text.prefix { $0 != "=" }
      guard !names.contains(where: { $0 == name || $0.hasPrefix("\(name)(") }) else { continue }
      throw CommandError(
        .usage, "--threshold: \(name) is not compared here",
        help: "compared are \(Set(names).sorted().joined(separator: ", "))")
    }
  }

  /// The processes that first read the traces; `nil` without a limit.
  private func guards(_ console: Console) -> TraceWorkers? {
    guard maxMemory != nil || maxTime != nil else { return nil }
    var limits = TraceWorkers.Limits()
    limits.memory = maxMemory ?? limits.memory
    limits.time = maxTime ?? limits.time
    return TraceWorkers(TraceChoice.readingWords(console.arguments), limits)
  }

  /// The verdicts on which a comparison can fail.
  static let failures = ["regression", "inconclusive"]

  private func comparisonOptions() throws(CommandError) -> ComparisonOptions {
    var options = try choice.options()
    options.thresholds = try Self.thresholds(thresholds)
    if let looks {
      guard let known = ComparisonOptions.looks(named: looks) else {
        throw CommandError(
          .usage,
          "--sequential: expected one of \(ComparisonOptions.knownLooks.joined(separator: " or ")), found \(looks)"
        )
      }
      options.looks = known
    }
    return options
  }

  /// The thresholds that the user gave.
  static func thresholds(_ texts: [String]) throws(CommandError) -> [RunMetric: Double] {
    do throws(ComparisonRefusal) {
      return try RunMetric.thresholds(texts)
    } catch {
      throw CommandError(.usage, error.message, help: error.help)
    }
  }

  /// The exit status for a verdict.
  static func status(
    _ overall: Verdict, failOn: [String], gatesSingleRun: Bool = false
  ) -> ExitStatus {
    let isWorse = overall == .regressed || (overall == .suspected && gatesSingleRun)
    // `--fail-on inconclusive` also fails on a regression.
    if isWorse, !failOn.isEmpty { return .regression }
    let isOpen = [.inconclusive, .suspected, .suspectedImprovement].contains(overall)
    return isOpen && failOn.contains("inconclusive") ? .undecided : .success
  }

  /// Shows on runs of one side that a regression of a given size is found, and that none is found without a regression.
  private func proveItself(
    _ size: Double, _ operands: [String], _ runs: RunInputs, _ console: Console
  ) throws(CommandError) -> ExitStatus {
    let files = choice.before + operands
    guard !files.isEmpty else {
      throw CommandError(.usage, "--self-test: expected the runs of one side after --before")
    }
    let times = try runs.frameTimes(files)
    var options = try comparisonOptions()
    options.history = try runs.jobs(history, options.figures)
    options.isPaired = isPaired
    do throws(ComparisonRefusal) {
      let report = try ComparisonSelfTest(times, size: size, options)
      try? console.print(report.lines.joined(separator: "\n") + "\n")
      return report.isProved ? .success : .regression
    } catch {
      throw CommandError(error)
    }
  }
}

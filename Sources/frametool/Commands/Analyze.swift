import FrameKit

/// Measures traces. This is the tool's main command.
struct Analyze: Command {
  static let name = "analyze"
  static let summary = "measures traces: frame times, latencies, frames never shown"
  static let operands = "TRACE…"
  static let operandCount = 1...Int.max
  static let examples = [
    (command: "frametool analyze game.csv", does: "what matters most, for each surface"),
    (command: "frametool analyze --all game.csv", does: "every metric the trace has data for"),
    (
      command: "frametool analyze --process game.exe --format json game.csv.gz",
      does: "one process, as JSON for a script"
    ),
    (
      command: "frametool analyze --summary night.jsonl --tag-path '{device}/*.csv' runs/",
      does: "all traces of a folder, for 'frametool fleet'"
    ),
  ]
  /// The dashboard formats, each with its selection of figures.
  fileprivate static let dashboards = AnalysisFormat.allCases.filter(\.isOfDashboard)
    .map { "--format \($0.rawValue)" }
  private static let wholeFormats = AnalysisFormat.allCases.filter(\.isWhole)
    .map { "--format \($0.rawValue)" }

  static let options: [CommandOption<Analyze>] =
    [
      .choice("--format", to: \.format, help: "how the result is printed (default: text)")
        .ineffective(on: .folders),
      BriefOutput.option(\.isBrief, in: AnalysisFormat.self)
        .conflicting(with: "--summary-of-runs").ineffective(on: .folders),
      .words(
        "--metrics", to: \.metrics, among: Metrics.entries.map(\.name),
        meaning: { Metrics.name($0) }, metavar: "NAME,…",
        help:
          "only these metrics; columns they do not need are not read (see 'frametool list metrics')"
      ).conflicting(with: "--summary-of-runs", "--format otlp"),
      .flag(
        "--all", \.showsAll, help: "print every metric, and why others were not measured"
      ).conflicting(with: ["--brief", "--summary-of-runs"] + wholeFormats + dashboards)
        .ineffective(on: .folders),
      .flag(
        "--why", \.showsCauses,
        help: "say of each late frame what its main thread did or waited for, where it is recorded"
      ).addingToWhole().conflicting(with: "--format json"),
      .number(
        "--worst", to: \.worstCount, metavar: "N", in: 1...1_000_000,
        help: "list the N worst frames with their times"
      ).addingToWhole(),
      .flag(
        "--perception", \.predictsPerception,
        help: "add what published models predict that viewers notice, each with its range"
      ).addingToWhole(),
      .real(
        "--budget", to: \.budget, metavar: "MS", in: 0.001...1e6,
        help: "add the share of frame times over a budget"
      ).conflicting(with: ["--fps", "--brief", "--summary-of-runs"] + dashboards)
        .ineffective(on: .folders),
      .real(
        "--fps", to: \.rate, metavar: "N", in: 0.001...1e6,
        help: "like --budget, as a frame rate; allows 0.5 % for inexact displays"
      ).conflicting(with: ["--brief", "--summary-of-runs"] + dashboards)
        .ineffective(on: .folders),
      .words(
        "--dialect", to: \.dialects, among: Dialects.all.map(\.name), metavar: "TOOL,…",
        help:
          "also show what other tools compute from the same frame times (see 'frametool list metrics --explain')"
      ).addingToWhole(),
      .text(
        "--summary", to: \.summary, metavar: "FILE",
        help:
          "also write a summary for 'compare', 'merge' and 'fleet', a few kilobytes per run"
      ).conflicting(with: "--summary-of-runs"),
      .flag(
        "--summary-of-runs", \.summarizesRuns,
        help: "frame rates, lows and frame times as means over several runs, with their bounds"
      ).conflicting(with: dashboards),
      .list(
        "--tag", to: \.tags, metavar: "NAME=VALUE",
        help: "tag these runs, so that 'fleet' can group them"
      ).needing("--summary"),
      .text(
        "--tag-path", to: \.tagPath, metavar: "PATTERN",
        help: "take tags from file paths, such as '{device}/{version}/*.csv'"
      ).needing("--summary"),
      .real(
        "--max-memory", to: \.maxMemory, metavar: "MB", in: 64...1e6,
        help:
          "what reading one trace of a folder may take (default: \(TraceWorkers.Limits.words(\.memory)))"
      ).needing("--summary").ineffective(on: .namedTraces),
      .real(
        "--max-time", to: \.maxTime, metavar: "S", in: 0.01...1e6,
        help:
          "how long reading one trace of a folder may take (default: \(TraceWorkers.Limits.words(\.time)))"
      ).needing("--summary").ineffective(on: .namedTraces),
    ] + TraceChoice.options(\.choice, [.processes, .surfaces, .region, .reading])
    + TraceChoice.options(\.choice, [.light]).map { $0.conflicting(with: "--format otlp") }
    + TraceChoice.options(\.choice, [.threads]).map { $0.conflicting(with: "--summary-of-runs") }

  var format = AnalysisFormat.text
  var isBrief = false
  var metrics: [String] = []
  var showsAll = false
  var showsCauses = false
  var worstCount: Int?
  var predictsPerception = false
  var budget: Double?
  var rate: Double?
  var dialects: [String] = []
  var summary: String?
  var summarizesRuns = false
  var tags: [String] = []
  var tagPath: String?
  var maxMemory: Double?
  var maxTime: Double?
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    if summarizesRuns { return try summarizeRuns(operands, on: console) }
    if let many = try summaryOfMany(operands, on: console) { return try many.write() }
    if let summary { try Output.keep(operands, from: summary) }
    let wanted = metrics.isEmpty ? .all : MetricSelection(metrics) ?? .all
    // A rate allows 0.5 %, because displays are not exact.
    let budget = (budget ?? rate.map { 1005 / $0 }).map(Nanoseconds.milliseconds)
    // The start of a region depends on the complete trace, and the worst frames depend on all columns.
    let needsAll =
      !choice.region.isWhole || summary != nil || !dialects.isEmpty || worstCount != nil
      || showsCauses || predictsPerception || budget != nil || format.countsJank
    let given = try runTags()
    let inputs = choice.inputs(on: console, demand: needsAll ? .everything : wanted.demand)
    let (results, failures, status) = inputs.readAll(operands) { trace throws(CommandError) in
      try choice.surfaces.check(trace)
      let study = try choice.study(of: trace) { options in
        options.budget = budget
        options.worstCount = worstCount ?? 0
        options.listsCauses = showsCauses
        options.predictsPerception = predictsPerception
        options.dialects = dialects
        options.countsJank = format.countsJank
      }
      let beginning: (head: [UInt8], size: Int64?) =
        summary == nil ? ([], nil) : try beginning(of: trace.provenance.file, on: console)
      let run = Result { () throws(ComparisonRefusal) in
        summary == nil
          ? nil
          : try SummarizedRun(
            of: study, wanted, tags: given.of(trace.provenance.file),
            size: beginning.size, isComparable: true
          ).identified(by: beginning.head)
      }
      return (analysis: TraceAnalysis(of: study, metrics: wanted), run: run)
    }
    // The output for several traces has the same form even if no trace can be read.
    if !results.isEmpty || (format == .json && !isBrief && failures.count > 1) {
      try print(results.map(\.analysis), failures: failures, on: console)
    }
    // If no trace could be read, an earlier summary is kept.
    if let summary, !results.isEmpty { try write(results.map(\.run), to: summary, on: console) }
    return status
  }

  /// Prints each figure as a mean over runs.
  private func summarizeRuns(
    _ files: [String], on console: Console
  ) throws(CommandError) -> ExitStatus {
    let format = OutputFormat(rawValue: format.rawValue) ?? .text
    let runs = try choice.runs(on: console).all(files, ComparedFigures())
    let side: RunsOfOneSide
    do throws(ComparisonRefusal) {
      side = try RunsOfOneSide(runs)
    } catch {
      // Only a comparison has options for these errors.
      switch error {
      case .differentMetrics, .differentDefinitions, .differentRefreshes:
        throw CommandError(
          .badData, error.message,
          help: "give runs of one program and scene, from one kind of source and display")
      case .shortRun(_, _, _, .launches):
        throw CommandError(
          .badData, error.message, help: "'analyze' without --summary-of-runs shows launches")
      default: throw CommandError(error)
      }
    }
    try console.print(Writers.write(RunsOfOneSideReport(side), as: format, look: console.look))
    return .success
  }

  /// Prints analyses in the selected format.
  /// - Parameter failures: Why other traces could not be read.
  private func print(
    _ analyses: [TraceAnalysis], failures: [String], on console: Console
  ) throws(CommandError) {
    try BriefOutput.print(isBrief, as: format.rawValue, on: console) {
      Brief(analyses, $0)
    } else: {
      let text = Writers.write(
        analyses, failures: failures, as: format, showsAll ? .all : .answer, look: console.look)
      if format.isOfDashboard, Writers.isEmpty(text) {
        console.note("note: the traces have nothing for --format \(format.rawValue)")
      }
      return text
    }
  }

  /// A summary of the traces in folders and lists, written without an analysis; `nil` if all
  /// operands are traces.
  private func summaryOfMany(
    _ operands: [String], on console: Console
  ) throws(CommandError) -> SummaryOfMany? {
    guard let summary else { return nil }
    guard let files = try TraceLists.files(operands, on: console) else {
      try console.given.refuse(on: .namedTraces, "traces that are named one by one") { _ in
        "give a folder or a list of traces"
      }
      return nil
    }
    try console.given.refuse(on: .folders, "folders and lists: only a summary is written") { _ in
      "'frametool fleet \(summary)' shows the summary"
    }
    guard !choice.areOneRecording else {
      throw CommandError(
        .usage,
        "--one-recording joins files into one trace, but a folder with --summary is many traces",
        help: "list the recording's files by name")
    }
    return try summaries(of: files, on: console)
  }

  /// The summary of a list of traces.
  func summaries(
    of files: [TraceLists.File], on console: Console
  ) throws(CommandError) -> SummaryOfMany {
    var many = SummaryOfMany(
      console: console, choice: choice, metrics: metrics, tags: try runTags(),
      output: summary ?? "-", files: files)
    if let maxMemory { many.limits.memory = maxMemory }
    if let maxTime { many.limits.time = maxTime }
    return many
  }

  /// The bytes by which a trace is recognized, and its size; neither for input other than a single file, such as
  /// standard input.
  private func beginning(
    of file: String, on console: Console
  ) throws(CommandError) -> (head: [UInt8], size: Int64?) {
    guard file != "-", !choice.areOneRecording else { return ([], nil) }
    do throws(ParseError) {
      let input = try console.peek(file)
      return (try input.wholeHead(), input.fileSize.map(Int64.init))
    } catch {
      guard FileDescriptor.isRegular(file) || ZipPath(file) != nil else { return ([], nil) }
      throw CommandError(error)
    }
  }

  private func runTags() throws(CommandError) -> RunTags {
    RunTags(given: try RunTags.tags(tags), path: try tagPath.map(PathPattern.init(checking:)))
  }

  /// Writes the lines of a summary.
  private func write(
    _ results: [Result<SummarizedRun?, ComparisonRefusal>], to path: String, on console: Console
  ) throws(CommandError) {
    var text = Writers.summaryHeader
    for result in results {
      do throws(ComparisonRefusal) {
        if let run = try result.get() { text += Writers.line(run) }
      } catch {
        throw CommandError(error)
      }
    }
    try Output.write(to: path, on: console) { $0(Array(text.utf8)) }
  }
}

extension CommandOption<Analyze> {
  /// An option that adds a part, with no effect on the formats that already contain it.
  fileprivate func addingToWhole() -> CommandOption {
    conflicting(
      with: ["--brief", "--summary-of-runs", "--format csv"] + Analyze.dashboards
    ).ineffective(on: .folders)
  }
}

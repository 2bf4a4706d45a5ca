import FrameKit

/// Measures traces: the main job.
struct Analyze: Command {
  static let name = "analyze"
  static let summary = "measures traces: frame times, latencies, what was never shown"
  static let operands = "TRACE…"
  static let operandCount = 1...Int.max
  static let examples = [
    (command: "frametool analyze game.csv", does: "every metric the trace can answer, per surface"),
    (
      command: "frametool analyze --process game.exe --format json game.csv.gz",
      does: "the same for one process, for a script"
    ),
  ]
  static let options: [CommandOption<Analyze>] = [
    .choice("--format", to: \.format, help: "how the result is printed (default: text)"),
    .text(
      "--input-format", to: \.inputFormat, metavar: "NAME",
      help: "read as this format instead of the one the content shows"),
    .list(
      "--process", to: \.processes, metavar: "NAME", help: "only processes of this name or number"),
    .list("--surface", to: \.surfaces, metavar: "NAME", help: "only surfaces of this name or id"),
    .words(
      "--metrics", to: \.metrics, among: Metrics.entries.map(\.name), metavar: "NAME,…",
      help: "only these metrics; columns they do not need are not read (see 'frametool metrics')"),
    .text(
      "--from", to: \.start, metavar: "S|NAME",
      help: "measure from so many seconds of the trace on, or from a marker's start"),
    .text(
      "--to", to: \.end, metavar: "S|NAME",
      help: "measure until so many seconds of the trace, or until a marker's end"),
    .real(
      "--skip-first", to: \.skipped, metavar: "S", in: 0...1e9,
      help: "leave the first seconds of the trace, or of what --from selects, out"),
    .number(
      "--worst", to: \.worstCount, metavar: "N", in: 1...1_000_000,
      help: "list the worst frames with their times"),
    .real(
      "--budget", to: \.budget, metavar: "MS", in: 0.001...1e6,
      help: "add the share of frame times over a budget"),
    .real(
      "--fps", to: \.rate, metavar: "N", in: 0.001...1e6,
      help: "the same for a rate, and 0.5 % more, as displays do not keep theirs exactly"),
    .real(
      "--scan-out", to: \.scanOutShare, metavar: "SHARE", in: 0...1,
      help: "part of a frame that is lit at its photon time: 0 top line, 1 all of it (default: 1)"),
    .real(
      "--device-offset", to: \.deviceOffset, metavar: "MS", in: -1000...1000,
      help: "a constant of the device to add to every touch latency"),
    .words(
      "--dialect", to: \.dialects, among: Dialects.all.map(\.name), metavar: "TOOL,…",
      help: "show what other tools make of the same frame times (see 'frametool metrics --explain')"
    ),
    .text(
      "--summary", to: \.summary, metavar: "FILE",
      help: "also write what 'compare' needs of these runs, a few kilobytes each"),
    .flag("--quiet", \.quiet, help: "no progress on a terminal"),
  ]

  var format = OutputFormat.text
  var inputFormat: String?
  var processes: [String] = []
  var surfaces: [String] = []
  var metrics: [String] = []
  var start: String?
  var end: String?
  var skipped: Double?
  var worstCount: Int?
  var budget: Double?
  var rate: Double?
  var scanOutShare: Double?
  var deviceOffset: Double?
  var dialects: [String] = []
  var summary: String?
  var quiet = false

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let selection = SurfaceSelection(processes: processes, surfaces: surfaces)
    let wanted = metrics.isEmpty ? .all : MetricSelection(metrics) ?? .all
    let options = try analysisOptions()
    let region = RegionSelection(start: start, end: end, skipped: skipped ?? 0)
    // Where a region starts depends on the whole trace, and what is worst on all columns.
    let needsAll =
      !region.isWhole || summary != nil || !dialects.isEmpty || options.worstCount > 0
      || options.budget != nil
    let inputs = TraceInputs(
      console: console, format: inputFormat, demand: needsAll ? .everything : wanted.demand,
      quiet: quiet)
    let (results, status) = inputs.readAll(operands) { trace in
      Result { () throws(CommandError) in
        var options = options
        options.region = try region.find(in: trace)
        try selection.check(trace)
        return TraceAnalysis(of: trace, wanted, options, where: selection.matches)
      }
    }
    var analyses: [TraceAnalysis] = []
    var worst = status
    for result in results {
      do throws(CommandError) {
        analyses.append(try result.get())
      } catch {
        console.report(error)
        if worst == .success { worst = error.status }
      }
    }
    if !analyses.isEmpty { try console.print(Writers.write(analyses, as: format)) }
    if let summary { try write(analyses.map(\.trace), to: summary, selection, on: console) }
    return worst
  }

  /// Writes what a comparison needs of traces.
  private func write(
    _ traces: [Trace], to path: String, _ selection: SurfaceSelection, on console: Console
  ) throws(CommandError) {
    var runs: [RunSummary] = []
    for trace in traces {
      do throws(ComparisonRefusal) {
        runs.append(try RunTimes.of(trace, where: selection.matches).summary)
      } catch {
        throw CommandError(.badData, error.message, help: error.help)
      }
    }
    try Output.write(to: path, on: console) { $0(Array(RunSummary.json(runs).utf8)) }
  }

  private func analysisOptions() throws(CommandError) -> AnalysisOptions {
    if budget != nil, rate != nil {
      throw CommandError(
        .usage, "--budget and --fps both set the budget", help: "give one of the two")
    }
    var options = AnalysisOptions()
    options.scanOutShare = scanOutShare ?? 1
    options.deviceOffset = .milliseconds(deviceOffset ?? 0)
    options.budget = (budget ?? rate.map { 1005 / $0 }).map(Nanoseconds.milliseconds)
    options.worstCount = worstCount ?? 0
    options.dialects = dialects
    return options
  }
}

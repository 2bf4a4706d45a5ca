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
    .flag("--quiet", \.quiet, help: "no progress on a terminal"),
  ]

  var format = OutputFormat.text
  var inputFormat: String?
  var processes: [String] = []
  var surfaces: [String] = []
  var metrics: [String] = []
  var quiet = false

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let selection = SurfaceSelection(processes: processes, surfaces: surfaces)
    let wanted = metrics.isEmpty ? .all : MetricSelection(metrics) ?? .all
    let inputs = TraceInputs(
      console: console, format: inputFormat, demand: wanted.demand, quiet: quiet)
    let (results, status) = inputs.readAll(operands) { trace in
      Result { () throws(CommandError) in
        TraceAnalysis(of: try selection.apply(to: trace), wanted)
      }
    }
    var analyses: [TraceAnalysis] = []
    for result in results { analyses.append(try result.get()) }
    if !analyses.isEmpty { try console.print(Writers.write(analyses, as: format)) }
    return status
  }
}

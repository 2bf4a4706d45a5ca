import FrameKit

/// Shows the launches of traces.
struct Launch: Command {
  static let name = "launch"
  static let summary = "shows launches: phases, kinds, what the main thread waited for"
  static let operands = "TRACE…"
  static let operandCount = 1...Int.max
  static let examples = [
    (
      command: "frametool launch app.jsonl",
      does: "each launch against the goal of 400 ms, and what to look at first"
    ),
    (
      command: "frametool compare --launch --before a.jsonl --after b.jsonl",
      does: "whether launches became slower"
    ),
  ]
  static let options: [CommandOption<Launch>] =
    [
      .choice("--format", to: \.format, help: "how the result is printed (default: text)"),
      BriefOutput.option(\.isBrief),
    ] + TraceChoice.options(\.choice, [.processes, .reading, .threads])

  var format = OutputFormat.text
  var isBrief = false
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let (traces, _, status) = choice.inputs(on: console).readAll(operands) { $0 }
    if traces.isEmpty { return status }
    let analysis = LaunchAnalysis(traces.map { Study(of: $0, AnalysisOptions(), choice.surfaces) })
    guard !analysis.all.isEmpty else {
      let names = traces.map(\.provenance.file).joined(separator: ", ")
      let processes = choice.surfaces.processes.joined(separator: ", ")
      throw CommandError(
        .badData, "\(names): there are no launches\(processes.isEmpty ? "" : " of \(processes)")",
        help: "'frametool info \(traces[0].provenance.file)' shows what the trace has")
    }
    try BriefOutput.print(isBrief, as: format.rawValue, on: console) {
      Brief(analysis, $0)
    } else: {
      Writers.write(analysis, as: format, look: console.look)
    }
    return status
  }
}

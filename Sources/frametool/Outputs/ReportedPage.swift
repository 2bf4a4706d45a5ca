import FrameKit

/// Reads traces and writes the report about them.
struct ReportedPage {
  let choice: TraceChoice
  var worstCount: Int?

  func write(
    _ files: [String], _ comparison: Comparison? = nil, to target: ReportTarget,
    on console: Console
  ) throws(CommandError) {
    let traces = try read(files, isExplored: target.isExplored, console)
    let page = Document(
      reporting: traces, comparison: comparison,
      comparisonPlot: comparison.flatMap { try? ComparisonPlot.compare.draw($0) })
    let contents = PageContents(
      traces.flatMap(\.explored), comparison: comparison.flatMap(ExploredComparison.init))
    try target.write(page, exploring: target.isExplored ? contents : nil, on: console)
  }

  private func read(
    _ files: [String], isExplored: Bool, _ console: Console
  ) throws(CommandError) -> [ReportedTrace] {
    let results = choice.inputs(on: console).map(files) { trace throws(CommandError) in
      // With options, the page cannot show a simple command that reproduces the analysis.
      let isPlain = choice.words == TraceChoice().words && !choice.areOneRecording
      return ReportedTrace(
        try choice.study(of: trace) { $0.worstCount = worstCount ?? 0 }, isExplored: isExplored,
        by: isPlain ? ["frametool", "analyze", trace.provenance.file] : nil)
    }
    var traces: [ReportedTrace] = []
    for result in results { traces.append(try result.get()) }
    return traces
  }
}

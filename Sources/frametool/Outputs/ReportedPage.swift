import FrameKit

/// Reads traces and writes the report about them.
struct ReportedPage {
  let choice: TraceChoice
  var worstCount: Int?
  /// Whether a server answers what the page does not hold.
  var isServed = false

  /// What a page is made of.
  struct Parts {
    let document: Document
    let contents: PageContents
    let traces: [ReportedTrace]
  }

  func write(
    _ files: [String], _ comparison: Comparison? = nil, to target: ReportTarget,
    on console: Console
  ) throws(CommandError) {
    let parts = try read(files, comparison, isExplored: target.isExplored, on: console)
    try target.write(
      parts.document, exploring: target.isExplored ? parts.contents : nil, on: console)
  }

  /// - Parameter isExplored: Whether the surfaces can be explored.
  func read(
    _ files: [String], _ comparison: Comparison? = nil, isExplored: Bool, on console: Console
  ) throws(CommandError) -> Parts {
    let traces = try read(files, isExplored: isExplored, console)
    let page = Document(
      reporting: traces, comparison: comparison,
      comparisonPlot: comparison.flatMap { try? ComparisonPlot.compare.draw($0) })
    let contents = PageContents(
      traces.flatMap(\.explored), comparison: comparison.flatMap(ExploredComparison.init),
      isServed: isServed)
    return Parts(document: page, contents: contents, traces: traces)
  }

  /// A study of a trace as the page has it.
  func study(of trace: Trace) throws(CommandError) -> Study {
    try choice.study(of: trace) { $0.worstCount = worstCount ?? 0 }
  }

  private func read(
    _ files: [String], isExplored: Bool, _ console: Console
  ) throws(CommandError) -> [ReportedTrace] {
    let results = choice.inputs(on: console).map(files) { trace throws(CommandError) in
      // With options, the page cannot show a simple command that reproduces the analysis.
      let isPlain = choice.words == TraceChoice().words && !choice.areOneRecording
      return ReportedTrace(
        try study(of: trace), isExplored: isExplored,
        by: isPlain ? ["frametool", "analyze", trace.provenance.file] : nil)
    }
    var traces: [ReportedTrace] = []
    for result in results { traces.append(try result.get()) }
    return traces
  }
}

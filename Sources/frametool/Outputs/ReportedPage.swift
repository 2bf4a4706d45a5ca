import FrameKit

/// Reads traces and writes the report about them.
struct ReportedPage {
  let choice: TraceChoice
  var worstCount: Int?
  /// Whether a server provides the data that the page does not contain.
  var isServed = false

  /// The parts of a page.
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
      isServed: isServed, pair: Self.pair(of: traces),
      launches: traces.flatMap(\.exploredLaunches))
    return Parts(document: page, contents: contents, traces: traces)
  }

  /// The comparison of two traces, the first before a change; `nil` with a note if they cannot be compared.
  func comparison(
    of files: [String], on console: Console
  ) throws(CommandError) -> Comparison? {
    guard files.count == 2 else { return nil }
    do throws(CommandError) {
      return try ComparisonChoice.compare(
        (before: [files[0]], after: [files[1]]), choice.runs(on: console), ComparisonOptions())
    } catch {
      if !choice.quiet { console.note("note: no verdict: \(error.message)") }
      return nil
    }
  }

  /// The largest surfaces of two traces, which are overlaid, by their indices on the page.
  private static func pair(of traces: [ReportedTrace]) -> (first: Int, second: Int)? {
    guard traces.count == 2, !traces[0].explored.isEmpty, !traces[1].explored.isEmpty else {
      return nil
    }
    let largest = traces.map { trace in
      trace.explored.indices.max { trace.explored[$0].count < trace.explored[$1].count } ?? 0
    }
    return (largest[0], traces[0].explored.count + largest[1])
  }

  /// A study of a trace, as used by the page.
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
        by: isPlain ? ["frametool", "analyze", trace.provenance.file] : nil,
        .replays(of: ReportedTrace.mostReplayed, atOnce: choice.jobs))
    }
    var traces: [ReportedTrace] = []
    for result in results { traces.append(try result.get()) }
    return traces
  }
}

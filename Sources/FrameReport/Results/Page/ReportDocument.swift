import FrameAnalysis
import FrameReplay
import FrameTrace
public import FrameVerdicts

extension Document {
  /// A report on traces and, if present, a comparison, in reading order: first a statement of what is wrong, then plots
  /// and tables.
  public init(
    reporting traces: [ReportedTrace], comparison: Comparison? = nil, comparisonPlot: Plot? = nil
  ) {
    let analyses = traces.map(\.analysis)
    add(.title(Self.title(analyses, comparison), level: 1))
    add(explored: traces)
    add(findings: traces, comparison)
    if let comparison {
      add(.heading("Before and after", level: 2))
      add(.sentence(ComparisonSentence(comparison).text))
      add(.comparisonExplorer)
      if let comparisonPlot { add(comparisonPlot) }
      add(figuresOf: comparison)
    }
    if traces.contains(where: { !$0.exploredLaunches.isEmpty }) {
      add(.heading("Launches over time", level: 2))
      add(.launchExplorer)
    }
    for trace in traces { add(trace) }
    if analyses.contains(where: { !$0.trace.issueLines.isEmpty }) { add(aboutInputs: analyses) }
  }

  /// Adds the interactive view under the most important sentence of each trace.
  private mutating func add(explored traces: [ReportedTrace]) {
    let shown = traces.filter { !$0.explored.isEmpty }
    guard !shown.isEmpty else { return }
    add(.heading("Explore", level: 2))
    for trace in shown.prefix(Self.mostHeadlines) {
      let analysis = trace.analysis
      let primary = analysis.surfaces.max { $0.outcomes.count < $1.outcomes.count }
      guard let primary else { continue }
      let name = shown.count > 1 ? "\(analysis.trace.provenance.shortTitle): " : ""
      add(.sentence("\(name)\(SurfaceHeadline(primary, of: analysis).sentence)"))
    }
    add(.explorer)
  }

  /// The maximum number of traces with a sentence above the interactive view.
  private static let mostHeadlines = 4

  private static func title(_ analyses: [TraceAnalysis], _ comparison: Comparison?) -> String {
    let files = analyses.map(\.trace.provenance.title)
    if files.isEmpty, let comparison { return "Comparison: \(comparison.overall.word)" }
    if files.count == 1 { return "Frame timing of \(files[0])" }
    return "Frame timing of \(files.count) traces"
  }

  /// Adds what a reader needs first: what is wrong, where, and since when.
  private mutating func add(findings traces: [ReportedTrace], _ comparison: Comparison?) {
    add(.heading("Findings", level: 2))
    if let comparison {
      let tables = ComparisonTables(comparison)
      add(.sentence("Before and after: \(tables.sentence.text)"))
      add(.list(tables.sides()))
    }
    for analysis in traces.map(\.analysis) {
      add(Block.list, LaunchTables(analysis.launches).headlines)
      add(Block.list, FramelessLines(analysis).lines)
      let interactions = InteractionTables(analysis)
      if !interactions.isEmpty {
        add(.sentence(interactions.headline))
        add(interactions.table(), "Interactions")
      }
      let hangs = HangTables(analysis)
      if !hangs.isEmpty {
        add(.sentence(hangs.headline))
        add(hangs.table(), "Hangs")
      }
      for surface in analysis.surfaces {
        let headline = SurfaceHeadline(surface, of: analysis)
        add(.sentence("\(AnalysisTables.title(surface)): \(headline.sentence)"))
        let findings = FindingLines(surface, of: analysis)
        add(.list(findings.lines(.all, except: headline.finding)))
      }
    }
  }

  private mutating func add(_ trace: ReportedTrace) {
    let analysis = trace.analysis
    let provenance = analysis.trace.provenance
    add(.heading(analysis.title, level: 2))
    let facts = [
      "Read as \(provenance.format), because \(provenance.reason).",
      analysis.regionLine.map { "Region: \($0)." },
    ]
    add(.list(facts.compactMap { $0 }))
    add(launchesOf: trace)
    if let plot = trace.hitches { add(plot) }
    add(adviceOf: trace)
    let undrawn = trace.surfaces.count { $0 == nil }
    if undrawn > 0 {
      add(
        .sentence(
          "Plots show the \(ReportedTrace.mostDrawn) largest surfaces; \(undrawn) more have tables only"
        ))
    }
    for (surface, drawn) in zip(analysis.surfaces, trace.surfaces) {
      let title = AnalysisTables.title(surface)
      if let drawn { add(drawn, of: title) }
      add(.heading("Figures of \(title)"))
      add(figuresOf: surface, of: analysis)
    }
  }

  /// Adds the changes that would help most, if there are any.
  private mutating func add(adviceOf trace: ReportedTrace) {
    guard let advice = trace.advice, !advice.items.isEmpty else { return }
    add(.heading("What would help most"))
    add(.sentence("\(advice.replay.surface): \(ReplayReport(advice.replay).fit)"))
    add(Block.list, ReplayReport.lines(advice, atMost: Self.mostAdvice))
  }

  /// The maximum number of changes to name.
  private static let mostAdvice = 3

  private mutating func add(launchesOf trace: ReportedTrace) {
    let tables = LaunchTables(trace.analysis.launches)
    guard !tables.isEmpty else { return }
    if let plot = trace.launches { add(plot) }
    add(Block.list, tables.notes)
    add(tables.launches(), "Launches")
    add(tables.phases(), "Phases, medians")
    for launch in trace.analysis.launches.reported {
      for (name, table) in LaunchTables.all(of: launch) {
        add(table, "Launch \(launch.name): \(name)")
      }
    }
  }

  private mutating func add(_ drawn: DrawnSurface, of title: String) {
    add(.heading("Plots of \(title)"))
    for plot in drawn.plots { add(plot) }
    if !drawn.refused.isEmpty {
      add(.sentence("Not drawn because the trace lacks the data:"))
      add(.list(drawn.refused.map { "\($0.kind): \($0.why)" }))
    }
  }

  private mutating func add(aboutInputs analyses: [TraceAnalysis]) {
    add(.heading("About the input", level: 2))
    for trace in analyses.map(\.trace) where !trace.issueLines.isEmpty {
      if analyses.count > 1 { add(.sentence("\(trace.provenance.file):")) }
      add(.list(trace.issueLines))
    }
  }
}

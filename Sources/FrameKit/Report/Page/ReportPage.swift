/// A report as a reader goes through it: what is wrong in words, then pictures and tables.
public struct ReportPage: Sendable {
  /// A part of the page under a heading.
  public struct Section: Sendable {
    let heading: String
    /// 2 for a part of the page, 3 for a part of that.
    let level: Int
    var blocks: [Block] = []
  }

  /// What stands below a heading.
  enum Block: Sendable {
    case paragraph(String)
    case list([String])
    /// A table with what it is.
    case table(String, TextTable)
    /// A picture, by its place in the page's list.
    case figure(Int)
  }

  public let title: String
  public private(set) var sections: [Section] = []
  /// The pictures, in the order in which they come.
  public private(set) var plots: [Plot] = []

  /// A report of traces and, where there is one, of a comparison.
  public init(
    _ traces: [ReportedTrace], comparison: Comparison? = nil, comparisonPlot: Plot? = nil
  ) {
    let analyses = traces.map(\.analysis)
    title = Self.title(analyses, comparison)
    sections.append(findings(traces, comparison))
    if let comparison { sections.append(section(comparison, comparisonPlot)) }
    for trace in traces {
      let analysis = trace.analysis
      var section = Section(heading: analysis.title, level: 2, blocks: Self.facts(analysis))
      section.blocks += launches(trace)
      let undrawn = trace.surfaces.count { $0 == nil }
      if undrawn > 0 {
        section.blocks.append(
          .paragraph(
            "Pictures are of the \(ReportedTrace.mostDrawn) largest surfaces; \(undrawn) more have figures only."
          ))
      }
      sections.append(section)
      for (surface, drawn) in zip(analysis.surfaces, trace.surfaces) {
        if let drawn { sections.append(pictures(surface, drawn)) }
        sections.append(figures(surface, analysis))
      }
    }
    if analyses.contains(where: { !$0.trace.issueLines.isEmpty }) {
      sections.append(aboutInput(analyses))
    }
  }

  private static func title(_ analyses: [TraceAnalysis], _ comparison: Comparison?) -> String {
    let files = analyses.map(\.trace.provenance.title)
    if files.isEmpty, let comparison { return "Comparison: \(comparison.overall.rawValue)" }
    if files.count == 1 { return "Frame timing of \(files[0])" }
    return "Frame timing of \(files.count) traces"
  }
}

extension ReportPage {
  /// What is wrong, where, and since when: what a reader wants first.
  private func findings(_ traces: [ReportedTrace], _ comparison: Comparison?) -> Section {
    var section = Section(heading: "Findings", level: 2)
    if let comparison {
      let tables = ComparisonTables(comparison)
      section.blocks.append(.paragraph("Before and after: \(tables.headline)."))
      section.blocks.append(.list(tables.sides()))
    }
    for trace in traces {
      let analysis = trace.analysis
      let launches = LaunchTables(analysis.launches)
      if !launches.headlines.isEmpty { section.blocks.append(.list(launches.headlines)) }
      let frameless = FramelessLines(analysis).lines
      if !frameless.isEmpty { section.blocks.append(.list(frameless)) }
      let hangs = HangTables(analysis)
      if !hangs.isEmpty {
        section.blocks.append(.paragraph("\(hangs.headline)."))
        if let table = hangs.table() { section.blocks.append(.table("Hangs", table)) }
      }
      for surface in analysis.surfaces {
        let owner = AnalysisTables.title(surface)
        section.blocks.append(
          .paragraph("\(owner): \(AnalysisTables.headline(surface))."))
        section.blocks.append(
          .list(
            FindingLines(surface, of: analysis).lines()
              + [AnalysisTables.outcomes(surface.outcomes)]))
      }
    }
    return section
  }

  private mutating func section(_ comparison: Comparison, _ plot: Plot?) -> Section {
    let tables = ComparisonTables(comparison)
    var section = Section(heading: "Before and after", level: 2)
    section.blocks.append(.paragraph("\(tables.headline)."))
    if let plot { section.blocks.append(add(plot)) }
    section.blocks.append(.table("Each figure before and after", tables.table()))
    section.blocks.append(
      .paragraph("Method: \(comparison.method). Figures in brackets do not decide."))
    if !comparison.warnings.isEmpty {
      section.blocks.append(.list(comparison.warnings.map { "Warning: \($0)" }))
    }
    return section
  }

  private static func facts(_ analysis: TraceAnalysis) -> [Block] {
    let provenance = analysis.trace.provenance
    var lines = ["Read as \(provenance.format), because \(provenance.reason)."]
    if let region = analysis.regionLine { lines.append("Measured: \(region).") }
    return [.list(lines)]
  }

  private mutating func launches(_ trace: ReportedTrace) -> [Block] {
    let tables = LaunchTables(trace.analysis.launches)
    guard !tables.isEmpty else { return [] }
    var blocks = trace.launches.map { [add($0)] } ?? []
    if !tables.notes.isEmpty { blocks.append(.list(tables.notes)) }
    blocks.append(.table("Launches", tables.launches()))
    if let phases = tables.phases() { blocks.append(.table("Phases, medians", phases)) }
    for launch in trace.analysis.launches.told {
      for (name, table) in LaunchTables.all(of: launch) {
        blocks.append(.table("Launch \(launch.name): \(name)", table))
      }
    }
    return blocks
  }

  private mutating func pictures(_ surface: SurfaceAnalysis, _ drawn: DrawnSurface) -> Section {
    var section = Section(heading: "Pictures of \(AnalysisTables.title(surface))", level: 3)
    for plot in drawn.plots { section.blocks.append(add(plot)) }
    if !drawn.refused.isEmpty {
      section.blocks.append(.paragraph("Not drawn, as the trace does not tell:"))
      section.blocks.append(.list(drawn.refused.map { "\($0.kind): \($0.why)" }))
    }
    return section
  }

  private mutating func add(_ plot: Plot) -> Block {
    plots.append(plot)
    return .figure(plots.count - 1)
  }

  private func figures(_ surface: SurfaceAnalysis, _ analysis: TraceAnalysis) -> Section {
    var section = Section(heading: "Figures of \(AnalysisTables.title(surface))", level: 3)
    var tables = AnalysisTables(surface)
    let events = EventTables(surface, of: analysis)
    let add = { (name: String, table: TextTable?) in
      table.map { [Block.table(name, $0)] } ?? []
    }
    section.blocks += add("Dropped refreshes", events.drops())
    if let more = events.moreDrops() { section.blocks.append(.paragraph("\(more).")) }
    section.blocks += add("Worst frames", events.worst())
    section.blocks += add("Metrics with a value a frame or an input", tables.distributions())
    section.blocks += add("Metrics that are one figure", tables.rates())
    let notes = (tables.footnotes.lines() + tables.unavailable()).map { line in
      String(line.drop { $0 == " " })
    }
    if !notes.isEmpty { section.blocks.append(.list(notes)) }
    return section
  }

  private func aboutInput(_ analyses: [TraceAnalysis]) -> Section {
    var section = Section(heading: "About the input", level: 2)
    for analysis in analyses where !analysis.trace.issueLines.isEmpty {
      if analyses.count > 1 {
        section.blocks.append(.paragraph(analysis.trace.provenance.file))
      }
      section.blocks.append(
        .list(analysis.trace.issueLines.map { line in String(line.drop { $0 == " " }) }))
    }
    return section
  }
}

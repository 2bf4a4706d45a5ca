extension Document {
  /// What is said of a trace at a terminal or in a pull request.
  init(_ analysis: TraceAnalysis) {
    add(.title(analysis.title))
    add(sentence: analysis.regionLine)
    add(Block.list, FramelessLines(analysis).lines)
    for surface in analysis.surfaces { add(surface, of: analysis) }
    let launches = LaunchTables(analysis.launches)
    if !launches.isEmpty {
      add(.heading("Launches", .points(launches.headlines)))
      add(Block.list, launches.notes)
      add(launches.launches(), "Launches")
      add(.hint("'frametool launch' shows phases, waits and what to look at first"))
    }
    let hangs = HangTables(analysis)
    if !hangs.isEmpty {
      add(.heading("Hangs", .sentence(hangs.headline)))
      add(hangs.table(), "Hangs")
      add(sentence: hangs.more)
    }
    let stated = StatedTables(analysis.trace)
    if !stated.isEmpty {
      add(.heading("Stated figures", .sentence(stated.headline)))
      add(stated.figures(), "Stated figures")
      add(stated.counts(), "Stated histograms")
    }
    let issues = analysis.trace.issueLines
    if !issues.isEmpty {
      add(.heading("About the input", .words("about the input")))
      add(.list(issues))
    }
  }

  private mutating func add(_ surface: SurfaceAnalysis, of analysis: TraceAnalysis) {
    add(.heading(AnalysisTables.title(surface)))
    add(.sentence(AnalysisTables.headline(surface)))
    add(.list(FindingLines(surface, of: analysis).lines()))
    add(figuresOf: surface, of: analysis)
  }

  /// Adds the tables of a surface, with the notes on them.
  mutating func add(figuresOf surface: SurfaceAnalysis, of analysis: TraceAnalysis) {
    var tables = AnalysisTables(surface)
    let events = EventTables(surface, of: analysis)
    add(events.drops(), "Dropped refreshes")
    add(sentence: events.moreDrops())
    add(events.worst(), "Worst frames")
    add(tables.distributions(), "Metrics with one value per frame or input")
    add(tables.rates(), "Metrics that are one figure")
    add(events.dialects(), "Figures of other tools")
    add(Block.notes, tables.footnotes.lines() + tables.unavailable())
  }
}

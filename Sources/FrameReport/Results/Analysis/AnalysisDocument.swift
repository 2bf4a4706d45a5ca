import FrameAnalysis
import FrameImporters
import FrameTrace

extension Document {
  /// A trace's analysis, for a terminal or a pull request.
  init(_ analysis: TraceAnalysis, _ detail: AnalysisDetail = .answer) {
    add(.title(analysis.title))
    add(sentence: analysis.regionLine)
    add(Block.list, FramelessLines(analysis).lines)
    let surfaces = ShownSurfaces(analysis, detail)
    let telemetry = TelemetryReport(analysis).lines
    if surfaces.whole.isEmpty { add(Block.list, telemetry) }
    for (position, surface) in surfaces.whole.enumerated() {
      // The machine's state is next to the stages of the surface with the most frames.
      add(surface, of: analysis, detail, position == 0 ? telemetry : [])
    }
    if !surfaces.others.isEmpty {
      add(.heading("Other surfaces", .words("other surfaces")))
      add(.list(surfaces.others))
    }
    if analysis.surfacesLeftOut > 0 {
      add(sentence: ShownSurfaces.words(leftOut: analysis.surfacesLeftOut))
    }
    let launches = LaunchTables(analysis.launches)
    if !launches.isEmpty {
      add(.heading("Launches", .points(launches.headlines)))
      add(Block.list, launches.notes)
      add(launches.launches(), "Launches")
      add(.hint("'frametool launch' shows phases, waits and what to look at first"))
    }
    let interactions = InteractionTables(analysis)
    if !interactions.isEmpty {
      add(.heading("Interactions", .sentence(interactions.headline)))
      add(interactions.table(), "Interactions")
      add(sentence: interactions.more)
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
      add(stated.figures(detail), "Stated figures")
      add(sentence: stated.more(detail))
      add(stated.counts(), "Stated histograms")
    }
    let advice = analysis.isSelection ? [] : analysis.trace.recordingAdvice
    let issues = analysis.trace.issueLines(detail) + advice
    if !issues.isEmpty {
      add(.heading("About the input", .words("about the input")))
      add(.list(issues))
    }
  }

  private mutating func add(
    _ surface: SurfaceAnalysis, of analysis: TraceAnalysis, _ detail: AnalysisDetail,
    _ telemetry: [String]
  ) {
    let headline = SurfaceHeadline(surface, of: analysis)
    add(.heading(AnalysisTables.title(surface)))
    add(.sentence(headline.sentence))
    let findings = FindingLines(surface, of: analysis)
    add(Block.list, findings.lines(detail, except: headline.finding) + telemetry)
    if analysis.options.listsCauses {
      add(Block.list, LateCauseLines(surface, of: analysis).lines)
    }
    add(Block.list, PerceptionLines(surface.perception).lines)
    // Users who selected metrics expect those metrics, and the reason if any is missing.
    if detail == .all || analysis.isSelection {
      add(figuresOf: surface, of: analysis)
    } else {
      add(answerOf: surface, of: analysis, headline.focus)
    }
  }

  /// Adds the most important figures of a surface.
  private mutating func add(
    answerOf surface: SurfaceAnalysis, of analysis: TraceAnalysis, _ focus: SurfaceFocus
  ) {
    var tables = AnalysisTables(surface, for: focus)
    let events = EventTables(surface, of: analysis)
    add(events.hitches(), "Hitches reported by the source")
    add(sentence: events.moreHitches())
    add(events.worst(), "Worst frames")
    add(tables.distributions(), "Metrics with one value per frame or input")
    add(events.dialects(), "Figures of other tools")
    add(Block.notes, tables.footnotes.lines() + [tables.rest].compactMap { $0 })
  }

  /// Adds the tables of a surface, with the notes on them.
  mutating func add(figuresOf surface: SurfaceAnalysis, of analysis: TraceAnalysis) {
    var tables = AnalysisTables(surface)
    let events = EventTables(surface, of: analysis)
    add(events.drops(), "Dropped refreshes")
    add(sentence: events.moreDrops())
    add(events.hitches(), "Hitches reported by the source")
    add(sentence: events.moreHitches())
    add(events.interruptions(), "Stops and stutters")
    add(sentence: events.moreInterruptions())
    add(events.worst(), "Worst frames")
    add(tables.distributions(), "Metrics with one value per frame or input")
    add(tables.rates(), "Metrics with a single value")
    add(events.dialects(), "Figures of other tools")
    add(Block.notes, tables.footnotes.lines() + tables.unavailable())
  }
}

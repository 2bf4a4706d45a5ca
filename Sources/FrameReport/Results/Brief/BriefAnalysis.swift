public import FrameAnalysis
import FrameStatistics
import FrameTrace

extension Brief {
  /// The answer to `analyze`: about the surface with the most frames of a trace, or one sentence for each of several
  /// traces.
  public init(_ analyses: [TraceAnalysis], _ command: BriefCommand) {
    guard let analysis = analyses.first, analyses.count == 1 else {
      self.init(
        "analysis",
        analyses.map { "\($0.trace.provenance.file): \(Self.sentence($0))" }
          .joined(separator: "; "), more: command.whole)
      return
    }
    self.init("analysis", Self.sentence(analysis), more: command.whole)
    guard let surface = ShownSurfaces(analysis, .answer).whole.first else {
      figures = StatedFigures.all(analysis.trace).map(Figure.init)
      return
    }
    coverage = surface.coverage
    if let found = surface.drops.value {
      drops = PipelineStage.allCases.map { ($0.rawValue, found.byStage[$0] ?? 0) }
        .sorted { $0.count > $1.count }
      let worst = found.drops.sorted {
        ($1.refreshes.count, $0.time) < ($0.refreshes.count, $1.time)
      }
      events = worst.prefix(Self.mostEvents).map { drop in
        let begin = drop.time - analysis.origin
        let start = max(.zero, begin - .milliseconds(200))
        let end = begin + drop.budget * Int64(drop.refreshes.count)
        let usual = start + .milliseconds(400)
        return Event(
          id: "\(drop.refreshes.frame)",
          text: analysis.dropWords.sentence(of: drop, on: surface.index),
          command: command.part(from: start, to: end > usual ? end + .milliseconds(200) : usual))
      }
    }
    // Users who selected metrics expect those metrics.
    let metrics =
      analysis.isSelection
      ? surface.metrics
      : SurfaceHeadline(surface, of: analysis).focus.metrics(of: surface)
    figures = metrics.compactMap(Figure.init)
  }

  /// The first statement about a trace: about its main surface, or else about what the trace contains.
  private static func sentence(_ analysis: TraceAnalysis) -> String {
    if let surface = ShownSurfaces(analysis, .answer).whole.first {
      let title = AnalysisTables.title(surface)
      return "\(title): \(SurfaceHeadline(surface, of: analysis).sentence)"
    }
    let interactions = InteractionTables(analysis)
    if !interactions.isEmpty { return interactions.headline }
    let hangs = HangTables(analysis)
    let stated = StatedTables(analysis.trace)
    let findings =
      LaunchTables(analysis.launches).headlines + (hangs.isEmpty ? [] : [hangs.headline])
      + (stated.isEmpty ? [] : [stated.headline]) + FramelessLines(analysis).lines
    return findings.first ?? analysis.title
  }
}

extension Brief.Figure {
  /// What the source states about runs: the median of its values.
  fileprivate init(_ stated: StatedFigures) {
    metric = [stated.metric, stated.scene.map { "(\($0))" }].compactMap(\.self)
      .joined(separator: " ")
    unit = stated.unit
    n = stated.values.count
    values = [("median", RealQuantile.type7(stated.values.sorted(), 0.5))]
  }

  /// A measured metric; `nil` for any other metric.
  fileprivate init?(_ metric: MetricResult) {
    self.metric = metric.name
    unit = metric.unit.rawValue
    switch metric.figures {
    case .summary(let summary):
      n = summary.n
      values = [("p50", summary.p50), ("p99", summary.p99)]
    case .figure(let figure, let count):
      n = count
      values = [("", figure)]
    case .unavailable: return nil
    }
  }
}

import FrameAnalysis
import FrameTrace
import FrameVerdicts

extension DocumentSchema {
  static let runs = DocumentSchema(
    "runs", SummarizedRun.schema,
    "a line of what 'analyze --summary' and 'merge' write; the first line names the schema",
    .either([
      .object([
        .schema(SummarizedRun.schema),
        .text(SummaryKey.asked, "what was asked of traces, while it is unfinished").ifAny,
        .object(
          PairedRunsKey.bench,
          [
            .list(PairedRunsKey.arguments, .text, "the arguments of the command"),
            .text(PairedRunsKey.folder, "where it was begun").ifAny,
            .list(PairedRunsKey.commits, .text, "the commits of both sides"),
            .integer(PairedRunsKey.seed, "what the order of the pairs depends on"),
            .list(PairedRunsKey.names, .text, "the names of both sides"),
            .words(
              PairedRunsKey.kind, ComparisonOptions.Kind.allCases.map(\.rawValue),
              "what is compared"),
            .list(PairedRunsKey.metrics, .text, "the figures that were chosen"),
            .list(PairedRunsKey.thresholds, .text, "the thresholds that were given"),
          ], "what 'bench' measured, whose runs have the tags side and pair"
        ).ifAny,
      ]),
      .object(RunShapes.owner + [.text(SummaryKey.failed, "why the trace could not be read")]),
      .object(RunShapes.owner + RunShapes.tally),
    ]))
}

/// Runs as summaries store them: whole numbers, from which figures are computed. The content of `PackedCounts` is not described here.
private enum RunShapes {
  static let owner: [JSONMember] = [
    .text(SummaryKey.file, "the trace").ifAny,
    .integer(SummaryKey.size, "its bytes").ifAny,
    .text(SummaryKey.process, "its process").ifAny,
    .text(SummaryKey.surface, "its surface").ifAny,
    .integer(SummaryKey.surfaces, "how many surfaces it has").ifAny,
    .text(SummaryKey.identity, "what identifies its contents").ifAny,
    .list(SummaryKey.identities, .text, "what identifies each run that was merged").ifAny,
    .map(SummaryKey.tags, .text, "the tags of the run"),
  ]

  static let tally: [JSONMember] = [
    .integer(SummaryKey.runs, "how many runs it stands for"),
    .integer(SummaryKey.bound, "runs whose frame times are bound to refreshes").ifAny,
    .object(
      SummaryKey.frames,
      JSONMember.counts(
        [
          SummaryKey.count, SummaryKey.displayed, SummaryKey.replaced, SummaryKey.discarded,
          SummaryKey.unresolved,
        ], of: "frames"), "what became of frames"),
    .object(
      SummaryKey.dropped,
      [
        .integer(SummaryKey.runs, "runs that show which refreshes were dropped"),
        .integer(SummaryKey.active, "refreshes in active time"),
        .object(
          SummaryKey.byStage,
          JSONMember.counts(PipelineStage.allCases.map(\.rawValue), of: "dropped refreshes")
            .map(\.ifAny), "charged to each stage"),
      ], "dropped refreshes"
    ).ifAny,
    .object(
      SummaryKey.hitches,
      [
        .integer(SummaryKey.runs, "runs that show hitches"),
        .integer(SummaryKey.count, "how many hitches"),
        .integer(SummaryKey.total, "their total length"),
        .integer(SummaryKey.span, "the time that the ratio is taken over"),
      ], "hitches"
    ).ifAny,
    .map(
      SummaryKey.statistics,
      .object(
        RunFigure.Statistic.allCases.map {
          .integer($0.rawValue, "the \($0.rawValue) of its values").ifAny
        }), "statistics of metrics, in millionths of their units; absent where runs were added up"
    ).ifAny,
    .map(
      SummaryKey.figures, .integer,
      "metrics with one figure for a run, in millionths of their units; absent where runs were added up"
    ).ifAny,
    .text(
      SummaryKey.packed, "the counts of values, and what comparisons need, for frametool alone"),
  ]
}

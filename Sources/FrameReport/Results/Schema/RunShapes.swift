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

/// Runs as summaries store them: whole numbers, from which figures are computed.
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
    .integer(SummaryKey.bound, "how many exact values a figure keeps").ifAny,
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
    .rows(
      SummaryKey.values,
      key + [
        .text(SummaryKey.unit, "the unit, of which sums and bounds are millionths"),
        .integer(SummaryKey.runs, "runs that have values"),
        .integer(SummaryKey.missing, "items without a value"),
        .integer(SummaryKey.inferred, "runs whose values are inferred"),
      ] + counts, "the values of each metric"),
    .rows(
      SummaryKey.figures,
      key + [.text(SummaryKey.statistic, "the statistic of a run").ifAny] + counts + [
        .list(SummaryKey.each, .integer, "each value, as its distance from the one before").ifAny
      ], "one value for each run"),
    JSONMember(SummaryKey.run, run, "the run, as comparisons need it").ifAny,
  ]

  private static let key: [JSONMember] = [
    .text(SummaryKey.metric, "the metric"),
    .text(SummaryKey.definition, "which of its definitions it is").ifAny,
  ]

  private static let counts: [JSONMember] = [
    .integer(SummaryKey.count, "how many values"),
    JSONMember(SummaryKey.sum, .either([.integer, .text]), "their sum; text if beyond 64 bits"),
    .integer(SummaryKey.low, "the smallest").ifAny,
    .integer(SummaryKey.high, "the largest").ifAny,
    .integer(SummaryKey.zeros, "how many are 0").ifAny,
    .list(SummaryKey.above, .integer, "bins above 0: distance and count in turns").ifAny,
    .list(SummaryKey.below, .integer, "bins below 0: distance and count in turns").ifAny,
  ]

  private static let run = JSONShape.object([
    .text(RunKey.file, "the trace"), .text(RunKey.process, "its process").ifAny,
    .text(RunKey.surface, "its surface"),
    .text(RunKey.metric, "what is compared, if not frame times").ifAny,
    .text(RunKey.definition, "which of the metric's definitions it is"),
    .integer(RunKey.refresh, "the refresh interval").ifAny,
    .text(RunKey.refreshSource, "how that is known").ifAny,
    .integer(RunKey.refreshesKept, "every how many refreshes it draws").ifAny,
    .integer(RunKey.start, "its first time").ifAny, .text(RunKey.clock, "the clock").ifAny,
    .integer(RunKey.onGrid, "frame times that are multiples of the interval"),
    .integer(RunKey.onKept, "frame times that are multiples of the kept rate"),
    .object(
      RunKey.exact,
      RunMetric.allCases.map { .number($0.rawValue, "the \($0.rawValue) of frame times").ifAny },
      "statistics of all frame times"),
    .number(RunKey.droppedShare, "the share of dropped refreshes").ifAny,
    .number(RunKey.hitchRatio, "hitch time in a second").ifAny,
    .number(RunKey.jankShare, "the share of janky frames").ifAny,
    .map(RunKey.rates, .number, "displayed and rendered rates").ifAny,
    .object(
      RunKey.limits,
      JSONMember.counts(
        FrameLimits.Limit.allCases.map(\.rawValue), of: "frames by what limited them"),
      "what limited its frames"
    ).ifAny,
    .map(RunKey.setup, .text, "what it was recorded with").ifAny,
    .list(RunKey.losses, .text, "what is missing from it").ifAny,
    .rows(
      RunKey.blocks,
      [
        .integer(RunKey.count, "frames"), .integer(RunKey.sum, "the sum of their times"),
        .integer(RunKey.missed, "refreshes missed at the run's rate"),
        .integer(RunKey.late, "time lost at the run's rate"),
        .integer(RunKey.missedLocally, "refreshes missed at the rate there"),
        .integer(RunKey.lateLocally, "time lost at the rate there"),
        .list(RunKey.bins, .integer, "bins of frame times: bin and count in turns"),
      ], "stretches of the run"),
    .list(RunKey.launches, .integer, "the length of each launch").ifAny,
    .list(RunKey.launchMetrics, .text, "what each launch measures").ifAny,
    .flag(RunKey.profiled, "whether a profiler slowed launches down").ifAny,
    .text(RunKey.latency, "the latency that is compared").ifAny,
    .list(RunKey.latencies, .integer, "each latency").ifAny,
  ])
}

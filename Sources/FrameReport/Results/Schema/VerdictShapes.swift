import FrameTrace
import FrameVerdicts

extension DocumentSchema {
  static let comparison = DocumentSchema(
    "compare", FieldRecord.comparisonSchema, "printed by 'compare --format json'",
    .either([
      .named("comparison"),
      .object([
        .schema(FieldRecord.comparisonSchema),
        VerdictShapes.verdict("overall", "the worst verdict"),
        VerdictShapes.state,
        .list("comparisons", .named("comparison"), "each side after the first, with the first"),
      ]),
    ]), [("comparison", VerdictShapes.comparison)])

  static let gate = DocumentSchema(
    "gate", GateReport.schema, "printed by 'gate --format json'",
    .object([
      .schema(GateReport.schema),
      .rows(
        "traces",
        [
          .text("file", "the trace"),
          .list("limits", .object(JSONMember.all(GatedLimitRow.data)), "each limit"),
          .number("slower", "by how much the self-test slowed the trace, as a share").ifAny,
          .flag("proved", "whether every limit failed then").ifAny,
          .list("uneven", .text, "limits that the whole trace keeps and one half does not").ifAny,
        ], "each trace"),
      .list("runs", .object(JSONMember.all(GatedRunsReport.columns)), "all runs together").ifAny,
    ]))

  static let gateSuggestion = DocumentSchema(
    "gate-suggestion", GateSuggestionReport.schema, "printed by 'gate --suggest --format json'",
    .object([
      .schema(GateSuggestionReport.schema),
      .number("chance_unchanged_fails", "the share of unchanged runs that fail a limit"),
      .list("files", .text, "the runs"),
      .rows(
        "figures",
        JSONMember.all(GateSuggestionReport.columns) + [
          .rows(
            "limits",
            [
              .integer("runs", "for the median of how many runs"), .text("limit", "the limit"),
              .number("notices", "how much worse a run is that fails it, as a share").orNull,
            ], "limits for one run and for medians of several")
        ], "each figure"),
      .rows(
        "left_out", [.text("metric", "the figure"), .text("why", "why it has no limit")],
        "figures without a limit"),
    ]))
}

extension DocumentSchema {
  static let runsOfOneSide = DocumentSchema(
    "runs-of-one-side", RunsOfOneSideReport.schema,
    "printed by 'analyze --summary-of-runs --format json'",
    .object([
      .schema(RunsOfOneSideReport.schema),
      .list("files", .text, "the runs"),
      .rows("figures", JSONMember.all(RunsOfOneSideReport.columns), "each figure"),
      .list("partial", .text, "figures that only some of the runs have"),
    ]))
}

/// Comparisons and verdicts in the documents that have them.
enum VerdictShapes {
  static func verdict(_ key: String, _ meaning: String) -> JSONMember {
    .words(key, Verdict.allCases.map(\.rawValue), meaning)
  }

  /// The verdict in the words of printed output.
  static let state = JSONMember.words(
    "state", Verdict.allCases.map(\.word), "the verdict in the words of printed output")

  static let comparison = JSONShape.object([
    .schema(FieldRecord.comparisonSchema), .rows("before", run, "the runs of the first side"),
    .rows("after", run, "the runs of the other side"),
    .text("before_name", "what the first side is called"),
    .text("after_name", "what the other side is called"),
    .words(
      "design", RunDesign.allCases.map(\.rawValue),
      "how the runs were made: in pairs, in turns, all of one side first, or in unknown order"),
    .text("method", "how it was decided"),
    verdict("overall", "the verdict on all figures"), state,
    .text("reason", "why that is the verdict"), .text("sentence", "the state and the reason"),
    .rows(
      "ruled_out",
      [
        .text("metric", "the figure"),
        .number("worse_by_more_than", "the smallest change that is ruled out"),
        .text("unit", "its unit"),
      ], "what is ruled out if the state is fine"),
    .list(
      "metrics", .object(JSONMember.all(ComparedFigureRow.columns(SideNames()))),
      "figures that were compared"),
    .list(
      "beside", .object(JSONMember.all(ComparedFigureRow.reference(SideNames()))),
      "figures shown for reference"),
    .list("warnings", .text, "what a reader must know before trusting the verdict"),
  ])

  private static let run: [JSONMember] = [
    .text("file", "the trace"), .text("process", "its process").orNull,
    .text("surface", "its surface"), .integer("frames", "how many frames it has"),
    .integer("latencies", "how many latencies it has").ifAny,
    .integer("launches", "how many launches it has").ifAny, .text("metric", "what is compared"),
    .text("definition", "which of the metric's definitions it is"),
    .number("refresh_ms", "the refresh interval").orNull,
    .text("refresh_source", "how that is known").orNull,
    .integer("refreshes_kept", "every how many refreshes it draws").orNull,
    .flag("quantized", "whether frame times are multiples of the interval"),
  ]
}

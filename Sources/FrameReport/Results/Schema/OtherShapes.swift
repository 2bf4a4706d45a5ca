import FrameAnalysis
import FrameReplay
import FrameTrace

extension DocumentSchema {
  static let replay = DocumentSchema(
    "replay", ReplayReport.schema, "printed by 'replay --format json'",
    .either([
      .named("replay"),
      .object([
        .schema(ReplayReport.schema),
        .list(
          ReplayReport.replaysKey, .named("replay"), "that of each trace, if there are several"),
      ]),
    ]),
    [("replay", replayOfTrace), ("figure", .object(JSONMember.all(Replay.Figure.columns)))])

  private static let replayOfTrace = JSONShape.object([
    .schema(ReplayReport.schema), .text("file", "the trace"), .text("surface", "the surface"),
    .list("recorded", .text, "the conditions of the recording"),
    .list("conditions", .text, "what was changed"),
    .rows(
      "explanations", [.list("words", .text, "its conditions")],
      "other explanations that fit the recording as well"
    ).ifAny,
    .object(
      "model",
      JSONMember.counts(
        ["frames", "shown", "reproduced", "missing", "generated"], of: "frames")
        + [.number("reproduced_share", "the share shown when they were recorded to be")],
      "how well the replay explains the recording"),
    .list("figures", .named("figure"), "each figure"),
    .rows(
      "dropped_by_stage",
      [
        .words("stage", PipelineStage.allCases.map(\.rawValue), "the stage"),
        .integer("recorded", "dropped refreshes as recorded"),
        .integer("predicted", "dropped refreshes under the conditions").orNull,
      ], "dropped refreshes"),
    .object(
      "sweep",
      [
        .text("variable", "what was varied"),
        .rows(
          "values",
          [.number("value", "its value"), .list("figures", .named("figure"), "each figure")],
          "each value"),
      ], "one condition at several values"
    ).ifAny,
    .rows(
      "advice",
      [
        .list("conditions", .text, "the change"), .text("metric", "the figure that gains"),
        .number("gain", "by how much"), .text("unit", "its unit"),
        .number("model_error", "by how much the model misses it"),
        .flag("decided", "whether the gain is larger than that"),
        .text("sentence", "the same in words"),
      ], "changes that help, the best first"
    ).ifAny,
    .list("notes", .text, "what a reader must know before trusting it"),
  ])

  static let info = DocumentSchema(
    "info", TraceInfo.schema, "printed by 'info --format json'",
    .either([
      .object(traceInfo),
      .object([
        .schema(TraceInfo.schema), .rows("traces", traceInfo, "each trace"),
      ]),
    ]))

  private static let traceInfo: [JSONMember] = [
    .schema(TraceInfo.schema), .text("file", "its name"),
    .text("importer", "the format that was detected"), .text("format", "the format in words"),
    .text("reason", "why that format"), .text("compression", "how it is compressed").ifAny,
    .text("made_from", "the file that it was converted from").ifAny,
    .list("read_beside", .text, "files that were read with it").ifAny,
    .integer("start_ns", "its first time").orNull, .integer("end_ns", "its last time").orNull,
    .list("clocks", .text, "the clocks of its times"),
    .map("records", .integer, "how many records of each kind there are"),
    .rows(
      "surfaces",
      [
        .text("id", "its name in the trace"), .text("process", "its process").orNull,
        .integer("pid", "the number of the process").orNull,
        .integer("frames", "how many frames it has"),
        .list("columns", .text, "what is recorded of frames"),
      ], "each surface"),
    .list("capabilities", .words(Capability.allCases.map(\.rawValue)), "what it can answer"),
    .list("issues", TraceIssue.shape, "what was skipped, repaired or assumed"),
  ]

  static let plot = DocumentSchema(
    "plot", PlotData.schema, "written by 'plot -o FILE.json'",
    .object([
      .schema(PlotData.schema), .text("kind", "the kind of plot"), .text("title", "its title"),
      .text("subtitle", "what is below the title"),
      .text("description", "what it shows, in a sentence"),
      .rows(
        "panels",
        [
          JSONMember("x", .named("axis"), "the horizontal axis"),
          JSONMember("y", .named("axis"), "the vertical axis"),
          .rows(
            "layers",
            [
              .text("shape", "how its rows are drawn"), .text("name", "its name in the key").ifAny,
              .text("stands_for", "the role of its color"),
              .integer("drawn_from", "how many values its rows stand for"),
              .list("columns", .text, "what the numbers in a row are"),
              .list("rows", .list(.either([.number, .null])), "the rows"),
            ], "each layer, the lowest first"),
          .rows(
            "labels",
            [
              .number("x", "where"), .number("y", "where"), .text("text", "what is written there"),
            ], "labels"),
        ], "each panel, the highest first"),
    ]),
    [
      (
        "axis",
        .object([
          .text("label", "what it measures, with its unit"), .number("low", "its lower end"),
          .number("high", "its upper end"),
          .words("reversed", ["yes"], "whether it counts down").ifAny,
          .list("names", .text, "the names along it").ifAny,
        ])
      )
    ])

  static let brief = DocumentSchema(
    "brief", Brief.schema, "printed by any command with '--brief --format json'",
    .object([
      .schema(Brief.schema), .text("answers", "what is answered: analysis, comparison and so on"),
      .text("sentence", "the finding"), .text("state", "the verdict in a word").ifAny,
      .object(
        "coverage",
        [
          .number("frames_ms", "how long frames cover"),
          .number("recording_ms", "how long the recording is"),
          .integer("frames_shown", "frames that follow another one").ifAny,
          .integer("frames_judged", "how many of these have a due time").ifAny,
        ], "how much of the recording can be judged"
      ).ifAny,
      .map("dropped", .integer, "dropped refreshes by stage").ifAny,
      .list("figures", figure, "the main figures"),
      .rows(
        "worst",
        [
          .text("id", "the frame, or what else identifies it"), .text("text", "what happened"),
          .text("command", "the command that shows it"),
        ], "the worst events"),
      .list("warnings", .text, "what a reader must know before trusting it").ifAny,
      .text("more", "the command that shows all"),
    ]))

  /// A figure of a brief: its values are named after statistics, sides or conditions.
  private static let figure = JSONShape.object(
    [
      .text("metric", "the figure"), .text("unit", "its unit"),
      .integer("n", "how many values there are").ifAny,
    ]
      + [
        "value", "median", "p50", "p99", "max", "before", "after", "recorded", "predicted",
      ].map { .number($0, "its \($0)").ifAny } + [
        .number("effect", "the change between two sides").ifAny,
        .text("effect_unit", "the unit of the change").ifAny,
      ])
}

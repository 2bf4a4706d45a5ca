import FrameAnalysis
import FrameStatistics
import FrameTrace

extension DocumentSchema {
  static let analysis = DocumentSchema(
    "analyze", FieldRecord.analysisSchema, "printed by 'analyze --format json'",
    .either([
      .object(traceMembers),
      .object([
        .schema(FieldRecord.analysisSchema),
        .rows("analyses", traceMembers, "each trace, in the order of the arguments"),
        .list("failed", .text, "why other traces could not be read").ifAny,
      ]),
    ]),
    [
      ("measured", MeasuredField.shape), ("display", DisplayShape.shape),
      ("surface", SurfaceShape.shape), ("launch", LaunchShape.launch),
    ])

  private static let traceMembers: [JSONMember] = [
    .schema(FieldRecord.analysisSchema),
    .object("trace", source, "the trace and how it was read"),
    .object(
      "region",
      [
        .number("from_ms", "its start, from the start of the trace").orNull,
        .number("to_ms", "its end, from the start of the trace").orNull,
      ], "the part that was analyzed, if not all"
    ).ifAny,
    JSONMember("display", .named("display"), "the display of the main surface"),
    .list("surfaces", .named("surface"), "each surface, the main one first"),
    .integer("surfaces_left_out", "further surfaces with no more frames, which are not analyzed")
      .ifAny,
    .list("launches", .named("launch"), "each launch"),
    .rows(
      "telemetry", JSONMember.all(TelemetryReport.columns), "what sensors and counters read"
    ).ifAny,
    .object("interactions", interactions, "interactions with pages").ifAny,
    .object("hangs", hangs, "hangs that the source states").ifAny,
    .rows("figures", figures, "figures that the source states for runs").ifAny,
    .rows("histograms", histograms, "histograms that the source states").ifAny,
  ]

  private static let source: [JSONMember] = [
    .text("file", "its name"), .text("importer", "the format that was detected"),
    .text("format", "the format in words, with its version"),
    .object(
      "setting",
      [
        .text("origin", "whether it was measured in a laboratory or in the field"),
        .text("device", "the device").ifAny, .text("system", "the system's version").ifAny,
        .text("version", "the app's version").ifAny, .text("date", "when it was recorded").ifAny,
      ]
        + Setting.Condition.allCases.map {
          .text($0.rawValue, "the \($0.words) that frames were drawn or shown with").ifAny
        }, "where the recording was made"
    ).ifAny,
    .text("clock", "the clock of its times").orNull,
    .integer("start_ns", "its first time on that clock").orNull,
    .integer("end_ns", "its last time on that clock").orNull,
    JSONMember(
      "capabilities", .list(.words(Capability.allCases.map(\.rawValue))), "what it can answer"
    ).orNull,
    .list("issues", TraceIssue.shape, "what was skipped, repaired or assumed"),
  ]

  private static let interactions: [JSONMember] = [
    .number("inp_ms", "the interaction to next paint").orNull,
    .text("rating", "good, needs improvement or poor, by web.dev").orNull,
    .integer("pages", "how many pages there are"),
    .integer("count", "how many interactions there are"),
    .integer("missing", "how many events of interactions lack an end or a beginning"),
    .rows(
      "list",
      [
        .integer("number", "the browser's number"),
        .number("start_ms", "its start, from the start of the trace"),
        .number("ms", "until the next picture"),
        .text("event", "the type of its longest event").orNull,
        .text("target", "the element").orNull, .text("process", "the page's process").orNull,
        .number("input_delay_ms", "until the first handler").orNull,
        .number("processing_ms", "while handlers ran").orNull,
        .number("presentation_ms", "from the last handler to the picture").orNull,
        .integer("frame", "the row of the frame whose picture ended it").orNull,
        .text("work", "what its longest part was mostly spent in").orNull,
        .number("work_ms", "how long of that part").orNull,
      ], "each interaction"),
  ]

  private static let hangs: [JSONMember] = [
    .integer("count", "how many there are"),
    .integer("missing", "how many have no length"),
    .number("total_ms", "their total length"), .number("longest_ms", "the longest").orNull,
    .rows(
      "list",
      [
        .number("start_ms", "its start, from the start of the trace").orNull,
        .number("ms", "its length"), .text("kind", "the source's word for it").orNull,
        .text("process", "the process").orNull, .integer("thread", "the thread").orNull,
      ], "each hang"),
  ]

  private static let figures: [JSONMember] = [
    .text("scene", "what was done").orNull, .text("metric", "what is stated"),
    .text("unit", "its unit"), .text("label", "the source's name for it").orNull,
    .integer("n", "how many values there are"), .number("p50", "their median"),
    .flag("at_least", "whether values may be larger: the bin has no upper bound").ifAny,
    .list("runs", .list(.number), "the values of each run"),
  ]

  private static let histograms: [JSONMember] = [
    .text("metric", "what is stated"), .text("unit", "its unit"),
    .number("n", "how many values there are"), .number("p50", "their median"),
    .number("p95", "their quantile of 95 %"),
    .flag("open", "whether the last bin has no upper bound").ifAny,
    .rows(
      "bins",
      [
        .number("from", "its lower end"), .number("to", "its upper end"),
        .number("count", "how many values are in it"),
      ], "each bin"),
  ]
}

extension TraceIssue {
  /// The shape of an issue in every document.
  static let shape = JSONShape.object(JSONMember.all(columns))
}

extension MeasuredField {
  /// The shape of a measured value: its statistics, its one value, or why there is none.
  static let shape: JSONShape = {
    let unit = JSONMember.text("unit", "the unit of the values")
    let known: [JSONMember] = [
      .integer("missing", "how many items have no value")
    ]
    let about: [JSONMember] = [
      .flag("inferred", "whether it rests on something that the trace does not state"),
      .text("definition", "which of the metric's definitions it is").ifAny,
      .text("passed_over", "why a better definition was not used").ifAny,
      .rows(
        "excluded",
        [.text("reason", "why values were left out"), .integer("count", "how many")],
        "values that were left out"
      ).ifAny,
    ]
    let statistics = Summary.names.map { JSONMember.number($0, "the \($0) of the values") }
    let n = JSONMember.integer("n", "how many values there are")
    return .either([
      .object([unit, n] + known + statistics + about),
      .object([unit, n] + known + [.number("value", "the one value")] + about),
      .object([unit, n, .text("why", "why it was not measured")]),
    ])
  }()
}

/// The refreshes of a display.
enum DisplayShape {
  static let shape = JSONShape.object(
    [
      .number("refresh_ms", "the refresh interval").orNull,
      .flag("variable", "whether the display waits for frames").orNull,
      .words(
        "source", DisplayRefreshes.Source.allCases.map(\.rawValue), "how the interval is known"
      ).orNull,
      .number("coherence", "how well display times fit the interval, up to 1").ifAny,
      .number(
        "step_share", "how many steps between display times are whole stated refreshes, up to 1"
      ).ifAny,
      .number("shortest_ms", "the shortest interval of a variable display").orNull.ifAny,
      .number("contradicted_ms", "a stated interval that display times contradict").ifAny,
      .number("may_be_ms", "another interval that explains the same times").ifAny,
      .rows(
        "rates",
        [
          .number("t_ms", "its start, from the start of the trace"),
          .number("refresh_ms", "its interval"),
        ], "each stretch at one rate, if the rate changed"
      ).ifAny,
    ], orMissing: ["refresh_ms", "variable", "source"])
}

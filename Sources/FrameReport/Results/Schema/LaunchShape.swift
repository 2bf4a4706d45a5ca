import FrameAnalysis
import FrameTrace

extension DocumentSchema {
  static let launch = DocumentSchema(
    "launch", FieldRecord.launchSchema, "printed by 'launch --format json' and 'launch run'",
    .object([
      .schema(FieldRecord.launchSchema), .number("goal_ms", "the goal for a launch"),
      .number("system_goal_ms", "the system's part of it"),
      .number("app_goal_ms", "the app's part of it"),
      .rows("groups", LaunchShape.group, "launches that can be compared, group by group"),
      .object(
        "left_out",
        JSONMember.counts(RebuiltLaunch.Exclusion.allCases.map(\.rawValue), of: "launches"),
        "launches that count in no figure, by reason"),
      .list(
        "findings", .object(JSONMember.all(LaunchFindingRow.columns)), "what to look at first"),
      .rows(
        "traces",
        [
          .text("file", "the trace"), .text("importer", "its format"),
          .list("issues", TraceIssue.shape, "what was skipped, repaired or assumed"),
          .list("launches", .named("launch"), "its launches"),
        ], "each trace"),
      JSONMember("comparison", .named("comparison"), "two groups of launches compared").ifAny,
    ]),
    [
      ("measured", MeasuredField.shape), ("launch", LaunchShape.launch),
      ("comparison", VerdictShapes.comparison),
    ])
}

/// Launches in the documents that have them.
enum LaunchShape {
  static let launch = JSONShape.object(
    JSONMember.all(LaunchColumns.all) + [
      .rows(
        "phases",
        JSONMember.all(LaunchPhaseRow.columns) + [
          .list("waits", .object(JSONMember.all(ThreadWait.columns)), "what it waited for"),
          .list("calls", .object(JSONMember.all(CallTime.columns)), "the functions that took most"),
        ], "each phase"),
      .list("inversions", .object(JSONMember.all(InversionRow.columns)), "priority inversions"),
    ])

  static let group: [JSONMember] = [
    .text("process", "the process").orNull, .text("kind", "cold, warm, prewarm or resume").orNull,
    .text("until", "what ends the launches"),
    .flag("profiled", "whether a profiler slowed them down"),
    .words("from", ["tap", "process"], "what their totals are measured from"),
    .text("metric", "the metric that they measure"),
    .integer("over_goal", "how many are over the goal").orNull,
    measured("total", "from start to end"), measured("system", "the system's share"),
    measured("app", "the app's share"), measured("cpu", "processor time"),
    .rows(
      "phases",
      [
        .text("name", "the phase"), measured("wall", "how long it takes"),
        measured("cpu", "processor time in it"),
      ], "each phase over all launches"),
  ]

  private static func measured(_ key: String, _ meaning: String) -> JSONMember {
    JSONMember(key, .named("measured"), meaning)
  }
}

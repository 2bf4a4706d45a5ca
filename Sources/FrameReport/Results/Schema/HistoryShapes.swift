import FrameTrace
import FrameVerdicts

extension DocumentSchema {
  static let historyList = DocumentSchema(
    "history-list", HistoryReport.schema, "printed by 'history list --format json'",
    .either([
      .object(
        HistoryShapes.store + [
          .integer("total", "how many jobs the store has"),
          .list("jobs", .named("job"), "the newest jobs, in order of time"),
        ]),
      .object(
        HistoryShapes.store + [
          .list("series", .object(JSONMember.all(HistorySeries.Key.columns)), "each series")
        ]),
    ]), [("job", HistoryShapes.job)])

  static let historyCheck = DocumentSchema(
    "history-check", HistoryReport.schema, "printed by 'history check --format json'",
    .object(
      HistoryShapes.store + [
        VerdictShapes.verdict("overall", "the verdict on all series"), VerdictShapes.state,
        .text("reason", "why that is the verdict"),
        .integer("recent", "how many of the newest jobs a change may be in to count"),
        .rows("checks", HistoryShapes.check, "each series"),
        .list("warnings", .text, "what a reader must know before trusting the verdict"),
      ]), [("job", HistoryShapes.job)])
}

/// Jobs and shifts of a history in the documents that have them.
enum HistoryShapes {
  static let store: [JSONMember] = [
    .schema(HistoryReport.schema), .text("store", "the file of the history"),
  ]

  static let job = JSONShape.object(
    JSONMember.all(HistoryJob.about) + [.map("tags", .text, "what else is known of it")])

  static let check: [JSONMember] = [
    .object("series", JSONMember.all(HistorySeries.Key.columns), "the series"),
    .integer("jobs", "how many jobs it has"), VerdictShapes.verdict("verdict", "the verdict on it"),
    VerdictShapes.state,
    .object(
      "accepted",
      [
        JSONMember("job", .named("job"), "the job"), .text("note", "why it was accepted").ifAny,
      ], "the job up to which its level was accepted"
    ).ifAny,
    .object(
      "standing",
      [
        JSONMember("first", .named("job"), "the first job of the worse level"),
        .integer("jobs", "how many jobs ago that is"),
      ] + shift, "a worse level that was not accepted"
    ).ifAny,
    .text("effect_unit", "the unit of effects"),
    .object("creep", shift, "a slow change").ifAny,
    .object(
      "newest",
      [JSONMember("job", .named("job"), "the newest job")] + shift + [
        .integer("new_jobs", "how many of the newest jobs were judged"),
        .integer("level_jobs", "against how many of their level"),
        .number("threshold", "the smallest change worth acting on"),
        .number("worse_by_at_most", "the largest worsening that is not ruled out"),
        .list("firsts", chance, "jobs that may be the first of a new level"),
      ], "the newest jobs against their level"
    ).orNull,
    .rows(
      "changes",
      [
        JSONMember("last", .named("job"), "the last job before it"),
        JSONMember("first", .named("job"), "the first job after it"),
        .list("firsts", chance, "jobs that may be the first of the level"),
      ] + shift + [
        .text("search", "the command that finds the commit").ifAny,
        .flag("worse", "whether it is for the worse").orNull,
      ], "each change of level"),
  ]

  private static let shift = JSONMember.all(HistoryShift.columns)

  private static let chance = JSONShape.object([
    JSONMember("job", .named("job"), "the job"),
    .number("probability", "the probability that it is the first"),
  ])
}

import FrameAnalysis
import FrameTrace
import FrameVerdicts

extension DocumentSchema {
  static let fleet = DocumentSchema(
    "fleet", FleetReport.schema, "printed by 'fleet --format json'",
    .object([
      .schema(FleetReport.schema), .list("by", .text, "the tags by which runs are grouped"),
      .text("metric", "the metric whose values are described"),
      .text("unit_that_repeats", "what repeats: runs, or the values of a tag"),
      .integer("runs", "how many runs there are"),
      .rows(
        "groups",
        [FleetShapes.tags] + JSONMember.all(FleetGroupRow.dataColumns(Fleet.Options())) + [
          .object("dropped", FleetShapes.stages, "dropped refreshes by stage").ifAny
        ], "each group"),
      .object(
        "comparison",
        [
          .text("tag", "the tag that distinguishes the sides"),
          .text("before", "its value on the first side"),
          .text("after", "its value on the other side"),
          VerdictShapes.verdict("overall", "the verdict on all groups"), VerdictShapes.state,
          .text("reason", "why that is the verdict"),
          .number("false_discovery_rate", "the accepted share of false positives"),
          .object("all", FleetShapes.group, "all groups at the same mix"),
          .rows("groups", FleetShapes.group, "each group"),
        ], "the comparison of two values of a tag"
      ).ifAny,
      .rows(
        "failed", [.text("file", "the trace"), .text("reason", "why it could not be read")],
        "traces that could not be read"),
    ]))
}

/// Parts of the documents on fleets.
enum FleetShapes {
  fileprivate static let stages = JSONMember.counts(
    PipelineStage.allCases.map(\.rawValue), of: "dropped refreshes")

  /// The values of tags: `null` where runs do not have one, with the reason.
  fileprivate static let tags = JSONMember.map(
    "tags", .either([.text, .map(.text), .null]), "the values of its tags")

  fileprivate static let group: [JSONMember] = [
    tags.ifAny, VerdictShapes.verdict("verdict", "the verdict on the group").orNull,
    .text("decisive", "the figure that decides").ifAny,
    .list(
      "figures", .object(JSONMember.all(FleetFigureRow.figureColumns())), "each figure"),
  ]
}

import FrameTrace
import FrameVerdicts

extension DocumentSchema {
  static let bench = DocumentSchema(
    "bench", BenchReport.schema, "printed by 'bench --format json'",
    .object([
      .schema(BenchReport.schema), VerdictShapes.verdict("overall", "the verdict on all figures"),
      VerdictShapes.state, .text("sentence", "the state and the reason"),
      .words(
        "ended", ["decided", "max_runs", "max_time", "stopped", "failing"], "why measuring ended"),
      .integer("pairs", "how many complete pairs there are"),
      .integer("warm_ups", "how many runs a side were thrown away first"),
      .integer("seed", "what the order of the pairs depends on"),
      .text("file", "where the runs are"), .list("failures", .text, "why runs failed"),
      .list("machine", .text, "what to know about the machine"),
      JSONMember("comparison", .named("comparison"), "the comparison of the pairs").orNull,
    ]), [("comparison", VerdictShapes.comparison)])

  static let bisect = DocumentSchema(
    "bisect", BisectReport.schema, "printed by 'bisect --format json'",
    .object([
      .schema(BisectReport.schema), .text("sentence", "the answer"),
      .flag("found", "whether there is an answer"),
      .text("commit", "the commit, or the last of several that cannot be told apart").orNull,
      .text("subject", "the first line of its message").orNull,
      .number("chance", "the probability of the answer").orNull,
      .list("candidates", .text, "the commits of the answer"),
      .number("stated_error", "the probability of a wrong answer that was asked for"),
      .text("metric", "the figure"), .text("unit", "its unit"),
      .number("before", "the median of the runs before the answer").orNull,
      .number("after", "the median of the runs from it on").orNull,
      .number("effect", "the change, in the unit of effects").orNull,
      .text("effect_unit", "the unit of effects"),
      .integer("runs", "how many runs were made"),
      .integer("builds", "how many commits were built").orNull,
      .integer("seed", "what the order of the ends depends on"),
      .rows(
        "next", [.text("commit", "a commit"), .number("chance", "its probability")],
        "other commits, the most probable first"),
      .rows(
        "commits",
        JSONMember.all(BisectReport.columns) + [.text("skipped", "why it was skipped").ifAny],
        "the commits that were measured or skipped"),
      .rows(
        "steps", [.text("commit", "the commit"), .number("value", "the figure of the run")],
        "the runs in order"),
      .list("warnings", .text, "what to know about the answer and the machine"),
      .text("folder", "where the state is"),
    ]))
}

package import FrameKit

extension ScenarioTruth {
  /// The schema name of a scenario's truth, with its version.
  static let schemaName = "frametool.truth/1"

  /// The schema of a scenario's truth.
  package static let schema = DocumentSchema(
    "truth", schemaName, "written by 'generate --truth FILE'",
    .object(
      [
        .schema(schemaName), .text("scenario", "its name"),
        .integer("seed", "the seed of its random numbers"),
      ] + surface.map(\.ifAny) + [
        .rows("surfaces", surface, "each surface, if there are several").ifAny,
        .rows("launches", launch, "each launch, in order").ifAny,
      ]))

  private static let surface: [JSONMember] = [
    .object(
      "frames",
      [
        .integer("count", "frames"), .integer("displayed", "frames that were displayed"),
        .integer("replaced", "frames that a newer one replaced"),
        .integer("discarded", "frames that were thrown away"),
      ], "what becomes of frames"),
    .map(
      "metrics",
      .object([
        .text("unit", "the unit of the values"), .integer("n", "how many values there are"),
        .number("min", "the smallest"), .number("mean", "the mean"), .number("max", "the largest"),
      ]), "the values of metrics"),
    .object(
      "pipeline",
      [
        .map("dropped", .integer, "dropped refreshes by stage"),
        .integer("depth", "the depth of every frame once the pipeline is filled").ifAny,
        .rows(
          "mode_changes",
          [
            .integer("from", "the depth before"), .integer("to", "the depth after"),
            .text("stage", "the stage that caused it"),
          ], "the changes of depth"
        ).ifAny,
        .map("touches", .integer, "touch samples and the fates of the main ones").ifAny,
        .integer("rest_ns", "how long no frame was due").ifAny,
      ], "the truth of the pipeline"
    ).ifAny,
  ]

  private static let launch: [JSONMember] = [
    .text("kind", "cold, warm or resume"), .number("total_ms", "from start to end"),
    .flag("measurement", "whether it counts in figures"),
    .flag("profiled", "whether a profiler slows it down"),
    .rows(
      "phases",
      [
        .text("name", "the phase"), .number("wall_ms", "how long it takes"),
        .number("cpu_ms", "processor time in it").ifAny,
      ]
        + ["blocked", "preempted", "runnable", "running", "unknown"].map {
          .number("\($0)_ms", "how long the main thread is in that state").ifAny
        }, "each phase"),
  ]
}

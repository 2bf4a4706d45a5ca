import FrameAnalysis
import FrameVerdicts

extension DocumentSchema {
  static let jankTruth = DocumentSchema(
    "jank-truth", JankTruth.schemaName,
    "written by 'generate --random', with every frame and dropped refresh of a trace",
    .object([
      .schema(JankTruth.schemaName), .text("trace", "the trace's name"),
      .text("family", "what kind of trace it is"),
      .integer("seed", "the seed of its random numbers"),
      .integer("version", "the version of the generator"),
      JSONMember("file", .either([.object(file), .null]), "how it was written"),
      .object(
        "display",
        [
          .flag("variable", "whether it waits for frames"),
          .rows(
            "rates",
            [
              .integer("refresh", "the refresh that it begins with"),
              .integer("time_ns", "when that was"),
              .integer("interval_ns", "the time between refreshes"),
            ], "the refresh rates in order; empty if it waits for frames"),
        ], "the display"),
      .rows("surfaces", surface, "each surface"),
      .rows("faults", fault, "what was made slow"),
      .rows("dropped", dropped, "each refresh that repeated an older frame while one was due"),
      .rows(
        "touches",
        [
          .integer("time_ns", "when it was"), .integer("surface", "the surface, by its place"),
          orNull("frame", "the frame that shows it, by its place"),
          orNull("latency_ns", "until that frame was shown as a whole"),
        ], "each touch"),
    ]))

  private static func orNull(_ key: String, _ meaning: String) -> JSONMember {
    JSONMember(key, .either([.integer, .null]), meaning)
  }

  private static func textOrNull(_ key: String, _ meaning: String) -> JSONMember {
    JSONMember(key, .either([.text, .null]), meaning)
  }

  private static let stage = JSONMember.words(
    "stage", PipelineStage.allCases.map(\.rawValue), "the stage")

  private static let file: [JSONMember] = [
    .text("name", "the file's name"), .text("format", "the format, as --encode names it"),
    .text("importer", "the importer that reads it"),
    .integer("precision_ns", "the precision of its times"),
    .integer("crc32", "the CRC-32 of its bytes"),
    .list("missing", .text, "what it lacks of what is known"),
  ]

  private static let surface: [JSONMember] = [
    .text("id", "what the file calls it"),
    .words("filled_by", ["app", "compositor"], "who draws into its buffers"),
    .object(
      "frames",
      [
        column(
          "row", "its place among the surface's frames in the file; null if the file lacks it"),
        column("generated", "1 for frames that a driver generated").ifAny,
      ]
        + JankTruth.columnNames.map {
          column($0, $0.hasSuffix("_ns") ? "a time, in nanoseconds" : "a number").ifAny
        }, "columns with a value for each frame, in order"),
    .rows(
      "depth",
      [
        .integer("time_ns", "from when on"), .integer("buffers", "how many buffers are in use"),
      ], "the buffers in use over time"),
  ]

  private static func column(_ key: String, _ meaning: String) -> JSONMember {
    .list(key, .either([.integer, .null]), meaning)
  }

  private static let fault: [JSONMember] = [
    .integer("surface", "the surface, by its place"), .integer("frame", "the frame, by its place"),
    stage, .integer("extra_ns", "by how much the stage took longer"),
    .flag("sustained", "whether the frames around it were too slow as well"),
    textOrNull("cause", "what kept the app's thread"),
  ]

  private static let dropped: [JSONMember] = [
    .integer("refresh", "its number"), .integer("time_ns", "when it was"),
    .integer("surface", "the surface, by its place"),
    .integer("victim", "the frame that was due, by its place"),
    JSONMember(
      "culprit",
      .either([
        .object([
          .integer("surface", "the surface, by its place"),
          .integer("frame", "the frame, by its place"),
        ]), .null,
      ]), "the frame to blame; null if many in a row were too slow"), stage,
    textOrNull("cause", "what kept the app's thread"),
  ]
}

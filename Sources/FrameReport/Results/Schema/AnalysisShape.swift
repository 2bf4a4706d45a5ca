import FrameAnalysis
import FrameStatistics
import FrameTrace

extension DocumentSchema {
  static let analysis = DocumentSchema(
    "analyze", FieldRecord.analysisSchema, "printed by 'analyze --format json'",
    .either([
      .object(JSONMember.all(TraceAnalysis.fields)),
      .object(JSONMember.all(TraceAnalysis.listFields)),
    ]),
    [
      ("measured", MeasuredField.shape), ("display", DisplayRefreshes.shape),
      ("surface", .object(JSONMember.all(SurfaceAnalysis.fields))),
      ("launch", .object(JSONMember.all(RebuiltLaunch.fields))),
    ])
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

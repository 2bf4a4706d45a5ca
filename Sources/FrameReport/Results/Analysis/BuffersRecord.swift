import FrameAnalysis
import FrameTrace

extension BufferFindings {
  typealias Row = (buffers: BufferFindings, shown: Int)

  /// The buffers of a surface, with the number of its displayed frames.
  static let fields: [ResultColumn<Row>] = [
    .object(
      "depth_share",
      ["1", "2", "3", "4+"].enumerated().map { index, depth in
        .real(depth, "the share of active time at depth \(depth)") { $0.shares[index] }
          .counted { figure($0.row, "") }
      }, "the share of active time in each depth"
    ) { row in row.buffers.depthShares.map { (shares: $0, row: row) } }
    .otherwise("no frame has a display time"),
    .integer("colors", "how many buffers there are", \.buffers.count)
      .counted { figure($0, "buffers") },
    .flag("inferred", "whether buffers or their use are inferred") {
      $0.buffers.isInferred || $0.buffers.hasInferredUse
    },
    .rows(
      "mode_changes",
      [
        .instant("t", "when, from the start of the trace", \.time),
        .integer("from", "the depth before", \.from), .integer("to", "the depth after", \.to),
        .integer("frame", "the frame that changed it", \.frame),
        .stage("stage", "the stage that took a different time", \.stage)
          .otherwise("no recorded stage took a different time"),
      ], areEvents: true, "each change of depth", \.buffers.changes),
    .integer("used", "how many buffers were used", \.buffers.used)
      .otherwise("the trace names no buffers"),
    .integer("allocated", "how many were allocated", \.buffers.allocated)
      .otherwise("the trace does not say how many were allocated"),
    .integer("held", "how many the compositor held", \.buffers.held)
      .otherwise("the trace does not say which buffers the compositor held"),
    .flag("pool", "whether the trace has a pool of buffers", \.buffers.isPool),
  ]

  @Sendable private static func figure(_ row: Row, _ unit: String) -> FieldRecord.Figure {
    FieldRecord.Figure(
      unit: unit, n: row.shown, isInferred: row.buffers.isInferred || row.buffers.hasInferredUse)
  }
}

extension DisplayRefreshes {
  /// The keys that are present with `null` if the refreshes are unknown.
  static let essential = ["refresh_ms", "variable", "source"]

  /// The refreshes of a display.
  static let fields: [ResultColumn<DisplayRefreshes>] = [
    .length("refresh", "the refresh interval", \.interval).otherwise(notKept).counted { refreshes in
      FieldRecord.Figure(unit: "ms", definition: refreshes.source?.rawValue ?? "")
    },
    .flag("variable", "whether the display waits for frames", \.isVariable)
      .otherwise("the trace does not state it"),
    .words(
      "source", Source.allCases.map(\.rawValue), "how the interval is known", \.source?.rawValue
    ).otherwise(notKept),
    // Four decimals are precise enough, and the same on every machine.
    .real("coherence", "how well display times fit the interval, up to 1") {
      $0.coherence.map { ($0 * 1e4).rounded() / 1e4 }
    }.ifAny,
    .real(
      "step_share", "how many steps between display times are whole stated refreshes, up to 1"
    ) { $0.stepShare.map { ($0 * 1e4).rounded() / 1e4 } }.ifAny,
    .length("shortest", "the shortest interval of a variable display", \.shortest)
      .otherwise("the trace does not state it").unless { !$0.isVariable },
    .length("contradicted", "a stated interval that display times contradict", \.contradicted)
      .ifAny,
    .length("may_be", "another interval that explains the same times", \.mayBeInterval).ifAny,
    .rows(
      "rates",
      [
        .instant("t", "its start, from the start of the trace", \.start),
        .length("refresh", "its interval", \.interval),
      ], "each stretch at one rate, if the rate changed"
    ) { $0.rateStretches.isEmpty ? nil : $0.rateStretches }.ifAny,
  ]

  private static let notKept = "the display times keep no fixed interval"

  /// The shape of a display in JSON.
  static let shape = JSONShape.object(JSONMember.all(fields), orMissing: essential)
}

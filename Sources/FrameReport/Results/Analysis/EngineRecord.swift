import FrameAnalysis
import FrameStatistics
import FrameTrace

extension EngineWords {
  /// The parts that fill the frame time of a game engine, and the part that took longer in its long frames.
  static let fields: [ResultColumn<(engine: EngineWords, hitches: EngineHitches?)>] =
    [
      .words(
        "fills", EnginePart.allCases.map(\.rawValue),
        "the part whose median is at least 90 % of the median frame time",
        \.engine.filling?.rawValue
      ).otherwise("no part that is counted fills it"),
      .real("frame_time_ms", "the median frame time", \.engine.frameTime.time)
        .counted { FieldRecord.Figure(unit: "ms", n: $0.engine.frameTime.n, definition: "median") },
    ]
    + EnginePart.allCases.map { part in
      .real("\(part.rawValue)_ms", "the median busy time of the \(part.words)") {
        $0.engine.parts.first { $0.part == part }?.busy.time
      }.otherwise("the source does not count it").counted { row in
        let busy = row.engine.parts.first { $0.part == part }?.busy
        return FieldRecord.Figure(unit: "ms", n: busy?.n ?? 0, definition: "median")
      }
    } + [
      .integer("n", "the fewest frames that a part was counted for", \.engine.n),
      .object(
        "long",
        [
          .integer(
            "frames", "frames that came more than twice the median time after the frame before",
            \.count),
          .integer("n", "frames with a frame time", \.n),
          .real("above_ms", "twice the median time from one frame to the next", \.limit),
        ]
          + EnginePart.allCases.map { part in
            .integer(part.rawValue, meaning(part.rawValue)) { $0.parts[part] ?? 0 }
          } + [.integer("none", meaning("none"), \.withoutLongerPart)],
        "the long frames, if there are any", \.hitches
      ).ifAny,
    ]

  private static func meaning(_ name: String) -> String {
    "the number of long frames by the part that took longer most: \(name)"
  }
}

import FrameAnalysis
import FrameStatistics
import FrameTrace

extension FieldRecord {
  /// What fills the frame time of a game engine, and which part took longer in its long frames.
  init(_ engine: EngineWords, _ hitches: EngineHitches?) {
    add(EngineKey.fills, engine.filling?.rawValue, else: "no part that is counted fills it")
    let figure = Figure(unit: "ms", n: engine.frameTime.n, definition: "median")
    add(EngineKey.frameTime, engine.frameTime.time, figure)
    for part in EnginePart.allCases {
      let busy = engine.parts.first { $0.part == part }?.busy
      add(
        part.rawValue + EngineKey.unit, busy?.time, else: "the source does not count it",
        Figure(unit: "ms", n: busy?.n ?? 0, definition: "median"))
    }
    add(EngineKey.n, engine.n)
    guard let hitches else { return }
    add(EngineKey.long) { record in
      record.add(EngineKey.frames, hitches.count)
      record.add(EngineKey.n, hitches.n)
      record.add(EngineKey.above, hitches.limit)
      for part in EnginePart.allCases { record.add(part.rawValue, hitches.parts[part] ?? 0) }
      record.add(EngineKey.none, hitches.untold)
    }
  }
}

/// What the JSON has about a game engine's threads.
enum EngineShape {
  static let shape = JSONShape.object(
    [
      .words(
        EngineKey.fills, EnginePart.allCases.map(\.rawValue),
        "the part whose median is at least 90 % of the median frame time"
      ).orNull,
      .number(EngineKey.frameTime, "the median frame time"),
    ]
      + EnginePart.allCases.map {
        JSONMember.number($0.rawValue + EngineKey.unit, "the median busy time of the \($0.words)")
          .orNull
      } + [
        .integer(EngineKey.n, "the fewest frames that a part was counted for"),
        .object(
          EngineKey.long,
          [
            .integer(
              EngineKey.frames,
              "frames that came more than twice the median time after the frame before"),
            .integer(EngineKey.n, "frames with a frame time"),
            .number(EngineKey.above, "twice the median time from one frame to the next"),
          ]
            + JSONMember.counts(
              EnginePart.allCases.map(\.rawValue) + [EngineKey.none],
              of: "long frames by the part that took longer most"),
          "the long frames, if there are any"
        ).ifAny,
      ])
}

private enum EngineKey {
  static let fills = "fills"
  static let unit = "_ms"
  static let frameTime = "frame_time_ms"
  static let n = "n"
  static let long = "long"
  static let frames = "frames"
  static let above = "above_ms"
  static let none = "none"
}

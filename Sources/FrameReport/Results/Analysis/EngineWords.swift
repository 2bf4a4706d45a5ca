import FrameAnalysis
import FrameStatistics
import FrameTrace

/// The game-engine thread that fills the frame time, if the engine records how long each thread was busy.
///
/// The counters of a row can belong to different frames, so medians are compared, not the times of one row.
struct EngineWords {
  /// A median in ms, and the number of its frames.
  typealias Median = (time: Double, n: Int)

  let frameTime: Median
  /// The parts with their medians, the busiest first.
  let parts: [(part: EnginePart, busy: Median)]

  /// The minimum number of frames for a statement, as for the limits of a game.
  static let fewestFrames = FrameLimits.fewest
  /// The minimum share of the frame time for a part to count as filling it, as for the limits of a game.
  private static let filled = 0.9

  /// - Returns: `nil` if the source counts no thread, or too few frames.
  init?(_ surface: SurfaceAnalysis) {
    self.init { name in
      guard case .summary(let summary)? = surface[name]?.figures else { return nil }
      return (summary.p50, summary.n)
    }
  }

  /// - Parameter median: The median of a metric by its name; `nil` if the source has none.
  init?(_ median: (String) -> Median?) {
    let found = EnginePart.allCases.compactMap { part in median(part.metric).map { (part, $0) } }
    let threads = found.filter { $0.0 != .gpu }
    guard let n = threads.map(\.1.n).min(), n >= Self.fewestFrames,
      let frameTime = median("frameTime"), frameTime.time > 0
    else { return nil }
    self.frameTime = frameTime
    parts = found.sorted { ($1.1.time, $0.0.words) < ($0.1.time, $1.0.words) }
      .map { (part: $0.0, busy: $0.1) }
  }

  /// The part that fills the frame time; `nil` if no counted part does.
  var filling: EnginePart? {
    parts.first.flatMap { $0.busy.time >= Self.filled * frameTime.time ? $0.part : nil }
  }

  /// The minimum number of frames for which a part was counted.
  var n: Int { parts.map(\.busy.n).min() ?? 0 }

  var sentence: String {
    let text = { (time: Double) in FixedNumber.text(time, decimals: 1) }
    let list = parts.map { "\($0.part.words) \(text($0.busy.time)) ms" }.joined(separator: ", ")
    let medians = "(medians: \(list) of \(text(frameTime.time)) ms; n \(n))"
    if let filling { return "the \(filling.words) fills the frame time \(medians)" }
    // The counted parts may be waiting for a part that is not counted.
    return parts.contains { $0.part == .gpu }
      ? "no thread fills the frame time, and the GPU does not: a cap, waits, or a thread that is not counted \(medians)"
      : "no counted thread fills the frame time; the GPU is not counted \(medians)"
  }
}

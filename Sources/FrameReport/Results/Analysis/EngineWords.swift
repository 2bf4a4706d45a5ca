import FrameAnalysis
import FrameStatistics
import FrameTrace

/// Which of a game engine's threads fills the frame time, where the engine counts how long each was busy.
///
/// The counters of a row can be of different frames, so medians are compared, and not the times of one row.
struct EngineWords {
  /// A median in ms, and of how many frames.
  typealias Median = (time: Double, n: Int)

  private let frameTime: Median
  /// The parts with their medians, the busiest first.
  private let parts: [(name: String, busy: Median)]
  private let knowsGPU: Bool

  private static let threads = [
    ("gameThreadTime", "game thread"), ("renderThreadTime", "render thread"),
    ("rhiThreadTime", "RHI thread"),
  ]
  /// Of fewer frames, nothing is said, as for the limits of a game.
  static let fewestFrames = FrameLimits.fewest
  /// A part is said to fill the frame time from this share of it on, as for the limits of a game.
  private static let filled = 0.9

  /// - Returns: `nil` where the source counts no thread, or too few frames.
  init?(_ surface: SurfaceAnalysis) {
    self.init { name in
      guard case .summary(let summary)? = surface[name]?.figures else { return nil }
      return (summary.p50, summary.n)
    }
  }

  /// - Parameter median: The median of a metric by its name; `nil` where the source has none.
  init?(_ median: (String) -> Median?) {
    let threads = Self.threads.compactMap { name, words in median(name).map { (words, $0) } }
    guard let n = threads.map(\.1.n).min(), n >= Self.fewestFrames,
      let frameTime = median("frameTime"), frameTime.time > 0
    else { return nil }
    self.frameTime = frameTime
    let gpu = median("gpuBusy")
    knowsGPU = gpu != nil
    parts = (threads + [gpu.map { ("GPU", $0) }].compactMap { $0 })
      .sorted { ($1.1.time, $0.0) < ($0.1.time, $1.0) }.map { (name: $0.0, busy: $0.1) }
  }

  var sentence: String {
    let text = { (time: Double) in FixedNumber.text(time, decimals: 1) }
    let list = parts.map { "\($0.name) \(text($0.busy.time)) ms" }.joined(separator: ", ")
    let n = parts.map(\.busy.n).min() ?? 0
    let medians = "(medians: \(list) of \(text(frameTime.time)) ms; n \(n))"
    if let first = parts.first, first.busy.time >= Self.filled * frameTime.time {
      return "the \(first.name) fills the frame time \(medians)"
    }
    // What is not counted may be what the others wait for.
    return knowsGPU
      ? "no thread fills the frame time, and the GPU does not: a cap, waits, or a thread that is not counted \(medians)"
      : "no counted thread fills the frame time; the GPU is not counted \(medians)"
  }
}

import FrameAnalysis
import FrameStatistics
import FrameTrace

/// Which of a game engine's threads fills the frame time, where the engine counts how long each was busy.
///
/// The counters of a row are of different frames, so medians are compared, and not the times of one row.
struct EngineWords {
  private let frameTime: Double
  /// The parts with their medians in ms, the busiest first.
  private let parts: [(name: String, busy: Double)]

  private static let threads = [
    ("gameThreadTime", "game thread"), ("renderThreadTime", "render thread"),
    ("rhiThreadTime", "RHI thread"),
  ]
  /// A part is said to fill the frame time from this share of it on, as for the limits of a game.
  private static let filled = 0.9

  /// - Returns: `nil` where the source counts no thread.
  init?(_ surface: SurfaceAnalysis) {
    let median = { (name: String) -> Double? in
      guard case .summary(let summary)? = surface[name]?.figures else { return nil }
      return summary.p50
    }
    let threads = Self.threads.compactMap { name, words in median(name).map { (words, $0) } }
    guard !threads.isEmpty, let frameTime = median("frameTime"), frameTime > 0 else { return nil }
    self.frameTime = frameTime
    let all = threads + [median("gpuBusy").map { ("GPU", $0) }].compactMap { $0 }
    parts = all.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map { (name: $0.0, busy: $0.1) }
  }

  var sentence: String {
    let text = { (time: Double) in FixedNumber.text(time, decimals: 1) }
    let others = parts.dropFirst().map { "\($0.name) \(text($0.busy))" }.joined(separator: ", ")
    let rest = others.isEmpty ? "" : "; \(others)"
    guard let first = parts.first, first.busy >= Self.filled * frameTime else {
      let most = parts.first.map { "\($0.name) \(text($0.busy))" } ?? ""
      return
        "no thread fills the frame time: a cap, or waits (medians: \(most) of \(text(frameTime)) ms\(rest))"
    }
    return
      "the \(first.name) fills the frame time (medians: \(text(first.busy)) of \(text(frameTime)) ms\(rest))"
  }
}

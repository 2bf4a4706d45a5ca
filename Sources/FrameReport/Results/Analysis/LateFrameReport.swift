import FrameAnalysis
import FrameStatistics
import FrameTrace

/// How many frames a source reports as late, and how long they took, as a sentence. The source is a benchmark with a
/// sample for each frame, or a summary.
struct LateFrameReport {
  private let series: [StatedFigures]
  private let scene: String?

  /// - Returns: `nil` if the source does not report how long frames took, or reports it for several scenes.
  init?(_ all: [StatedFigures]) {
    let timed = all.filter { series in Self.times.contains { series.metric.contains($0.metric) } }
    guard let first = timed.first, timed.allSatisfy({ $0.scene == first.scene }) else { return nil }
    scene = first.scene
    series = all.filter { $0.scene == first.scene }
  }

  /// The metrics of frame times, each with its name in a sentence.
  private static let times: [(metric: String, words: String)] = [
    (StatedMetric.frameDurationCPU.rawValue, "CPU time of a frame"),
    (StatedMetric.frameBuildTime.rawValue, "build"),
    (StatedMetric.frameRasterTime.rawValue, "raster"),
  ]

  var sentence: String {
    let parts = [late].compactMap(\.self) + Self.times.compactMap { durations(of: $0) }
    return (scene.map { "\($0): " } ?? "") + parts.joined(separator: "; ")
      + "; as reported by the source"
  }

  private func values(_ metric: String) -> [Double]? {
    series.first { $0.metric == metric }?.values
  }

  private var late: String? {
    if let overrun = series.first(where: { $0.metric == StatedMetric.frameOverrun.rawValue }) {
      let late = overrun.values.count { $0 > 0 }
      let runs = overrun.runs.count == 1 ? "1 run" : "\(overrun.runs.count) runs"
      return
        "\(Self.share(late, of: overrun.values.count)) of \(overrun.values.count.frames) in \(runs) ended after their deadline"
    }
    let budgets = ["build", "raster"].compactMap { stage -> String? in
      guard let count = values("\(StatedMetric.missedBudgets.rawValue).\(stage)")?.first,
        let frames = values("\(StatedMetric.frames.rawValue).\(stage)")?.first, frames > 0
      else { return nil }
      let (missed, all) = (Int(count), Int(frames))
      return "\(missed) of \(all.frames) over the \(stage) budget (\(Self.share(missed, of: all)))"
    }
    return budgets.isEmpty ? nil : budgets.joined(separator: ", ")
  }

  private static func share(_ count: Int, of all: Int) -> String {
    FixedNumber.text(100 * Double(count) / Double(max(1, all)), decimals: 1) + " %"
  }

  /// The quantiles of a time: the stated quantiles, or else those of the samples.
  private func durations(of time: (metric: String, words: String)) -> String? {
    let samples = (values(time.metric) ?? []).sorted()
    let found = [("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99)].compactMap {
      name, share -> String? in
      let stated = values("\(name)(\(time.metric))").map { RealQuantile.type7($0.sorted(), 0.5) }
      let isEnough = Double(samples.count) * (1 - share) >= 1
      let value = stated ?? (isEnough ? RealQuantile.type7(samples, share) : nil)
      return value.map { "\(name) \(FixedNumber.text($0, decimals: 1))" }
    }
    let runs =
      series.filter { $0.metric.hasSuffix("(\(time.metric))") }.map(\.runs.count).max() ?? 1
    let medians = runs > 1 ? ", medians of \(runs) runs" : ""
    return found.isEmpty ? nil : "\(time.words) \(found.joined(separator: ", ")) ms\(medians)"
  }
}

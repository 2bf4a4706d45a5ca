import FrameAnalysis
import FrameTrace

/// The jank that a source counted in one run of a scene, in a sentence: the share, the largest
/// causes, frozen frames and frame durations.
struct JankReport {
  private let scene: String?
  private let frames, share: Double
  private let causes: [(name: String, count: Double)]
  private let frozen: Double?
  private let durations: [(name: String, value: Double)]

  /// The most causes in the sentence; a frame may have several.
  private static let mostCauses = 3

  /// - Returns: `nil` where the figures do not have the share and the number of frames of one run.
  ///   Of several scenes, the one with the most frames is reported.
  init?(_ series: [StatedFigures]) {
    let single = series.filter { $0.values.count == 1 }
    let value = { (metric: String, scene: String?) in
      single.first { $0.metric == metric && $0.scene == scene }?.values.first
    }
    let counts = single.filter { $0.metric == StatedMetric.frames.rawValue }
    guard let largest = counts.max(by: { $0.values[0] < $1.values[0] }),
      let share = value(StatedMetric.jankShare.rawValue, largest.scene)
    else { return nil }
    (scene, frames, self.share) = (largest.scene, largest.values[0], share)
    let janky = value(StatedMetric.jankCount.rawValue, largest.scene) ?? largest.values[0]
    let prefix = "\(StatedMetric.jankCount.rawValue)."
    causes = single.filter { $0.scene == largest.scene && $0.metric.hasPrefix(prefix) }
      .map { (name: String($0.metric.dropFirst(prefix.count)), count: $0.values[0]) }
      // A counter above the number of janky frames counts something else.
      .filter { !$0.name.hasSuffix("legacy") && $0.count > 0 && $0.count <= janky }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    frozen = value(StatedMetric.frozenFrames.rawValue, largest.scene)
    durations = ["p50", "p99"].compactMap { name in
      value("\(StatedMetric.frameDuration.rawValue).\(name)", largest.scene).map { (name, $0) }
    }
  }

  /// The name of a counter as words; constants of a program are in capitals.
  private static func words(_ name: String) -> String {
    let words = name.split(separator: "_").joined(separator: " ")
    return words.contains(where: \.isLowercase) ? words : words.lowercased()
  }

  var sentence: String {
    let number = { (value: Double) in FixedNumber.text(value, decimals: 0) }
    let owner = scene.map { " of \($0)" } ?? ""
    var line = "\(FixedNumber.text(share, decimals: 1)) % of \(number(frames)) frames\(owner) janky"
    let shown = causes.prefix(Self.mostCauses).map { item in
      "\(Self.words(item.name)) \(number(item.count))"
    }
    if !shown.isEmpty { line += ": \(shown.joined(separator: ", "))" }
    if let frozen { line += "; \(number(frozen)) frozen" }
    if !durations.isEmpty {
      line +=
        "; frame duration "
        + durations.map { "\($0.name) \(number($0.value)) ms" }.joined(separator: ", ")
    }
    return line + "; as reported by the source"
  }
}

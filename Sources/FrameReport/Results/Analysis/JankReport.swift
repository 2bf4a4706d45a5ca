import FrameAnalysis
import FrameTrace

/// The jank that a source counted in one run of a scene, in a sentence: the share, the largest
/// causes, frozen frames and frame durations.
struct JankReport {
  private let scene: String?
  private let frames: Double
  /// The share of janky frames, in percent; `nil` without frames.
  private let share: Double?
  /// The share of frames that took longer than a refresh, which older versions of Android call janky, in percent.
  private let olderShare: Double?
  private let causes: [(name: String, count: Double)]
  private let frozen: Double?
  private let durations: [(name: String, text: String)]

  /// The maximum number of causes in the sentence; a frame may have several.
  private static let mostCauses = 3

  /// - Returns: `nil` if the figures lack the number of frames of one run, or have no share of janky frames although
  ///   frames were drawn. The scene with the most frames is reported.
  init?(_ series: [StatedFigures]) {
    let single = series.filter { $0.values.count == 1 }
    let value = { (metric: String, scene: String?) in
      single.first { $0.metric == metric && $0.scene == scene }?.values.first
    }
    let counts = single.filter { $0.metric == StatedMetric.frames.rawValue }
    guard let largest = counts.max(by: { $0.values[0] < $1.values[0] }),
      case let share = value(StatedMetric.jankShare.rawValue, largest.scene),
      share != nil
        || (largest.values[0] == 0
          && single.contains { $0.metric == StatedMetric.jankCount.rawValue })
    else { return nil }
    (scene, frames, self.share) = (largest.scene, largest.values[0], share)
    olderShare = value("\(StatedMetric.jankShare.rawValue).legacy", largest.scene)
    let janky = value(StatedMetric.jankCount.rawValue, largest.scene) ?? largest.values[0]
    let prefix = "\(StatedMetric.jankCount.rawValue)."
    causes = single.filter { $0.scene == largest.scene && $0.metric.hasPrefix(prefix) }
      .map { (name: String($0.metric.dropFirst(prefix.count)), count: $0.values[0]) }
      // A counter above the number of janky frames counts something else.
      .filter { !$0.name.hasSuffix("legacy") && $0.count > 0 && $0.count <= janky }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    frozen = value(StatedMetric.frozenFrames.rawValue, largest.scene)
    durations = ["p50", "p99"].compactMap { name in
      single.first {
        $0.metric == "\(StatedMetric.frameDuration.rawValue).\(name)" && $0.scene == largest.scene
      }.map { found in
        (name, (found.isLowerBound ? "≥ " : "") + FixedNumber.text(found.values[0], decimals: 0))
      }
    }
  }

  /// The name of a counter in words; constants of a program are in capitals.
  private static func words(_ name: String) -> String {
    let words = name.split(separator: "_").joined(separator: " ")
    return words.contains(where: \.isLowercase) ? words : words.lowercased()
  }

  var sentence: String {
    let number = { (value: Double) in FixedNumber.text(value, decimals: 0) }
    let owner = scene.map { " of \($0)" } ?? ""
    guard let share else {
      return "no frames\(owner) since the last reset: nothing to judge; as reported by the source"
    }
    var line = "\(FixedNumber.text(share, decimals: 1)) % of \(number(frames)) frames\(owner) janky"
    let shown = causes.prefix(Self.mostCauses).map { item in
      "\(Self.words(item.name)) \(number(item.count))"
    }
    if let olderShare, olderShare > share {
      line += " (\(FixedNumber.text(olderShare, decimals: 1)) % took longer than a refresh)"
    }
    if !shown.isEmpty { line += ": \(shown.joined(separator: ", "))" }
    if let frozen { line += "; \(number(frozen)) frozen" }
    if !durations.isEmpty {
      line +=
        "; frame duration "
        + durations.map { "\($0.name) \($0.text) ms" }.joined(separator: ", ")
    }
    return line + "; as reported by the source"
  }
}

package import FrameAnalysis
import FrameTrace

/// A published rule for finding late frames, applied to any trace.
package struct JankRule: Sendable {
  /// The name in tables.
  package let name: String
  /// Where the rule was published.
  package let source: String
  /// The rule in words.
  package let formula: String
  /// The families for which the rule is not intended, with the reason.
  package let notMeant: [String: String]
  /// Whether the rule blames a frame.
  package let namesFrames: Bool
  let find: @Sendable (RuleFrames) -> [DetectorOutput.Finding]

  /// What the rule finds in a trace.
  package func output(_ study: Study, trace name: String) -> DetectorOutput {
    let positions = study.trace.surfaces.indices.filter {
      study.trace.surfaces[$0].frames.count > 0
    }
    let surfaces = positions.enumerated().map { position, index in
      RuleFrames(study, index, position)
    }
    guard surfaces.contains(where: { !$0.shown.isEmpty }) else {
      return DetectorOutput(
        trace: name, whyUnjudged: "no frame has a start, a commit and a display time")
    }
    return DetectorOutput(trace: name, findings: surfaces.flatMap(find))
  }
}

/// The published rules.
package enum JankRules {
  package static let all: [JankRule] = [
    .surfaceFlinger, .hwui, .jankStats, .chromiumJank, .chromiumDropped, .appleHitch,
    .perfDogJank, .perfDogBigJank, .capFrameXStutter, .sentrySlow, .median, .repeated,
  ]

  static let waiting = ["variable-refresh": "made for displays with a fixed refresh"]
  /// For rules that count from the refresh at which a frame was begun.
  static let startedByRefresh = Dictionary(
    uniqueKeysWithValues: ["limiter", "generated-frames", "rate-changes", "variable-refresh"].map {
      ($0, "made for apps that a refresh starts")
    })
  /// For rules that examine only the app's thread.
  static let threadOnly = startedByRefresh.merging(
    ["buffer-stuffing": "sees the app's thread only"]
  ) { first, _ in first }
}

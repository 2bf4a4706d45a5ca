import FrameStatistics

/// How often a tool is right: counts over traces, which add up.
package struct ScoreTally: Hashable, Sendable {
  /// How many traces were scored, and how many of them have no dropped refresh.
  package var traces = 0
  package var clean = 0
  /// In how many clean traces the tool finds something.
  package var alarmed = 0
  /// How many frames were shown.
  package var shown = 0
  /// The dropped refreshes of the truth, and those that the tool finds.
  package var drops = 0
  package var detected = 0
  /// The findings that are none.
  package var falseAlarms = 0
  /// The detected ones with the right stage, with another, and with none.
  package var rightStage = 0
  package var wrongStage = 0
  package var unknownStage = 0
  /// The detected ones that one frame is to blame for, and those of them with the right frame; of tools that name
  /// frames.
  package var culprits = 0
  package var rightCulprit = 0
  /// The dropped refreshes of traces that the tool does not judge.
  package var unjudged = 0
  /// The findings that were given more than once.
  package var repeated = 0

  package init() {}

  package static func + (left: ScoreTally, right: ScoreTally) -> ScoreTally {
    var sum = left
    for member in members { sum[keyPath: member] += right[keyPath: member] }
    return sum
  }

  private static var members: [WritableKeyPath<ScoreTally, Int>] {
    [
      \.traces, \.clean, \.alarmed, \.shown, \.drops, \.detected, \.falseAlarms, \.rightStage,
      \.wrongStage, \.unknownStage, \.culprits, \.rightCulprit, \.unjudged, \.repeated,
    ]
  }

  /// A share with its interval; `nil` without a case.
  package struct Share: Hashable, Sendable {
    package let seen, cases: Int
    package let value: Double
    package let interval: ClosedRange<Double>

    init?(_ seen: Int, among cases: Int) {
      guard let interval = WilsonInterval.of(seen, among: cases) else { return nil }
      (self.seen, self.cases, self.interval) = (seen, cases, interval)
      value = Double(seen) / Double(cases)
    }
  }

  /// The share of dropped refreshes that are detected.
  package var detection: Share? { Share(detected, among: drops) }
  /// The share of clean traces with a finding.
  package var alarms: Share? { Share(alarmed, among: clean) }
  /// The share of findings that are right.
  package var precision: Share? { Share(detected, among: detected + falseAlarms) }
  /// The share of detected refreshes with the right stage.
  package var stage: Share? { Share(rightStage, among: detected) }
  /// The share with the right frame, of the detected refreshes that one frame is to blame for.
  package var culprit: Share? { Share(rightCulprit, among: culprits) }
  /// False alarms for each 1,000 frames that were shown.
  package var falseAlarmRate: Double? {
    shown > 0 ? 1000 * Double(falseAlarms) / Double(shown) : nil
  }
}

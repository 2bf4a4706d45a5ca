import FrameStatistics

/// How often a tool is right, as counts over traces that can be added up.
package struct ScoreTally: Hashable, Sendable {
  /// The number of scored traces, and the number of those without a dropped refresh.
  package var traces = 0
  package var clean = 0
  /// The number of clean traces in which the tool finds something.
  package var alarmed = 0
  /// How many frames were shown.
  package var shown = 0
  /// The number of dropped refreshes in the truth, and of those that the tool finds.
  package var drops = 0
  package var detected = 0
  /// The number of findings that are wrong.
  package var falseAlarms = 0
  /// The number of detected refreshes with the right stage, with a wrong stage, and without a stage.
  package var rightStage = 0
  package var wrongStage = 0
  package var unknownStage = 0
  /// The number of detected refreshes for which one frame is to blame, and the number of those with the right frame;
  /// only for tools that name frames.
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

  /// A share with its interval; `nil` if there are no cases.
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
  /// The share of detected refreshes with the right frame, among those for which one frame is to blame.
  package var culprit: Share? { Share(rightCulprit, among: culprits) }
  /// The number of false alarms per 1,000 shown frames.
  package var falseAlarmRate: Double? {
    shown > 0 ? 1000 * Double(falseAlarms) / Double(shown) : nil
  }
}

/// A judgment about the frames of a surface, and the facts that support it.
package enum Judgment: String, CaseIterable, Sendable {
  case drop, stage, cadence, limit, latency, refresh

  /// What a fact shows if it comes from one of the sources.
  package struct Reason: Sendable {
    package let fact: EvidenceFact
    package let sources: Set<EvidenceSource>
    package let shows: String

    fileprivate init(_ fact: EvidenceFact, _ sources: Set<EvidenceSource>, _ shows: String) {
      (self.fact, self.sources, self.shows) = (fact, sources, shows)
    }

    fileprivate init(_ fact: EvidenceFact, _ shows: String) { self.init(fact, [.measured], shows) }
  }

  /// The judgment with that name, or the one that a metric depends on; `nil` if there is none.
  package init?(named word: String) {
    let metrics: [Judgment: [String]] = [
      .drop: ["droppedShare", "hitchRatio", "hitchTime"], .limit: ["cpuBusy", "gpuBusy"],
      .latency: ["displayLatency", "touchToPhoton", "clickToPhoton", "inputToPhoton"],
      .refresh: ["displayChange", "displayedFrameRate"],
    ]
    let name = Metrics.name(word) ?? word
    let found =
      Judgment(rawValue: word) ?? Judgment.allCases.first { metrics[$0]?.contains(name) == true }
    guard let found else { return nil }
    self = found
  }

  /// The reasons for the judgment, the strongest first.
  package var reasons: [Reason] {
    switch self {
    case .drop:
      [
        Reason(.expectedTime, [.stated], "when the frame was due"),
        Reason(.targetRate, [.stated], "when the next frame was due"),
        Reason(.startRefresh, [.stated], "when the frame was due: one or two refreshes later"),
        Reason(.appStart, "that the app paused, or could have been in time"),
        Reason(
          .gpuTime, [.measured, .estimated],
          "that work takes longer than a refresh, where starts are derived"),
        Reason(.displayTime, "when the frame was shown, and a steady clock of the frames"),
        Reason(
          .refresh, [.measured, .stated, .derived], "which refreshes repeated an older frame"),
      ]
    case .stage:
      [
        Reason(.appStart, "the app's time"), Reason(.commit, "the end of the app's work"),
        Reason(.compositor, "the compositor's time"),
        Reason(.gpuEnd, "when the frame was finished"),
        Reason(.gpuTime, [.measured, .estimated], "the GPU's time"),
        Reason(.displayTime, "whether a finished frame waited for the display"),
      ]
    case .cadence:
      [
        Reason(.targetRate, [.stated], "the rate"), Reason(.appStart, "that the app rests"),
        Reason(.presentReturn, "that the app does not wait in the present call"),
        Reason(.gpuTime, [.measured, .estimated], "that the GPU has time to spare"),
        Reason(.displayTime, "a steady clock of the frames"),
      ]
    case .limit:
      [
        Reason(.gpuTime, [.measured, .estimated], "whether the GPU was busy all the time"),
        Reason(.appStart, [.measured, .derived], "how long the app worked"),
        Reason(.presentReturn, "how long the app waited in the present call"),
        Reason(.displayTime, "whether frames came as soon as the display allows"),
        Reason(.refresh, [.measured, .stated, .derived], "the budget of a frame"),
      ]
    case .latency:
      [
        Reason(.input, "when the latency begins"),
        Reason(.appStart, [.measured, .derived], "when the frame began to be worked on"),
        Reason(.displayTime, "when the latency ends"),
      ]
    case .refresh:
      [
        Reason(.refresh, [.measured, .stated], "the interval"),
        Reason(.displayTime, "the distances that show the interval"),
      ]
    }
  }
}

extension FrameMetric {
  /// From the present call to the display.
  static let presentLatency = FrameMetric(
    name: "presentLatency", direction: .lowerIsBetter,
    summary: "The time from the call that hands a frame over to its display.",
    formula: "displayed − commit",
    source: "PresentMon, README-ConsoleApplication.md: MsUntilDisplayed",
    scope: .displayedApplication,
    definitions: [
      .init(expression: .between(.commit, .displayed), words: "commit to display")
    ])
}

extension FrameMetric {
  /// From the start of a frame to its display.
  static let displayLatency = FrameMetric(
    name: "displayLatency", direction: .lowerIsBetter,
    summary: "The time from the app's start on a frame to its display.",
    formula: "displayed − app start",
    source: "PresentMon, README-ConsoleApplication.md: DisplayLatency",
    scope: .displayedApplication,
    definitions: [
      .init(expression: .between(.appStart, .displayed), words: "app start to display")
    ])
}

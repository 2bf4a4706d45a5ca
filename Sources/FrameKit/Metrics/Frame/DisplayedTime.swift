extension FrameMetric {
  /// How long a frame is shown.
  static let displayedTime = FrameMetric(
    name: "displayedTime", direction: .lowerIsBetter,
    summary: "How long a frame was on the display.",
    formula: "replaced − displayed, or displayed(next) − displayed where only that is known",
    source: "PresentMon, README-ConsoleApplication.md: DisplayedTime",
    scope: .displayed,
    definitions: [
      .init(
        expression: .between(.displayed, .replaced), words: "from its display to its replacement"),
      .init(expression: .sinceLast(.displayed), words: "from display to display"),
    ])
}

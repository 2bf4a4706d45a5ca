extension FrameMetric {
  /// The time between changes of the display.
  static let displayChange = FrameMetric(
    name: "displayChange", direction: .lowerIsBetter,
    summary: "The time from one change of the display to the next.",
    formula: "displayed(i) − displayed(i−1), over the frames that were displayed",
    source: "PresentMon, README-ConsoleApplication.md: MsBetweenDisplayChange",
    scope: .displayed,
    definitions: [
      .init(expression: .column(.displayInterval), words: "as the source states it"),
      .init(expression: .sinceLast(.displayed), words: "display to display"),
    ])

  /// The steps between displays by the frames' own display times, also of frames for which
  /// the source states no change; what rates are made of and no metric of its own.
  static let displayStep = FrameMetric(
    name: "displayStep", direction: .lowerIsBetter,
    summary: "The time from one display to the next.",
    formula: "displayed(i) − displayed(i−1), over the frames that were displayed",
    source: nil,
    scope: .displayed,
    definitions: [.init(expression: .sinceLast(.displayed), words: "display to display")])
}

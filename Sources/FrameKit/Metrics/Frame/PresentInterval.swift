extension FrameMetric {
  /// The time between present calls.
  static let presentInterval = FrameMetric(
    name: "presentInterval", direction: .lowerIsBetter,
    summary: "The time from the present call before to the frame's own.",
    formula: "present(i) − present(i−1)",
    source: "PresentMon, README-ConsoleApplication.md: MsBetweenPresents",
    scope: .application,
    definitions: [
      .init(expression: .column(.presentInterval), words: "as the source states it"),
      .init(expression: .sinceLast(.commit), words: "commit to commit"),
    ])
}

extension FrameMetric {
  /// The time a frame takes, in the way the source measures it.
  static let frameTime = FrameMetric(
    name: "frameTime", direction: .lowerIsBetter,
    summary: "The time from one frame to the next.",
    formula:
      "present(i) − present(i−1), or start(i+1) − start(i) where the source measures from start to start",
    source: "PresentMon, README-ConsoleApplication.md: MsBetweenPresents, FrameTime",
    scope: .application,
    definitions: [
      .init(expression: .column(.presentInterval), words: "present to present"),
      .init(expression: .column(.startInterval), words: "start to start"),
      .init(expression: .sinceLast(.commit), words: "commit to commit"),
      .init(expression: .sinceLast(.appStart), words: "app start to app start"),
      .init(expression: .sinceLast(.queued), words: "queued to queued"),
      .init(expression: .sinceLast(.displayed), words: "display to display"),
    ])
}

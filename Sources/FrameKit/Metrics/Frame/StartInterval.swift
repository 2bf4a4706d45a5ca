extension FrameMetric {
  /// The time between frame starts.
  static let startInterval = FrameMetric(
    name: "startInterval", direction: .lowerIsBetter,
    summary: "The time from the frame's start to the start of the next one.",
    formula: "start(i+1) − start(i)",
    source: "PresentMon, README-ConsoleApplication.md: FrameTime, MsBetweenAppStart",
    scope: .application,
    definitions: [
      .init(expression: .column(.startInterval), words: "as the source states it"),
      .init(expression: .sinceLast(.appStart), words: "app start to app start"),
    ])
}

extension FrameMetric {
  /// How long the app waits after a frame.
  static let cpuWait = FrameMetric(
    name: "cpuWait", direction: .neither,
    summary: "How long the app was held up in the call that hands a frame over.",
    formula: "app end − commit",
    source: "PresentMon, README-ConsoleApplication.md: CPUWait",
    scope: .application,
    definitions: [
      .init(expression: .between(.commit, .appEnd), words: "commit to app end")
    ])
}

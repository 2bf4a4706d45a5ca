extension FrameMetric {
  /// How long the app works on a frame.
  static let cpuBusy = FrameMetric(
    name: "cpuBusy", direction: .lowerIsBetter,
    summary: "How long the app worked on a frame before it handed it over.",
    formula: "commit − app start",
    source: "PresentMon, README-ConsoleApplication.md: CPUBusy",
    scope: .application,
    definitions: [
      .init(expression: .between(.appStart, .commit), words: "app start to commit")
    ])
}

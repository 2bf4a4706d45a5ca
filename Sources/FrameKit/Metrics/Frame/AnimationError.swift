extension FrameMetric {
  /// By how much animation and display steps differ.
  static let animationError = FrameMetric(
    name: "animationError", direction: .neither,
    summary:
      "The step of the app's simulation from frame to frame less the step of the display; 0 is smooth, either sign is not.",
    formula: "simulation step − display step, as the source states it",
    source: "PresentMon, README-ConsoleApplication.md: AnimationError",
    scope: .displayedApplication,
    definitions: [
      .init(expression: .column(.animationError), words: "as the source states it")
    ])
}

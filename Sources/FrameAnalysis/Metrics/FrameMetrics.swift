import FrameTrace

extension FrameMetric {
  /// The time that a frame takes, as the source measures it.
  package static let frameTime = FrameMetric(
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

  /// The time between present calls.
  static let presentInterval = FrameMetric(
    name: "presentInterval", direction: .lowerIsBetter,
    summary: "The time from the previous frame's present call to this frame's.",
    formula: "present(i) − present(i−1)",
    source: "PresentMon, README-ConsoleApplication.md: MsBetweenPresents",
    scope: .application,
    definitions: [
      .init(expression: .column(.presentInterval), words: "as the source states it"),
      .init(expression: .sinceLast(.commit), words: "commit to commit"),
    ])

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

  /// The time between changes of the display.
  static let displayChange = FrameMetric(
    name: "displayChange", direction: .lowerIsBetter,
    summary: "The time from one change of the display to the next.",
    formula: "displayed(i) − displayed(i−1), over displayed frames",
    source: "PresentMon, README-ConsoleApplication.md: MsBetweenDisplayChange",
    scope: .displayed,
    definitions: [
      .init(expression: .column(.displayInterval), words: "as the source states it"),
      .init(expression: .sinceLast(.displayed), words: "display to display"),
    ])

  /// The steps between the frames' display times, including frames for which the source states no
  /// change; the basis of rates, not a metric by itself.
  static let displayStep = FrameMetric(
    name: "displayStep", direction: .lowerIsBetter,
    summary: "The time from one display to the next.",
    formula: "displayed(i) − displayed(i−1), over displayed frames",
    source: nil,
    scope: .displayed,
    definitions: [.init(expression: .sinceLast(.displayed), words: "display to display")])

  /// The steps between the display times of the app's own frames; the basis of their rate, not a metric by itself.
  static let renderedStep = FrameMetric(
    name: "renderedStep", direction: .lowerIsBetter,
    summary: "The time from the display of one of the app's frames to that of its next one.",
    formula: "displayed(i) − displayed(i−1), over displayed frames of the app",
    source: nil,
    scope: .displayedApplication,
    definitions: [.init(expression: .sinceLast(.displayed), words: "display to display")])
}

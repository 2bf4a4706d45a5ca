extension FrameMetric {
  /// How long the video engine works.
  static let videoBusy = FrameMetric(
    name: "videoBusy", direction: .lowerIsBetter,
    summary: "How long a video engine worked on a frame.",
    formula: "the busy time of the video engines",
    source: "PresentMon, README-ConsoleApplication.md: VideoBusy",
    scope: .application,
    definitions: [
      .init(expression: .column(.videoBusy), words: "as the source states it")
    ])
}

import FrameTrace

extension FrameMetric {
  /// How the display latency is measured if the start of a frame is the end of the previous one and the source does not
  /// distinguish generated frames. Generated frames shorten the metric although the latency of the game grows.
  package static let endOfFrameBefore =
    "from the end of the frame before, which may be a generated one, to the display"

  /// From the start of a frame to its display.
  package static let displayLatency = FrameMetric(
    name: "displayLatency", direction: .lowerIsBetter,
    summary: "The time from the app's start on a frame to its display.",
    formula: "displayed − app start",
    source: "PresentMon, README-ConsoleApplication.md: DisplayLatency",
    scope: .displayedApplication,
    derivedStart: endOfFrameBefore,
    definitions: [
      .init(expression: .between(.appStart, .displayed), words: "app start to display")
    ])

  /// From the present call to the display.
  static let presentLatency = FrameMetric(
    name: "presentLatency", direction: .lowerIsBetter,
    summary: "The time from a frame's present or commit call to its display.",
    formula: "displayed − commit",
    source: "PresentMon, README-ConsoleApplication.md: MsUntilDisplayed",
    scope: .displayedApplication,
    definitions: [
      .init(expression: .between(.commit, .displayed), words: "commit to display")
    ])

  /// From the present call to the end of GPU work.
  static let renderLatency = FrameMetric(
    name: "renderLatency", direction: .lowerIsBetter,
    summary:
      "The time from a frame's present or commit call to the end of its GPU work; negative if the GPU finishes first.",
    formula: "gpu end − commit",
    source:
      "PresentMon, README-ConsoleApplication.md: MsRenderPresentLatency, msUntilRenderComplete",
    scope: .application,
    isSigned: true,
    definitions: [
      .init(expression: .between(.commit, .gpuEnd), words: "commit to GPU end")
    ])
}

extension InputLatencyMetric {
  /// The time from a click to the display of the frame that shows it.
  package static let clickToPhoton = InputLatencyMetric(
    name: "clickToPhoton",
    summary: "The time from a click to the refresh that first shows it; excludes scan-out.",
    formula: "displayed − the earliest click that the frame shows",
    source: "PresentMon, README-ConsoleApplication.md: ClickToPhotonLatency",
    devices: [.click])

  /// The time from any input to the display of the frame that shows it.
  package static let inputToPhoton = InputLatencyMetric(
    name: "inputToPhoton",
    summary: "The time from any input to the refresh that first shows it; excludes scan-out.",
    formula: "displayed − the earliest input that the frame shows",
    source: "PresentMon, README-ConsoleApplication.md: AllInputToPhotonLatency",
    devices: nil)
}

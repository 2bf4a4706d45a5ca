extension FrameMetric {
  /// How long the GPU takes, first work to last.
  static let gpuTime = FrameMetric(
    name: "gpuTime", direction: .lowerIsBetter,
    summary: "The time from the first to the last of a frame's GPU work.",
    formula: "gpu end − gpu start",
    source: "PresentMon, README-ConsoleApplication.md: GPUTime",
    scope: .application,
    definitions: [
      .init(expression: .column(.gpuTime), words: "as the source states it"),
      .init(expression: .between(.gpuStart, .gpuEnd), words: "GPU start to GPU end"),
    ])
}

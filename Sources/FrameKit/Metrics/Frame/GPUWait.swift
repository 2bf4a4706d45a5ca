extension FrameMetric {
  /// How long the GPU idles within a frame.
  static let gpuWait = FrameMetric(
    name: "gpuWait", direction: .neither,
    summary: "How long no GPU engine worked between a frame's first and last GPU work.",
    formula: "gpu time − gpu busy",
    source: "PresentMon, README-ConsoleApplication.md: GPUWait",
    scope: .application,
    definitions: [
      .init(expression: .column(.gpuWait), words: "as the source states it"),
      .init(expression: .difference(.gpuTime, .gpuBusy), words: "GPU time less GPU busy"),
    ])
}

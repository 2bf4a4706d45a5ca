extension FrameMetric {
  /// From the start of a frame to its GPU work.
  static let gpuLatency = FrameMetric(
    name: "gpuLatency", direction: .lowerIsBetter,
    summary:
      "The time from the app's start on a frame to the start of its GPU work; negative where the GPU starts before.",
    formula: "gpu start − app start",
    source: "PresentMon, README-ConsoleApplication.md: GPULatency",
    scope: .application,
    definitions: [
      .init(expression: .between(.appStart, .gpuStart), words: "app start to GPU start")
    ])
}

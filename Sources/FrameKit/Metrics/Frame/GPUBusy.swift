extension FrameMetric {
  /// How long the GPU works.
  static let gpuBusy = FrameMetric(
    name: "gpuBusy", direction: .lowerIsBetter,
    summary: "How long at least one GPU engine worked on a frame.",
    formula: "the union of the engines' busy times",
    source: "PresentMon, README-ConsoleApplication.md: GPUBusy, msGPUActive",
    scope: .application,
    definitions: [
      .init(expression: .column(.gpuBusy), words: "as the source states it")
    ])
}

extension FrameMetric {
  /// From the present call to the end of GPU work.
  static let renderLatency = FrameMetric(
    name: "renderLatency", direction: .lowerIsBetter,
    summary:
      "The time from the call that hands a frame over to the end of its GPU work; negative where the GPU is done before.",
    formula: "gpu end − commit",
    source:
      "PresentMon, README-ConsoleApplication.md: MsRenderPresentLatency, msUntilRenderComplete",
    scope: .application,
    definitions: [
      .init(expression: .between(.commit, .gpuEnd), words: "commit to GPU end")
    ])
}

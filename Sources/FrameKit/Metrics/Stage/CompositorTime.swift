extension PipelineMetric {
  /// How long the compositor worked on a frame.
  static let compositorTime = PipelineMetric.stage(
    "compositorTime", "The time the compositor worked on a frame.",
    "compositor end − compositor start", needs: "compositorStart and compositorEnd",
    columns: [.compositorStart, .compositorEnd]
  ) { times, _ in times.compositorTime }
}

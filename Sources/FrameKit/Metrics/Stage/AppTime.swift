extension PipelineMetric {
  /// How long the app worked on a frame.
  static let appTime = PipelineMetric.stage(
    "appTime", "The time the app worked on a frame, less the time it waited for a buffer.",
    "last commit − app start − wait for a buffer", needs: "appStart and commit"
  ) { times, _ in times.appTime }
}

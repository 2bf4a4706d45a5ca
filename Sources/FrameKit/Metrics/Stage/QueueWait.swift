extension PipelineMetric {
  /// How long a finished buffer waited to be shown.
  static let queueWait = PipelineMetric.stage(
    "queueWait", "The time a finished buffer waited for its refresh.", "displayed − queued",
    needs: "when buffers were finished"
  ) { times, displayed in
    guard let queued = times.queued, let displayed else { return nil }
    return displayed - queued
  }
}

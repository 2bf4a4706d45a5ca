extension PipelineMetric {
  /// How much later than its deadline a frame was finished.
  static let frameOverrun = PipelineMetric(
    name: "frameOverrun",
    summary: "How much later than its deadline a frame was finished; negative when in time.",
    formula: "queued, else GPU end, else commit − deadline",
    source: "Android, Macrobenchmark metrics: frameOverrunMs"
  ) { rebuilt, surface in
    let frames = surface.frames
    guard frames.has(.deadline) else { return .unavailable(FrameMetric.notRecorded + "deadline") }
    var values: [Int64] = []
    for (place, row) in surface.rows.enumerated() {
      let times = rebuilt.timeline.stages[row]
      guard let deadline = frames[place, .deadline],
        let end = times.queued ?? times.gpuEnd ?? times.commit
      else { continue }
      values.append(end - deadline)
    }
    guard !values.isEmpty else { return .unavailable("no frame has a deadline and an end") }
    return Measurement(content: .sample(Sample(values)), missing: surface.rows.count - values.count)
  }
}

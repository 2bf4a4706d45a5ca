extension PipelineMetric {
  /// How much GPU time an offscreen pass costs.
  static let gpuTimePerPass = PipelineMetric(
    name: "gpuTimePerPass",
    summary: "The GPU time that each further offscreen pass of a frame costs.",
    formula: "median slope of GPU time over offscreen passes between pairs of frames",
    source: "Sen, Estimates of the regression coefficient based on Kendall's tau, 1968"
  ) { rebuilt, surface in
    guard let cost = PassCost(rebuilt, surface) else {
      return .unavailable("too few frames have GPU times and different numbers of passes")
    }
    return Measurement(content: .figure(cost.slope.slope / 1e6, n: cost.slope.n))
  }
}

/// The GPU time of offscreen passes.
struct PassCost {
  /// GPU time in nanoseconds over passes.
  let slope: TheilSen

  /// - Returns: `nil` where fewer than ten frames tell, or all have as many passes.
  init?(_ rebuilt: RebuiltSurface, _ surface: MeasuredSurface) {
    let hasPasses = surface.frames.has(.offscreenPasses)
    guard hasPasses || surface.pipeline.trace.passes.count > 0 else { return nil }
    var points: [(x: Double, y: Double)] = []
    let counts = Self.counts(surface)
    for (place, row) in surface.rows.enumerated() {
      guard let passes = surface.frames[place, .offscreenPasses] ?? counts[row],
        let time = rebuilt.timeline.stages[row].gpuTime
      else { continue }
      points.append((Double(passes), Double(time)))
    }
    guard points.count >= 10, let slope = TheilSen(points) else { return nil }
    self.slope = slope
  }

  /// How many passes the trace lists for each frame, where it lists passes.
  private static func counts(_ surface: MeasuredSurface) -> [Int: Int64] {
    let passes = surface.pipeline.trace.passes
    guard passes.count > 0 else { return [:] }
    var counts: [Int: Int64] = [:]
    for row in surface.rows { counts[row] = 0 }
    for row in 0..<passes.count where passes[row, .surface] == Int64(surface.index) {
      if let frame = passes[row, .frame] { counts[Int(frame), default: 0] += 1 }
    }
    return counts
  }
}

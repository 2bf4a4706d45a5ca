import FrameKit

/// Workloads of Apple's talk "UIKit Dynamics and Visual Effects" (WWDC 2015), and video.
extension Scenario {
  /// Items that fall, come to rest and fall again.
  static let dynamicsAtRest = Scenario(
    name: "dynamics-at-rest",
    summary: "A dynamics system draws while items move and rests in between: nothing is due then.",
    frames: 180
  ) { options in
    let count = options.frames
    var units = PipelineScenario.steady(count, app: 0.5, compositor: 0.3, gpu: 0.3)
    let rests = 3
    for index in units.indices {
      // The cost of a step grows with the number of moving items.
      units[index].app = PipelineScenario.share(0.3 + 0.5 * Double(index % 20) / 20)
      units[index].refresh += Int64(index * (rests + 1) / count) * 30
    }
    // A frame is displayed two refreshes after its start.
    let length = PipelineScenario.interval * (30 + 1 - 2)
    return PipelineScenario("dynamics-at-rest", units, process: "Dynamics").outcome(
      PipelineTruth(depth: 2, changes: [], rest: Int64(rests) * length))
  }

  /// A debug overlay that costs time on every eighth frame.
  static let debugOverlay = Scenario(
    name: "debug-overlay",
    summary: "A debug overlay that is redrawn on every eighth frame, within the budget.",
    frames: 240
  ) { options in
    var units = PipelineScenario.steady(options.frames, app: 0.4, compositor: 0.3, gpu: 0.3)
    for index in units.indices where index % 8 == 0 {
      units[index].app = PipelineScenario.share(0.9)
    }
    return PipelineScenario("debug-overlay", units, process: "Dynamics").outcome(
      PipelineTruth(depth: 2, changes: []), [.init("appTime", units.map(\.app))])
  }

  static let blurPasses = passes(
    "blur-passes", "Blurred views come and go, each with two offscreen passes of 1.2 ms.",
    kind: .blur, passesPerView: 2, cost: 1_200_000)
  static let maskPasses = passes(
    "mask-passes", "Masked views come and go, each with an offscreen pass of 0.8 ms.",
    kind: .mask, passesPerView: 1, cost: 800_000)
  static let snapshotPasses = passes(
    "snapshot-passes",
    "Snapshots stand in for effects, with one offscreen pass of 0.5 ms at a time.",
    kind: .snapshot, passesPerView: 1, cost: 500_000, mostViews: 1)

  /// The number of views rises and falls, and so does the GPU time.
  private static func passes(
    _ name: String, _ summary: String, kind: PassColumn.Kind, passesPerView: Int, cost: Int64,
    mostViews: Int = 3
  ) -> Scenario {
    Scenario(name: name, summary: summary, frames: 240) { options in
      var units = PipelineScenario.steady(options.frames, app: 0.4, compositor: 0.2, gpu: 0.2)
      let counts = units.indices.map { $0 / 6 % (mostViews + 1) * passesPerView }
      for index in units.indices { units[index].gpu += Int64(counts[index]) * cost }
      let scenario = PipelineScenario(name, units, process: "Effects")
      let (frames, trace) = scenario.play { trace, frames in
        for (row, frame) in frames[0].enumerated() {
          trace.addPasses(counts[row], kind: kind, cost: cost, of: frame, row: row, surface: 0)
        }
      }
      let truth = PipelineScenario.truth(
        frames[0], PipelineTruth(depth: 2, changes: []),
        [
          .init("gpuTime", units.map(\.gpu)),
          .init("gpuTimePerPass", always: Nanoseconds(cost).milliseconds, n: frames[0].count),
        ])
      return Outcome(trace: trace, truth: truth)
    }
  }

  /// Video at 24 frames per second; only the display times are known.
  static let video24 = Scenario(
    name: "video-24",
    summary: "Video at 24 frames a second on 60 refreshes, alternating three and two refreshes.",
    frames: 120
  ) { options in
    var units = PipelineScenario.steady(options.frames, app: 0.2, compositor: 0.2, gpu: 0.2)
    for index in units.indices { units[index].refresh = 1 + Int64((index * 5 + 1) / 2) }
    var scenario = PipelineScenario("video-24", units, process: "Video")
    scenario.recorder.stages = false
    return scenario.outcome(PipelineTruth(isCadence: true))
  }
}

import FrameKit

/// Scenarios in which the pipeline changes how it works.
extension Scenario {
  /// Two commits that the compositor takes together form one frame.
  static let batchedCommits = Scenario(
    name: "batched-commits",
    summary: "An app that commits twice a frame, with frames sometimes taken two at a time.",
    frames: 200
  ) { options in
    var units = PipelineScenario.steady(options.frames, app: 0.7, compositor: 0.3, gpu: 0.3)
    for index in units.indices {
      units[index].earlierCommits = [PipelineScenario.share(0.4)]
      // The compositor is busy past the next refresh, so at the refresh after that it finds two commits.
      if index % 50 == 20 { units[index].compositor = PipelineScenario.share(1.3) }
    }
    var scenario = PipelineScenario("batched-commits", units)
    scenario.recorder.commits = true
    let (frames, trace) = scenario.play()
    let repeats = PipelineScenario.repeats(frames[0])
    return Outcome(
      trace: trace,
      truth: PipelineScenario.truth(
        frames[0], PipelineTruth(dropped: repeats > 0 ? ["compositor": repeats] : [:])))
  }

  /// From two buffers to three and back.
  static let tripleSwitch = Scenario(
    name: "triple-switch",
    summary:
      "The GPU's work grows past the budget, which takes a third buffer, until the app pauses.",
    frames: 180
  ) { options in
    let count = options.frames
    var units = PipelineScenario.steady(count, app: 0.5, compositor: 0.4, gpu: 0.4)
    let (heavy, light) = (count / 3, count * 2 / 3)
    for index in heavy..<light { units[index].gpu = PipelineScenario.share(0.9) }
    // A refresh without a frame removes the third buffer.
    for index in light..<count { units[index].refresh += 1 }
    return PipelineScenario("triple-switch", units).outcome(
      PipelineTruth(dropped: ["gpu": 1], changes: [(2, 3, "gpu"), (3, 2, "gpu")]))
  }

  /// Low latency that is turned off by an animation.
  static let animationOff = Scenario(
    name: "animation-turns-off-low-latency",
    summary:
      "Touches with low latency; an animation in the middle falls back to classic until a rest.",
    frames: 180
  ) { options in
    let count = options.frames
    var units = PipelineScenario.steady(count, app: 0.4, compositor: 0.25, gpu: 0.25)
    for index in count / 3..<count * 2 / 3 { units[index].animates = true }
    for index in count * 2 / 3..<count { units[index].refresh += 10 }
    var scenario = PipelineScenario("animation-turns-off-low-latency", units)
    scenario.isLowLatency = true
    scenario.surfaces[0].scans = SimulatedScans(
      start: 0, interval: PipelineScenario.interval, count: count + 10)
    // Three intervals, or four while the animation is active.
    let boxes = (0..<count).map { count / 3 <= $0 && $0 < count * 2 / 3 ? Int64(4) : 3 }
    let interval = PipelineScenario.interval
    return scenario.outcome(
      PipelineTruth(
        touches: .init(main: count, coalesced: 10)),
      [.init("touchToPhoton", boxes.map { $0 * interval })])
  }

  /// Two surfaces that share the compositor and the GPU.
  static let twoSurfaces = Scenario(
    name: "two-surfaces",
    summary: "Two windows on one display; the GPU work of one makes the other late too.",
    frames: 200
  ) { options in
    var first = PipelineScenario.steady(options.frames, app: 0.5, compositor: 0.15, gpu: 0.2)
    let second = PipelineScenario.steady(options.frames, app: 0.4, compositor: 0.15, gpu: 0.2)
    for index in first.indices where index % 40 == 20 {
      first[index].gpu = PipelineScenario.share(1.5)
    }
    var scenario = PipelineScenario("two-surfaces", first)
    scenario.surfaces[0].id = "game"
    scenario.surfaces.append(SurfaceWork(id: "chat", process: "Chat", second))
    let (frames, trace) = scenario.play()
    let truths = frames.map { frames in
      let repeats = PipelineScenario.repeats(frames)
      return PipelineScenario.truth(
        frames, PipelineTruth(dropped: repeats > 0 ? ["gpu": repeats] : [:]))
    }
    return Outcome(trace: trace, truths: truths)
  }
}

import FrameKit

/// Scenarios with stages that take longer than their budget, once or for a long time.
extension Scenario {
  static let appOverrun = overrun("app-overrun", .app, "The app takes too long")
  static let compositorOverrun = overrun(
    "compositor-overrun", .compositor, "The compositor takes too long")
  static let gpuOverrun = overrun("gpu-overrun", .gpu, "The GPU takes too long")
  static let layerAppOverrun = overrun(
    "layer-app-overrun", .app, "The app takes too long on a layer that it draws by itself",
    isFilledByApp: true)
  static let layerCompositorOverrun = overrun(
    "layer-compositor-overrun", .compositor, "The compositor of such a layer takes too long",
    isFilledByApp: true)
  static let layerGPUOverrun = overrun(
    "layer-gpu-overrun", .gpu, "The GPU, drawing such a layer, takes too long",
    isFilledByApp: true)
  static let appOverrunSustained = sustained(
    "app-overrun-sustained", .app, "An app whose work takes nearly two refreshes")
  static let compositorOverrunSustained = sustained(
    "compositor-overrun-sustained", .compositor,
    "A compositor whose work takes nearly two refreshes")
  static let gpuOverrunSustained = sustained(
    "gpu-overrun-sustained", .gpu, "A GPU whose work takes nearly two refreshes")

  /// Every 30th frame, a stage takes 0.9 to 1.6 intervals more, so the display repeats a frame once
  /// or twice.
  /// - Parameter isFilledByApp: Whether the app draws into the buffers with the GPU before the
  ///   compositor takes them, as on Android.
  private static func overrun(
    _ name: String, _ stage: PipelineStage, _ what: String, isFilledByApp: Bool = false
  ) -> Scenario {
    Scenario(name: name, summary: "\(what) for one frame in thirty.", frames: 300) { options in
      var variation = Variation(seed: options.seed)
      var units = PipelineScenario.steady(options.frames, app: 0.5, compositor: 0.3, gpu: 0.3)
      for index in units.indices where index % 30 == 15 {
        let longer = variation.length(
          PipelineScenario.share(1.25), PipelineScenario.share(0.35))
        units[index].add(longer, to: stage)
      }
      return outcome(name, units, stage, isFilledByApp: isFilledByApp)
    }
  }

  /// From one third to two thirds of the frames, the stage takes 1.9 intervals.
  private static func sustained(_ name: String, _ stage: PipelineStage, _ what: String) -> Scenario
  {
    Scenario(name: name, summary: "\(what) for a third of the time.", frames: 300) { options in
      var units = PipelineScenario.steady(options.frames, app: 0.5, compositor: 0.3, gpu: 0.3)
      for index in units.indices where index * 3 / options.frames == 1 {
        units[index].set(PipelineScenario.share(1.9), stage)
      }
      return outcome(name, units, stage)
    }
  }

  /// The app has a frame for every refresh, so each refresh that repeats a frame is dropped. The slow stage is to
  /// blame, because no other stage is slow.
  private static func outcome(
    _ name: String, _ units: [AppWork], _ stage: PipelineStage, isFilledByApp: Bool = false
  ) -> Outcome {
    var scenario = PipelineScenario(name, units, process: "Scroll")
    scenario.surfaces[0].isFilledByApp = isFilledByApp
    scenario.recorder.commits = true
    let (frames, trace) = scenario.play()
    let repeats = PipelineScenario.repeats(frames[0])
    let truth = PipelineScenario.truth(
      frames[0], PipelineTruth(dropped: repeats > 0 ? [stage.rawValue: repeats] : [:]))
    return Outcome(trace: trace, truth: truth)
  }
}

extension AppWork {
  mutating func add(_ length: Int64, to stage: PipelineStage) { change(stage) { $0 + length } }
  mutating func set(_ length: Int64, _ stage: PipelineStage) { change(stage) { _ in length } }

  private mutating func change(_ stage: PipelineStage, _ new: (Int64) -> Int64) {
    switch stage {
    case .app: app = new(app)
    case .compositor: compositor = new(compositor)
    case .gpu: gpu = new(gpu)
    case .display, .unknown: break
    }
  }
}

import FrameKit

/// A Metal layer next to UIKit content in the same transaction.
extension Scenario {
  static let metalLayer = layers(
    "metal-layer",
    "A Metal layer without transaction sync is shown a refresh before the view around it.",
    isSynchronized: false)
  static let metalLayerSynchronized = layers(
    "metal-layer-synchronized",
    "A Metal layer with transaction sync is shown together with the view around it.",
    isSynchronized: true)

  /// The view is shown three intervals after its app starts, the layer two intervals after.
  private static func layers(_ name: String, _ summary: String, isSynchronized: Bool) -> Scenario {
    Scenario(name: name, summary: summary, frames: 120) { options in
      let count = options.frames
      var scenario = PipelineScenario(
        name, PipelineScenario.steady(count, app: 0.5, compositor: 0.1, gpu: 0.3), process: "Map")
      scenario.surfaces[0].id = "metal"
      scenario.surfaces[0].isFilledByApp = true
      scenario.surfaces[0].buffers = 4
      let view = PipelineScenario.steady(count, app: 0.5, compositor: 0.6, gpu: 0.6)
      scenario.surfaces.append(SurfaceWork(id: "view", process: "Map", view))
      if isSynchronized {
        scenario.surfaces[0].shownWith = 1
        scenario.surfaces[1].shownWith = 0
      }
      let (frames, trace) = scenario.play { trace, frames in
        for row in frames[0].indices {
          trace.addLayers(transaction: row, gpu: (0, row), compositor: (1, row), isSynchronized)
        }
      }
      let skew: Double = isSynchronized ? 0 : -1
      return Outcome(
        trace: trace,
        truths: [
          PipelineScenario.truth(
            frames[0], PipelineTruth(),
            [.init("layerSkew", always: skew, n: count, unit: "refreshes")]),
          PipelineScenario.truth(frames[1], PipelineTruth(depth: 3, changes: [])),
        ])
    }
  }
}

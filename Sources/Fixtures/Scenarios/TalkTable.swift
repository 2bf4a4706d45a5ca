import FrameKit

/// The rows of the table in Apple's talk "Advanced Touch Input on iOS" (WWDC 2015): every stage
/// fills its box (one refresh interval), and a touch starts at the beginning of a box.
extension Scenario {
  /// The classic pipeline with a third buffer.
  static let talkTriple = talk(
    "talk-triple", "Classic, triple buffering: scan, app, compositor, GPU and display, a box each.",
    frames: 5, app: 1, compositor: 1, gpu: 1, depth: 3)

  /// The classic pipeline with two buffers.
  static let talkDouble = talk(
    "talk-double", "Classic, double buffering: compositor and GPU share a box.",
    frames: 4, app: 1, compositor: 0.5, gpu: 0.5, depth: 2)

  /// The app draws directly, and the compositor still arbitrates.
  static let talkMetal = talk(
    "talk-metal", "Classic, with a layer that the app draws with Metal: the compositor arbitrates.",
    frames: 4, app: 0.6, compositor: 1, gpu: 0.4, depth: 3
  ) { $0.surfaces[0].isFilledByApp = true }

  /// App, compositor and GPU follow one another without waiting.
  static let talkLowLatency = talk(
    "talk-low-latency", "Low latency: app, compositor and GPU share a box.",
    frames: 3, app: 0.5, compositor: 0.25, gpu: 0.25, depth: 2
  ) { $0.isLowLatency = true }

  /// Low latency is off while anything animates.
  static let talkAnimation = talk(
    "talk-animation", "Low latency with an animation active, which falls back to classic.",
    frames: 4, app: 1, compositor: 0.5, gpu: 0.5, depth: 2
  ) { scenario in
    scenario.isLowLatency = true
    for unit in scenario.surfaces[0].units.indices {
      scenario.surfaces[0].units[unit].animates = true
    }
  }

  /// A display that scans twice per refresh.
  static let talkCoalesced = talk(
    "talk-coalesced", "Low latency, scans at 120 Hz: coalesced touches, half a box of scan.",
    frames: 2.5, app: 0.5, compositor: 0.25, gpu: 0.25, depth: 2, scans: 2
  ) { $0.isLowLatency = true }

  /// The same display, with predictions.
  static let talkPredicted = talk(
    "talk-predicted", "Low latency, scans at 120 Hz, with prediction one frame ahead.",
    frames: 2.5, effective: 1.5, app: 0.5, compositor: 0.25, gpu: 0.25, depth: 2, scans: 2
  ) { scenario in
    scenario.isLowLatency = true
    scenario.surfaces[0].scans?.predictions = [PipelineScenario.interval]
  }

  private static func talk(
    _ name: String, _ summary: String, frames: Double, effective: Double? = nil, app: Double,
    compositor: Double, gpu: Double, depth: Int, scans: Int = 1,
    _ change: @escaping @Sendable (inout PipelineScenario) -> Void = { _ in }
  ) -> Scenario {
    Scenario(name: name, summary: summary, frames: 120) { options in
      let count = options.frames
      var scenario = PipelineScenario(
        name, PipelineScenario.steady(count, app: app, compositor: compositor, gpu: gpu))
      scenario.surfaces[0].scans = SimulatedScans(
        start: 0, interval: PipelineScenario.interval / Int64(scans), count: count * scans)
      change(&scenario)
      let milliseconds = frames * Nanoseconds(PipelineScenario.interval).milliseconds
      let isPredicted = !(scenario.surfaces[0].scans?.predictions.isEmpty ?? true)
      return scenario.outcome(
        PipelineTruth(
          depth: depth, changes: [],
          touches: .init(
            main: count, coalesced: count * (scans - 1), predicted: isPredicted ? count : 0)),
        [
          .init("touchToPhotonFrames", always: frames, n: count, unit: "frames"),
          .init("touchToPhoton", always: milliseconds, n: count),
          .init("inputAge", always: milliseconds, n: count),
          .init(
            "effectiveLatencyFrames", always: effective ?? frames, n: count, unit: "frames"),
        ])
    }
  }
}

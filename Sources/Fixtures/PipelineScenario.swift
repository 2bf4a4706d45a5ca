import FrameKit

/// A scenario being built: work for the stages of a simulated pipeline.
struct PipelineScenario {
  /// A 60 Hz interval; a quarter of it is a whole number of 100 ns steps.
  static let interval: Int64 = 16_666_800

  let name: String
  var surfaces: [SurfaceWork]
  var display = SimulatedDisplay(interval: PipelineScenario.interval)
  var isLowLatency = false
  var recorder = SimulationTrace.Recorder()

  init(_ name: String, _ units: [AppWork], process: String = "Touches") {
    self.name = name
    surfaces = [SurfaceWork(process: process, units)]
  }

  /// Plays the work: returns the frames of each surface, and their trace.
  func play(
    _ addMore: (inout SimulationTrace, [[SimulatedFrame]]) -> Void = { _, _ in }
  ) -> (frames: [[SimulatedFrame]], trace: Trace) {
    let frames = PipelineSimulation.play(surfaces, on: display, isLowLatency: isLowLatency)
    let trace = SimulationTrace.make(surfaces, frames, on: display, named: name, recorder) {
      addMore(&$0, frames)
    }
    return (frames, trace)
  }

  /// The outcome for one surface, with the metrics of every scenario and the given metrics.
  func outcome(
    _ pipeline: PipelineTruth, _ metrics: [ScenarioTruth.Metric] = []
  ) -> Scenario.Outcome {
    let (frames, trace) = play()
    return Scenario.Outcome(trace: trace, truth: Self.truth(frames[0], pipeline, metrics))
  }

  /// The truth about a surface's frames. The display times come from the simulation.
  static func truth(
    _ frames: [SimulatedFrame], _ pipeline: PipelineTruth, _ metrics: [ScenarioTruth.Metric] = []
  ) -> ScenarioTruth {
    let shown = frames.compactMap(\.displayed)
    return ScenarioTruth(
      frames: frames.count, displayed: shown.count, replaced: 0, discarded: 0,
      metrics: [.init("displayChange", displayChanges(frames))] + metrics, pipeline: pipeline)
  }

  /// The times from each displayed frame to the next, without pauses of the app of more than four
  /// refreshes.
  private static func displayChanges(_ frames: [SimulatedFrame]) -> [Int64] {
    let shown = frames.filter { $0.displayed != nil }
    return zip(shown.dropFirst(), shown).compactMap { next, before -> Int64? in
      guard let end = before.displayed, let own = next.displayed else { return nil }
      let start = next.commits.first?.app.lowerBound ?? own
      return start - end > 4 * interval ? nil : own - end
    }
  }

  /// How often the display repeated a frame, for an app that makes a frame for every refresh.
  static func repeats(_ frames: [SimulatedFrame]) -> Int {
    let shown = frames.compactMap(\.displayedRefresh)
    return zip(shown.dropFirst(), shown).reduce(0) { $0 + Int($1.0 - $1.1 - 1) }
  }

  /// Equal work for every refresh from the first onward, in shares of an interval.
  static func steady(
    _ count: Int, app: Double, compositor: Double, gpu: Double
  ) -> [AppWork] {
    (0..<count).map { index in
      AppWork(
        at: Int64(index) + 1, app: share(app), compositor: share(compositor), gpu: share(gpu))
    }
  }

  /// A share of the interval in whole steps of 100 ns.
  static func share(_ share: Double) -> Int64 {
    Int64((Double(interval) * share / 100).rounded()) * 100
  }
}

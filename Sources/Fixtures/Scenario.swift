package import FrameKit

/// A sequence of events as a trace, together with the truth about it.
package struct Scenario: Sendable {
  /// The options for generating a scenario.
  package struct Options: Sendable {
    /// The seed of the variation; the same seed gives the same trace.
    package var seed: UInt64
    /// How many frames the app makes.
    package var frames: Int

    package init(seed: UInt64 = 1, frames: Int) {
      self.seed = seed
      self.frames = frames
    }
  }

  /// A trace and its truth.
  package struct Outcome: Sendable {
    package let trace: Trace
    /// The truth of each surface.
    package let truths: [ScenarioTruth]
    /// The truth of the launches, in order.
    package var launches: [LaunchTruth] = []
    /// Why frames of the first surface are late, by frame index; empty if the trace has no data about threads.
    package var causes: [Int: LateCause.Kind] = [:]

    init(trace: Trace, launches: [LaunchTruth]) {
      self.init(trace: trace, truths: [])
      self.launches = launches
    }

    init(trace: Trace, truth: ScenarioTruth) {
      self.init(trace: trace, truths: [truth])
    }

    init(trace: Trace, truths: [ScenarioTruth]) {
      self.trace = trace
      self.truths = truths
    }
  }

  package let name: String
  /// What happens in the scenario, in one sentence.
  package let summary: String
  /// The default number of frames.
  package let frames: Int
  /// Plays the scenario.
  package let play: @Sendable (Options) -> Outcome
}

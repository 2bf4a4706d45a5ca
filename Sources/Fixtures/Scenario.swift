package import FrameKit

/// Something that happened, as a trace, with the truth about it written down.
package struct Scenario: Sendable {
  /// What a scenario is made with.
  package struct Options: Sendable {
    /// Seeds the variation; the same seed gives the same trace.
    package var seed: UInt64
    /// How many frames the app makes.
    package var frames: Int

    package init(seed: UInt64 = 1, frames: Int) {
      self.seed = seed
      self.frames = frames
    }
  }

  /// A trace and what is true of it.
  package struct Outcome: Sendable {
    package let trace: Trace
    /// For each surface what is true of it.
    package let truths: [ScenarioTruth]
    /// What is true of its launches, in order.
    package var launches: [LaunchTruth] = []

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
  /// What happens in it, in one sentence.
  package let summary: String
  /// How many frames it has when nobody says otherwise.
  package let frames: Int
  /// Plays it.
  package let play: @Sendable (Options) -> Outcome
}

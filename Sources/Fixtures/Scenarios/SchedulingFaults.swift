import FrameKit

extension Scenario {
  /// Every 15th frame, something happens to the app's main thread: another program has its processor, the thread waits
  /// for a lock, a disk, another process, and so on, in turn.
  static let schedulingFaults = faults(
    "scheduling-faults", "The app's main thread works, or waits for something, for too long.",
    ScheduledThreads.Fault.allCases)

  private static func faults(
    _ name: String, _ what: String, _ kinds: [ScheduledThreads.Fault]
  ) -> Scenario {
    Scenario(name: name, summary: what, frames: 300) { options in
      var variation = Variation(seed: options.seed)
      var units = PipelineScenario.steady(options.frames, app: 0.5, compositor: 0.3, gpu: 0.3)
      var faults: [Int: ScheduledThreads.Fault] = [:]
      for index in units.indices where index % 15 == 10 {
        units[index].add(
          variation.length(PipelineScenario.share(1.25), PipelineScenario.share(0.35)), to: .app)
        faults[index] = kinds[index / 15 % kinds.count]
      }
      var scenario = PipelineScenario(name, units, process: "Scroll")
      scenario.recorder.commits = true
      let (frames, trace) = scenario.play { trace, frames in
        let spans = frames[0].compactMap { frame in
          frame.commits.first.map { $0.app.lowerBound..<$0.app.upperBound }
        }
        ScheduledThreads.write(
          spans, faults, base: PipelineScenario.share(0.5), to: &trace.builder)
      }
      let repeats = PipelineScenario.repeats(frames[0])
      let dropped = repeats > 0 ? [PipelineStage.app.rawValue: repeats] : [:]
      var outcome = Outcome(
        trace: trace,
        truth: PipelineScenario.truth(frames[0], PipelineTruth(dropped: dropped)))
      outcome.causes = faults.mapValues(\.cause)
      return outcome
    }
  }
}

import FrameKit

/// Scenarios for the fate of touches before they are shown.
extension Scenario {
  /// Touches that wait while the app is busy.
  static let coalescedPileUp = Scenario(
    name: "coalesced-pile-up",
    summary: "Scans at 120 Hz pile up as coalesced touches while the app is busy.", frames: 200
  ) { options in
    let count = options.frames
    var units = PipelineScenario.steady(count, app: 0.5, compositor: 0.25, gpu: 0.25)
    let slow = units.indices.filter { $0 % 40 == 20 }
    // Busy for 3.5 intervals, the app misses three refreshes and six scans.
    for index in slow { units[index].app = PipelineScenario.share(3.5) }
    var scenario = PipelineScenario("coalesced-pile-up", units)
    let refreshes = count + 3 * slow.filter { $0 < count - 1 }.count
    scenario.surfaces[0].scans = SimulatedScans(
      start: 0, interval: PipelineScenario.interval / 2, count: refreshes * 2)
    let (frames, trace) = scenario.play()
    let repeats = PipelineScenario.repeats(frames[0])
    return Outcome(
      trace: trace,
      truth: PipelineScenario.truth(
        frames[0],
        PipelineTruth(
          dropped: repeats > 0 ? ["app": repeats] : [:],
          touches: .init(main: count, coalesced: refreshes * 2 - count))))
  }

  /// Touches that the system cancels.
  static let cancelledTouches = Scenario(
    name: "cancelled-touches",
    summary: "A scroll view takes over a touch: the last ten scans are canceled.", frames: 100
  ) { options in
    let count = options.frames
    var scenario = PipelineScenario(
      "cancelled-touches",
      PipelineScenario.steady(count, app: 0.5, compositor: 0.25, gpu: 0.25))
    var scans = SimulatedScans(start: 0, interval: PipelineScenario.interval, count: count)
    scans.cancelledFrom = count - 10
    scenario.surfaces[0].scans = scans
    return scenario.outcome(
      PipelineTruth(touches: .init(main: count, cancelled: 10)),
      [.init("touchToPhotonFrames", always: 4, n: count - 10, unit: "frames")])
  }

  /// Predictions that are wrong.
  static let predictedTouches = Scenario(
    name: "predicted-touches",
    summary: "Predictions of one and two frames ahead that miss by 2.5 points.", frames: 150
  ) { options in
    let count = options.frames
    let interval = PipelineScenario.interval
    var scenario = PipelineScenario(
      "predicted-touches",
      PipelineScenario.steady(count, app: 0.5, compositor: 0.25, gpu: 0.25))
    var scans = SimulatedScans(start: 0, interval: interval, count: count)
    scans.predictions = [interval, 2 * interval]
    scans.predictionError = 2.5
    scenario.surfaces[0].scans = scans
    // The last predictions are for times after the finger's path has ended.
    return scenario.outcome(
      PipelineTruth(touches: .init(main: count, predicted: 2 * count)),
      [
        .init("predictionError", always: 2.5, n: 2 * count - 3, unit: "pt"),
        .init("touchToPhotonFrames", always: 4, n: count, unit: "frames"),
        .init("effectiveLatencyFrames", always: 2, n: count, unit: "frames"),
      ])
  }
}

import FrameKit

/// Launches of an app. The first only warms up, and one is a resume.
extension Scenario {
  static let launches = Scenario(
    name: "launches",
    summary: "Launches of an app: a warm-up, then cold and warm ones, and a resume.",
    frames: 8
  ) { options in
    var variation = Variation(seed: options.seed)
    let launches = (0..<max(1, options.frames)).map { number in
      launch(number, &variation)
    }
    return Outcome(
      trace: LaunchTrace.make(launches, named: "launches", process: "Star Searcher"),
      launches: launches.map(LaunchTruth.init))
  }

  /// The sixth launch only brings the app back to the foreground; every third is cold.
  private static func launch(_ number: Int, _ variation: inout Variation) -> LaunchTrace.Launch {
    let millisecond: Int64 = 1_000_000
    func vary(_ low: Int64, _ high: Int64) -> Int64 {
      variation.length((low + high) * millisecond / 2, (high - low) * millisecond / 2)
    }
    func phase(
      _ name: PhaseColumn.Name, _ low: Int64, _ high: Int64
    ) -> LaunchTrace.Phase {
      let length = vary(low, high)
      return LaunchTrace.Phase(name, length, cpu: length * 3 / 4)
    }
    let delay = vary(5, 9)
    if number == 5 {
      return LaunchTrace.Launch(
        kind: .resume, delay: delay, phases: [phase(.firstFrame, 40, 60)])
    }
    let isCold = number % 3 == 0
    // Data that is not in memory yet must be read.
    let more: Int64 = isCold ? 2 : 1
    return LaunchTrace.Launch(
      kind: isCold ? .cold : .warm, delay: delay,
      phases: [
        phase(.systemInterface, 50 * more, 60 * more),
        phase(.staticInitialization, 20 * more, 26 * more),
        phase(.frameworkInitialization, 25, 30),
        phase(.applicationInitialization, 90, 120),
        phase(.firstFrame, 60, 80),
      ], isThrowaway: number == 0)
  }
}

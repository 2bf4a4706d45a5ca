import FrameKit

extension Scenario {
  /// A game that runs as fast as it can in a window.
  static let uncappedGame = Scenario(
    name: "uncapped-game",
    summary:
      "A game that runs as fast as it can in a window; the compositor shows its newest frame at 60 Hz.",
    frames: 1000, play: playUncappedGame)

  /// The app makes a frame about every 4.2 ms; at each refresh, the compositor takes the newest finished frame and
  /// shows it a refresh later. About three in four frames are never shown.
  private static func playUncappedGame(_ options: Options) -> Outcome {
    let interval: Int64 = 16_666_700
    var variation = Variation(seed: options.seed)
    let work = (0..<options.frames).map { index in
      GameChain.Work(
        app: variation.length(4_000_000, 900_000), gpu: variation.length(2_500_000, 400_000),
        clickBefore: index % 90 == 45 ? variation.length(2_000_000, 1_500_000) : nil)
    }
    let chain = GameChain(interval: interval, presentation: .composedLatest)
    let frames = chain.play(work)
    return Outcome(
      trace: chain.trace(of: frames, named: "uncapped-game", process: "uncapped.exe"),
      truth: uncappedTruth(work, interval: interval))
  }

  /// Computes separately, frame by frame, which frame is the newest at each refresh.
  private static func uncappedTruth(_ work: [GameChain.Work], interval: Int64) -> ScenarioTruth {
    var now: Int64 = 0
    var gpuFree: Int64 = 0
    var shownAt: [Int64: (start: Int64, commit: Int64)] = [:]
    var clicks: [(made: Int64, finished: Int64)] = []
    for item in work {
      let commit = now + item.app
      gpuFree = max(gpuFree, commit) + item.gpu
      let refresh = (gpuFree + interval - 1) / interval
      shownAt[refresh + 1] = (now, commit)
      if let before = item.clickBefore { clicks.append((now - before, refresh + 1)) }
      now = commit + 100_000
    }
    let shown = shownAt.map { ($0.key * interval, $0.value) }
    return ScenarioTruth(
      frames: work.count, displayed: shown.count, replaced: work.count - shown.count, discarded: 0,
      metrics: [
        .init("displayChange", always: Nanoseconds(interval).milliseconds, n: shown.count - 1),
        .init("displayLatency", shown.map { $0.0 - $0.1.start }),
        .init("presentLatency", shown.map { $0.0 - $0.1.commit }),
        .init("cpuBusy", work.map(\.app)),
        .init("clickToPhoton", clicks.map { $0.finished * interval - $0.made }),
      ])
  }
}

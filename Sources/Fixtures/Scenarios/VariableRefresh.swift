import FrameKit

extension Scenario {
  /// A game on a display that waits for its frames.
  static let variableRefresh = Scenario(
    name: "variable-refresh",
    summary: "A game at about 90 fps on a display that waits for frames, up to 144 Hz.",
    frames: 500, play: playVariableRefresh)

  /// Each frame is shown when its GPU work is done, since the display is always ready by then.
  private static func playVariableRefresh(_ options: Options) -> Outcome {
    let shortest: Int64 = 6_944_400
    var variation = Variation(seed: options.seed)
    let work = (0..<options.frames).map { _ in
      GameChain.Work(
        app: variation.length(11_000_000, 1_500_000), gpu: variation.length(5_000_000, 500_000))
    }
    let chain = GameChain(interval: shortest, presentation: .variableRefresh)
    let frames = chain.play(work)
    // The app takes at least 9.5 ms and the GPU at most 5.5 ms, so neither waits for the other or
    // for the display, and a frame is displayed when its work is done.
    var start: Int64 = 0
    let shown = work.map { item in
      defer { start += item.app + 100_000 }
      return start + item.app + item.gpu
    }
    let truth = ScenarioTruth(
      frames: options.frames, displayed: options.frames, replaced: 0, discarded: 0,
      metrics: [
        .init("displayChange", zip(shown.dropFirst(), shown).map { $0 - $1 }),
        .init("displayLatency", work.map { $0.app + $0.gpu }),
        .init("presentLatency", work.map(\.gpu)),
        .init("startInterval", work.dropLast().map { $0.app + 100_000 }),
      ])
    return Outcome(
      trace: chain.trace(of: frames, named: "variable-refresh", process: "vrr.exe"), truth: truth)
  }

  /// A game that animates evenly and is shown unevenly.
  static let unevenPresenter = Scenario(
    name: "uneven-presenter",
    summary: "A game that starts a frame every 12.1 ms and shows every second one 4 ms late.",
    frames: 300, play: playUnevenPresenter)

  /// The GPU takes 4 ms longer for every second frame, and the display follows immediately.
  private static func playUnevenPresenter(_ options: Options) -> Outcome {
    let late: Int64 = 4_000_000
    let work = (0..<options.frames).map { index in
      GameChain.Work(app: 12_000_000, gpu: 5_000_000 + (index % 2 == 1 ? late : 0))
    }
    let chain = GameChain(interval: 6_944_400, presentation: .variableRefresh)
    let frames = chain.play(work)
    let errors = (1..<max(1, options.frames)).map { $0 % 2 == 1 ? -late : late }
    let truth = ScenarioTruth(
      frames: options.frames, displayed: options.frames, replaced: 0, discarded: 0,
      metrics: [
        .init("animationError", errors),
        .init("displayChange", errors.map { 12_100_000 - $0 }),
        .init("presentLatency", work.map(\.gpu)),
        .init("startInterval", work.dropLast().map { $0.app + 100_000 }),
        .init("displayLatency", work.map { $0.app + $0.gpu }),
      ])
    return Outcome(
      trace: chain.trace(of: frames, named: "uneven-presenter", process: "uneven.exe"),
      truth: truth)
  }

  /// A game that sometimes takes longer than the display can wait.
  static let variableRefreshRepeats = Scenario(
    name: "variable-refresh-repeats",
    summary:
      "A game on a display that waits at most 20.8 ms for a frame, then repeats the last one.",
    frames: 300, play: playVariableRefreshRepeats)

  /// Every 15th frame takes 30 ms, so the display must repeat a frame.
  private static func playVariableRefreshRepeats(_ options: Options) -> Outcome {
    let (shortest, longest) = (Int64(6_944_400), Int64(20_833_300))
    let work = (0..<options.frames).map { index in
      GameChain.Work(app: index % 15 == 10 ? 30_000_000 : 11_000_000, gpu: 5_000_000)
    }
    let chain = GameChain(interval: shortest, presentation: .variableRefresh)
    let frames = chain.play(work)
    let shown = frames.compactMap(\.displayed)
    let refreshes = zip(shown, shown.dropFirst() + [Int64.max]).flatMap { start, next in
      let isLate = next != .max && next - start > longest
      return isLate ? [(start, false), (start + longest, true)] : [(start, false)]
    }
    let repeats = refreshes.count { $0.1 }
    let truth = ScenarioTruth(
      frames: options.frames, displayed: options.frames, replaced: 0, discarded: 0,
      metrics: [
        .init("displayChange", zip(shown.dropFirst(), shown).map { $0 - $1 }),
        .init("displayLatency", work.map { $0.app + $0.gpu }),
      ],
      pipeline: PipelineTruth(dropped: repeats > 0 ? ["app": repeats] : [:]))
    return Outcome(
      trace: chain.trace(
        of: frames, named: "variable-refresh-repeats", process: "vrr.exe", refreshes: refreshes),
      truth: truth)
  }
}

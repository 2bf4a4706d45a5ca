import FrameKit

extension Scenario {
  /// An app that keeps up with a 60 Hz display.
  static let steady60 = Scenario(
    name: "steady-60", summary: "An app that keeps up with a 60 Hz display, three buffers.",
    frames: 300, play: { steady($0, name: "steady-60", interval: 16_666_700) })

  /// Every frame is displayed, one refresh after the previous frame and two refreshes after its start: the third buffer
  /// lets the app work ahead by one frame.
  static func steady(_ options: Options, name: String, interval: Int64) -> Outcome {
    var variation = Variation(seed: options.seed)
    let work = (0..<options.frames).map { index in
      GameChain.Work(
        app: variation.length(interval * 36 / 100, interval / 20),
        gpu: variation.length(interval * 30 / 100, interval / 20),
        clickBefore: index % 40 == 20 ? variation.length(interval / 4, interval / 5) : nil)
    }
    let chain = GameChain(interval: interval, presentation: .firstInFirstOut(buffers: 3))
    let frames = chain.play(work)
    let milliseconds = Nanoseconds(interval).milliseconds
    let clicks = work.compactMap(\.clickBefore)
    let truth = ScenarioTruth(
      frames: options.frames, displayed: options.frames, replaced: 0, discarded: 0,
      metrics: [
        .init("displayChange", always: milliseconds, n: options.frames - 1),
        .init("displayedTime", always: milliseconds, n: options.frames),
        .init("displayLatency", always: 2 * milliseconds, n: options.frames),
        .init("presentLatency", work.map { 2 * interval - $0.app }),
        .init("cpuBusy", work.map(\.app)),
        .init("gpuTime", work.map(\.gpu)),
        .init("clickToPhoton", clicks.map { 2 * interval + $0 }),
      ])
    return Outcome(trace: chain.trace(of: frames, named: name, process: "steady.exe"), truth: truth)
  }

  /// An app that keeps up with a 120 Hz display.
  static let steady120 = Scenario(
    name: "steady-120", summary: "An app that keeps up with a 120 Hz display, three buffers.",
    frames: 600, play: { steady($0, name: "steady-120", interval: 8_333_300) })
}

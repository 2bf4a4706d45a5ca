import FrameKit

extension Scenario {
  /// A game that stutters now and then and loses a frame each time.
  static let droppedFrames = Scenario(
    name: "dropped-frames",
    summary: "A game in step with a 60 Hz display that stumbles every 20 frames and loses a frame.",
    frames: 400, play: playDroppedFrames)

  /// One frame per refresh, each taking exactly the interval. Every 20th takes nearly two intervals, so the display
  /// repeats the previous frame. The next frame takes hardly any time and catches up: both finish in the same interval,
  /// and the later frame replaces the earlier one.
  private static func playDroppedFrames(_ options: Options) -> Outcome {
    let interval: Int64 = 16_667_000
    let call: Int64 = 100_000
    let work = (0..<options.frames).map { index in
      let length =
        switch index % 20 {
        case 18: interval * 19 / 10
        case 19: interval / 10
        default: interval
        }
      return GameChain.Work(app: length - call, gpu: 4_000_000)
    }
    let chain = GameChain(interval: interval, presentation: .latest, callTime: call)
    let late = (options.frames + 1) / 20
    let replaced = options.frames / 20
    let displayed = options.frames - replaced
    let truth = ScenarioTruth(
      frames: options.frames, displayed: displayed, replaced: replaced, discarded: 0,
      metrics: [
        .init(
          "displayChange", (0..<displayed - 1).map { $0 < late ? 2 * interval : interval }),
        .init("gpuTime", always: 4, n: options.frames),
        .init("cpuWait", always: 0.1, n: options.frames),
      ])
    let trace = chain.trace(
      of: chain.play(work), named: "dropped-frames", process: "stumble.exe")
    return Outcome(trace: trace, truth: truth)
  }
}

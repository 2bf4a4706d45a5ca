import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameReplay
@testable import FrameReport
@testable import FrameTrace

/// Edge cases of conditions: the recorded rate, limits between refreshes, images of a swap chain,
/// explanations.
@Suite struct ReplayConditionTests {
  private static func replayer(_ name: String) throws -> Replayer {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    return try Replayer(Study(of: scenario.play(.init(frames: scenario.frames)).trace))
  }

  private static func conditions(_ change: (inout ReplayConditions) -> Void) -> ReplayConditions {
    var conditions = ReplayConditions()
    change(&conditions)
    return conditions
  }

  /// The recorded rate gives the recorded refreshes: nothing changes, however the rate is rounded.
  @Test(arguments: ["talk-triple", "app-overrun", "gpu-overrun", "steady-60", "coalesced-pile-up"])
  func theRecordedRateChangesNothing(name: String) throws {
    let replayer = try Self.replayer(name)
    for interval in [16_666_667, 16_700_000, 16_650_000] as [Int64] {
      let replay = try replayer.replay(
        Self.conditions { $0.refresh = .fixed(Nanoseconds(interval)) })
      for figure in replay.figures {
        #expect(figure.change == Replay.Figure.Change.none, "\(figure.name) at \(interval) ns")
      }
    }
    let other = try replayer.replay(
      Self.conditions { $0.refresh = .fixed(Nanoseconds(11_111_111)) })
    #expect(other.figures.contains { $0.change != Replay.Figure.Change.none })
  }

  /// Refreshes between known ones are evenly spaced, whatever numbers are missing.
  @Test func refreshesHaveTimesInGaps() {
    let refreshes = ReplayRefreshes(
      numbers: [5, 6, 9, 10, 14], times: [50, 60, 90, 101, 141], before: 9, after: 11)
    let times: [Int64] = [32, 41, 50, 60, 70, 80, 90, 101, 111, 121, 131, 141, 152, 163]
    for (number, time) in zip(Int64(3)..., times) {
      #expect(refreshes.time(number) == time)
      #expect(refreshes.last(time) == number && refreshes.last(time + 1) == number)
      #expect(refreshes.first(time) == number && refreshes.first(time + 1) == number + 1)
    }
  }

  @Test func refreshesKeepARateOrDoNot() {
    let even = ReplayRefreshes(
      numbers: Array(0..<100), times: (0..<100).map { $0 * 1000 + ($0 % 3) * 5 }, before: 1000,
      after: 1000)
    #expect(even.keep(1000) && even.keep(1003) && !even.keep(1010))
    let changing = ReplayRefreshes(
      numbers: Array(0..<100), times: (0..<100).map { $0 * 1000 + max(0, $0 - 50) * 100 },
      before: 1000, after: 1000)
    #expect(!changing.keep(1000))
  }

  /// A limit is kept on average, or by every frame; at a whole number of refreshes both are the same.
  @Test(
    arguments: [(8_333_333, 60.0, 60.0, 60.0), (6_944_444, 60, 60, 48), (16_666_667, 50, 50, 30)]
      as [(Int64, Double, Double, Double)])
  func limits(_ interval: Int64, _ rate: Double, _ average: Double, _ each: Double) {
    let refreshes = ReplayRefreshes(from: 0, every: interval)
    for (rule, expected) in [(FramePace.Rule.onAverage, average), (.byEveryFrame, each)] {
      var pace = FramePace(cap: Int64(1e9 / rate), rule)
      var starts: [Int64] = []
      for number in 0..<3000 as Range<Int64> {
        let time = refreshes.time(number)
        if time >= pace.next(refreshes) {
          pace.consume(time, refreshes)
          starts.append(time)
        }
      }
      let seconds = Double(starts[starts.count - 1] - starts[0]) / 1e9
      #expect(abs(Double(starts.count - 1) / seconds - expected) < 0.1, "\(rule)")
    }
  }

  /// A limit within a sixteenth of a refresh of a whole number of them is one.
  @Test func limitsAreWholeOrNot() {
    #expect(FramePace.isWhole(2000, of: 1000) && FramePace.isWhole(2062, of: 1000))
    #expect(FramePace.isWhole(1938, of: 1000) && !FramePace.isWhole(2063, of: 1000))
    #expect(!FramePace.isWhole(1937, of: 1000) && !FramePace.isWhole(2500, of: 1000))
  }

  /// With two images, one is on the display, and the app draws into the other once it is free. With
  /// three, it waits for none.
  @Test func imagesAreThoseOfTheSwapChain() {
    let refreshes = ReplayRefreshes(from: 0, every: 1000)
    var two = ReplayImages(count: 2)
    var three = ReplayImages(count: 3)
    for images in [two, three] { #expect(images.free(refreshes) == .min) }
    // Frames are finished at 100, 400 and 1200, for the refreshes at 1000, 1000 and 2000.
    for (finished, refresh) in [(100, 1), (400, 1), (1200, 2)] as [(Int64, Int64)] {
      two.consume(finished: finished, at: refresh, refreshes)
      three.consume(finished: finished, at: refresh, refreshes)
    }
    // The second frame is on the display from 1000 on, and the third waits until 2000, when the
    // second leaves it.
    #expect(two.free(refreshes) == 2000)
    #expect(three.free(refreshes) == 400)
  }

  @Test func aDisplayThatWaitsShowsTheOldFrameAgain() throws {
    let replayer = try Self.replayer("variable-refresh")
    let free = try replayer.replay(
      Self.conditions { $0.refresh = .variable(shortest: nil, longest: nil) })
    let limited = try replayer.replay(
      Self.conditions {
        $0.refresh = .variable(shortest: Nanoseconds(6_944_444), longest: Nanoseconds(8_000_000))
      })
    let latency = { (replay: Replay) in replay.figure("mean(displayLatency)")?.expected ?? 0 }
    // A frame that arrives as the old one is repeated waits until the repeat ends.
    #expect(latency(limited) > latency(free))
  }

  /// A condition that cancels another one is refused.
  @Test func conditionsDoNotCancelEachOther() throws {
    let replayer = try Self.replayer("steady-60")
    #expect(throws: ReplayRefusal.self) {
      try replayer.replay(
        Self.conditions {
          $0.refresh = .variable(shortest: nil, longest: nil)
          $0.presentMode = .mailbox
        })
    }
    let composed = try Self.replayer("talk-triple")
    #expect(throws: ReplayRefusal.self) {
      try composed.replay(Self.conditions { $0.presentMode = .immediate })
    }
    let torn = try replayer.replay(Self.conditions { $0.presentMode = .immediate })
    let latency = try #require(torn.figure("p50(displayLatency)"))
    #expect(latency.change == .better)
  }

  /// The culprit is the stage to work on, whatever else would help.
  @Test(arguments: [
    ("app-overrun", ReplayConditions.Stage.app), ("compositor-overrun", .compositor),
    ("gpu-overrun", .gpu), ("app-overrun-sustained", .app),
    ("compositor-overrun-sustained", .compositor), ("gpu-overrun-sustained", .gpu),
    ("layer-app-overrun", .app), ("layer-compositor-overrun", .compositor),
    ("layer-gpu-overrun", .gpu),
  ])
  func adviceNamesTheCulprit(_ name: String, _ stage: ReplayConditions.Stage) throws {
    let advice = try ReplayAdvice(Self.replayer(name))
    let first = try #require(advice.items.first)
    #expect(first.conditions.scales.keys.first == stage, "\(first.sentence)")
    #expect(first.isDecided && first.gain > 0)
  }

  /// Replays carried out at once, and finished in another order, give the same answers.
  @Test(arguments: ["gpu-overrun", "uncapped-game", "batched-commits", "dropped-frames"])
  func replaysAtOnceAreTheSame(_ name: String) throws {
    let text = { (parallelism: Parallelism) in
      let replayer = try Self.replayer(name)
      let advice = try ReplayAdvice(replayer, parallelism)
      let sweep = try ReplaySweep(replayer, of: .scale(.app), over: 0.5...1.5, parallelism)
      return Writers.write([ReplayReport(advice.replay, sweep: sweep, advice: advice)], as: .json)
    }
    #expect(try text(.threads) == text(.none))
  }
}

import Testing

@testable import Fixtures
@testable import FrameAnalysis
@testable import FrameReplay

/// Recordings near the length above which explanations are tried only on a part.
@Suite struct LongReplayTests {
  /// Explanations are tried on the first part of a long recording: the result there holds for all
  /// of it.
  @Test(arguments: [-1, 0, 1, 500])
  func recordingsAroundTheLongestThatIsTriedWholeAreReproduced(_ beyond: Int) throws {
    let count = ReplayRecording.mostTried + beyond
    let scenario = try #require(Scenarios.all.first { $0.name == "uncapped-game" })
    let replayer = try Replayer(Study(of: scenario.play(.init(frames: count)).trace))
    // At the recorded speed nothing changes, whatever the explanation.
    var conditions = ReplayConditions()
    conditions.scales[.app] = 1
    let replay = try replayer.replay(conditions)
    #expect(replay.frames == count)
    #expect(replay.reproducedShare == 1)
    for figure in replay.figures {
      #expect(figure.modelError < 1e-9, "\(figure.name)")
      #expect(figure.change == Replay.Figure.Change.none, "\(figure.name)")
    }
  }
}

import Testing

@testable import Fixtures
@testable import FrameAnalysis
@testable import FrameReplay
@testable import FrameTrace

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

  /// The recording, its replay as recorded and the prediction are measured one after the other or at once.
  @Test(arguments: ["uncapped-game", "dropped-frames", "talk-triple"])
  func aReplayIsTheSameHoweverManyThreadsMeasureIt(_ name: String) throws {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    let study = Study(of: scenario.play(.init(frames: 400)).trace)
    var conditions = ReplayConditions()
    conditions.scales[.app] = 0.8
    for conditions in [conditions, ReplayConditions()] {
      let own = try Replayer(study).replay(conditions)
      #expect(own.figures.contains { $0.predicted != nil } == !conditions.isEmpty)
      for parallelism in Parallelism.unlike {
        let replayer = try Replayer(study)
        let other = try replayer.replay(conditions, parallelism)
        #expect(other.figures == own.figures)
        #expect(other.notes == own.notes && other.otherwise == own.otherwise)
        #expect(other.dropsBefore == own.dropsBefore && other.dropsAfter == own.dropsAfter)
        #expect(other.prediction?.frameCount == own.prediction?.frameCount)
        #expect(other.asRecorded.frameCount == own.asRecorded.frameCount)
        // What is known of the recording is used again.
        #expect(try replayer.replay(conditions).figures == own.figures)
      }
    }
  }

  @Test func missingTimesTakeNoMoreThanTheirValues() {
    var item = ReplayedWork(row: 3)
    #expect(item.callbacksLater == 0 && item.soonest == nil && item.due == nil)
    for value: Int64? in [0, -1, .max, .min + 1, nil] {
      (item.soonest, item.due, item.callbacksLater) = (value, value, value)
      #expect(item.soonest == value && item.due == value && item.callbacksLater == value)
    }
    var frame = ReplayedFrame(0..<1, appStart: 5, commit: 7, appEnd: 9)
    #expect(frame.blocked == nil && frame.compositor == nil && frame.displayed == nil)
    for range: Range<Int64>? in [0..<0, -5..<3, nil] {
      (frame.blocked, frame.compositor) = (range, range)
      #expect(frame.blocked == range && frame.compositor == range)
    }
    #expect(MemoryLayout<CompactOptional>.size == 8)
    #expect(MemoryLayout<CompactOptionalRange>.size == 16)
  }
}

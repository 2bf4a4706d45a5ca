import FrameKit
import Synchronization
import Testing

@testable import frametool

/// How many replays of a recording are carried out at once.
@Suite struct ConcurrentReplayTests {
  /// A long recording takes so much memory that fewer are played at once, at the least one; each is
  /// played once, on threads that know the file.
  @Test(
    arguments: [
      (1, nil, 8), (1_000_000, nil, 2), (1_000_001, nil, 1), (2_000_000, nil, 1),
      (2_000_001, nil, 1), (Int.max, nil, 1), (0, nil, 8), (1, 1, 1), (1, 3, 3),
      (1_000_000, 3, 2),
    ] as [(Int, Int?, Int)])
  func longRecordingsArePlayedFewAtOnce(_ frames: Int, _ jobs: Int?, _ most: Int) {
    let state = Mutex((active: 0, highest: 0))
    let files = ProgramBuild.reading("long.csv") {
      Parallelism.replays(of: frames, atOnce: jobs).map(8) { _ in
        state.withLock { state in
          state.active += 1
          state.highest = max(state.highest, state.active)
        }
        defer { state.withLock { $0.active -= 1 } }
        return ProgramBuild.file
      }
    }
    #expect(files == Array(repeating: "long.csv", count: 8))
    #expect(1...most ~= state.withLock { $0.highest })
  }
}

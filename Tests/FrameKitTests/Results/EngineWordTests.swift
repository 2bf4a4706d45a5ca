import Testing

@testable import FrameReport

/// Which thread of an engine fills the frame time.
@Suite struct EngineWordTests {
  private static func sentence(_ medians: [String: Double], n: Int = 60) -> String? {
    EngineWords { name in medians[name].map { ($0, n) } }?.sentence
  }

  /// Both sides of ten frames.
  @Test func ofFewFramesNothingIsSaid() {
    let medians = ["frameTime": 10.0, "gameThreadTime": 9.5, "gpuBusy": 5]
    #expect(Self.sentence(medians, n: 9) == nil && Self.sentence(medians, n: 10) != nil)
  }

  /// Both sides of nine tenths of the frame time.
  @Test(arguments: [(8.9, false), (9.0, true), (12.5, true)])
  func aThreadFillsTheFrameTimeFromNineTenthsOn(_ busy: Double, _ isFull: Bool) {
    for (name, words) in [
      ("gameThreadTime", "game thread"), ("renderThreadTime", "render thread"),
      ("rhiThreadTime", "RHI thread"),
    ] {
      let found = Self.sentence(["frameTime": 10, name: busy, "gpuBusy": 5]) ?? ""
      #expect(found.hasPrefix("the \(words) fills the frame time (medians: ") == isFull, "\(found)")
      #expect(found.hasSuffix("ms, GPU 5.0 ms of 10.0 ms; n 60)"), "\(found)")
    }
  }

  @Test func theGPUMayBeWhatFillsIt() {
    let found = Self.sentence(["frameTime": 10, "gameThreadTime": 4, "gpuBusy": 9.5])
    #expect(found?.hasPrefix("the GPU fills the frame time") == true)
  }

  /// Without the GPU's time, nothing is said of what the threads wait for.
  @Test func whatIsNotCountedIsNoCap() {
    #expect(
      Self.sentence(["frameTime": 10, "gameThreadTime": 4])
        == "no counted thread fills the frame time; the GPU is not counted (medians: game thread 4.0 ms of 10.0 ms; n 60)"
    )
    #expect(Self.sentence(["frameTime": 10, "gpuBusy": 4]) == nil)
  }
}

import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameStatistics
@testable import FrameTrace

/// Programs that draw for a compositor of which only the outcome of their frames is recorded.
@Suite("Chains with an unseen compositor")
struct CompositedChainTests {
  /// The stage that takes longer than usual, once.
  enum Culprit: String, CaseIterable {
    case app, call, gpu, compositor
  }

  private static let refresh: Int64 = 16_666_667

  /// Frames of a program that wakes when the previous frame is displayed, hands over a frame in a
  /// call of half a millisecond, and has the GPU draw it in 2 ms. One of them is delayed.
  private static func trace(
    _ culprit: Culprit, by length: Int64, work: Int64, isComposited: Bool = true
  ) throws -> Trace {
    var text = "{\"schema\": \"frametool.trace/1\"}\n"
    text += "{\"type\": \"display\", \"id\": \"d\", \"interval\": \(refresh)}\n"
    text += "{\"type\": \"surface\", \"id\": \"s\", \"display\": \"d\", \"bufferOwner\": \"app\""
    text += isComposited ? ", \"composited\": true}\n" : "}\n"
    var last: Int64 = 0
    for frame in 0..<60 {
      let held = { (stage: Culprit) in frame == 40 && stage == culprit ? length : 0 }
      let start = last * refresh
      let commit = start + work + held(.app)
      let finish = commit + 2_000_000 + held(.gpu)
      let call = commit + 500_000 + held(.call)
      let composed = max(call, finish) + held(.compositor)
      last = (composed + refresh - 1) / refresh
      text += "{\"type\": \"frame\", \"surface\": \"s\", \"id\": \(frame), \"appStart\": \(start), "
      text += "\"commit\": \(commit), \"appEnd\": \(call), \"queued\": \(call), "
      text += "\"gpuStart\": \(commit), \"gpuEnd\": \(finish), \"displayed\": \(last * refresh)}\n"
    }
    return try TestData.read(text: text)
  }

  @Test(arguments: Culprit.allCases)
  func whoWasHeldUpIsCharged(_ culprit: Culprit) throws {
    var random = SplitMix64(seed: 21)
    for _ in 0..<40 {
      let work = 1_000_000 + Int64(random.next() % 10_000_000)
      let length = Self.refresh + Int64(random.next() % 120_000_000)
      let drops = Pipeline(reconstructing: try Self.trace(culprit, by: length, work: work))
        .surfaces[0].drops
      let expected: PipelineStage =
        switch culprit {
        case .app, .call: .app
        case .gpu: .gpu
        case .compositor: .compositor
        }
      #expect(!drops.isEmpty)
      #expect(drops.allSatisfy { $0.stage == expected && $0.frame == 40 }, "\(work) \(length)")
      // Only the program's work before the call and the GPU's work are recorded with certainty.
      let isSure = culprit == .app || culprit == .gpu
      #expect(drops.allSatisfy { $0.isInferred != isSure }, "\(work) \(length)")
    }
  }

  @Test func whereNothingTellsOfACompositorTheDisplayIsCharged() throws {
    let trace = try Self.trace(.compositor, by: 60_000_000, work: 5_000_000, isComposited: false)
    let drops = Pipeline(reconstructing: trace).surfaces[0].drops
    #expect(!drops.isEmpty && drops.allSatisfy { $0.stage == .display && $0.isInferred })
  }

  @Test func aRecordingOfMessagesSaysThatThereIsACompositor() throws {
    let trace = try TestData.read(
      text: #"[1000000000,1,"conn","",0,"connect",[7,"terminal"]]"# + "\n"
        + #"[1000000000,1,">","wl_compositor",3,"create_surface",[5]]"# + "\n"
        + #"[1001000000,1,">","wl_surface",5,"attach",[30]]"# + "\n"
        + #"[1001000000,1,">","wl_surface",5,"commit",[]]"# + "\n")
    #expect(trace.surfaces[0].isComposited == true)
    let bytes = NativeEncoder().encode(trace)
    let again = try TestData.read(text: String(decoding: bytes, as: UTF8.self))
    #expect(again.surfaces[0].isComposited == true)
  }
}

import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace

/// Traces on which an earlier version was wrong, with the right results by the rules, worked out by
/// hand.
@Suite("Counterexamples")
struct CounterexampleTests {
  static let cases: [(name: String, drops: [String])] = [
    // A pause without a known start is a rest, and nothing is due in it.
    ("commit-only-rest", []), ("display-only-rest", []),
    // Starts 1.4 intervals apart are not a cadence.
    ("cadence-1-4t", ["7 5 app s:5", "9 6 app s:6"]),
    // A discarded frame of another surface does not block anything forever.
    ("discarded-other", ["6 4 gpu s:4", "7 4 gpu s:4", "9 5 gpu s:4"]),
    // A refresh number is exact even if the time is not.
    ("displayed-refresh", []),
    // A frame that was shown at an unknown time leaves the next one's drops unknown.
    ("fate-displayed", []),
    // The wait for the GPU comes before the GPU's own work.
    ("gpu-wait-order", ["7 5 gpu o:1", "8 5 gpu o:1", "9 5 gpu s:5", "10 5 gpu s:5"]),
    // Another surface's frame uses the GPU long before its compositor starts.
    ("gpu-held-by-another-surface", ["7 5 gpu b:9"]),
    // A frame that is shown an eighth of an interval later is still in the pipeline.
    ("low-latency-shown-an-eighth-late", ["8 7 gpu s:7", "10 8 gpu s:7"]),
    // A display that waits for frames repeats a frame more than once.
    ("variable-gap", ["7 4 gpu s:4", "9 4 gpu s:4", "10 4 gpu s:4"]), ("variable-rest", []),
    // If the blocking frame lacks the compositor's times, no stage can be named.
    (
      "waiting-holder-without-compositor",
      ["6 4 unknown s:4", "7 4 unknown s:4", "9 5 unknown s:5"]
    ),
    ("holder-without-compositor", ["7 5 unknown s:5", "8 5 unknown s:5"]),
    // A missing commit is inferred from the end of the interval.
    ("no-commit", ["6 4 gpu s:4", "7 4 gpu s:4", "9 5 app s:5 inferred"]),
  ]

  static func trace(_ name: String) throws -> Trace {
    try TestData.read(TestData.root.appending(path: "Tests/Counterexamples/\(name).jsonl").path)
  }

  @Test("the first surface's drops are charged as the rules say", arguments: cases.map(\.name))
  func drops(_ name: String) throws {
    let trace = try Self.trace(name)
    let ids = trace.surfaces.map(\.id)
    let found = Pipeline(reconstructing: trace).surfaces[0].drops.flatMap { drop in
      (drop.refresh..<drop.refresh + drop.count).map { refresh in
        "\(refresh.number) \(drop.frame) \(drop.stage.rawValue) \(ids[drop.cause.surface]):\(drop.cause.row)"
          + (drop.isInferred ? " inferred" : "")
      }
    }
    #expect(found == Self.cases.first { $0.name == name }?.drops)
  }

  @Test("hundreds of refreshes are shared out as one by one")
  func many() {
    let interval = Nanoseconds(16_000_000)
    let reference = FrameReference(surface: 0, row: 0)
    let items = [(PipelineStage.app, Int64(600)), (.compositor, 0), (.gpu, 300)].map {
      SharedStep.Item(
        stage: $0, cause: reference, excess: interval * $1 + 1000, used: interval * $1 + 1000)
    }
    #expect(SharedStep(.all).give(900, to: items, interval: interval) == [600, 0, 300])
    // What is left when all are level is distributed in turn.
    #expect(SharedStep(.all).give(3900, to: items, interval: interval).reduce(0, +) == 3900)
  }

  @Test(
    "time stamps that are a little off open no third buffer",
    arguments: [
      "display-times-with-jitter", "display-times-with-offset", "replaced-without-queue",
    ])
  func depths(_ name: String) throws {
    let buffers = try #require(TraceAnalysis(of: Self.trace(name)).surfaces[0].buffers.value)
    let shares = try #require(buffers.depthShares)
    #expect(shares[1] > 0.8 && shares[2] < 0.1 && shares[3] == 0)
  }

  @Test("buffers are in use from their attachment to their release")
  func events() throws {
    let buffers = try #require(
      TraceAnalysis(of: Self.trace("buffer-events")).surfaces[0].buffers.value)
    #expect(buffers.depthShares?[1] == 1 && !buffers.hasInferredUse)
  }

  @Test("a constant panel offset is no hitch on a display that waits for frames")
  func panelOffset() throws {
    let trace = try Self.trace("variable-expected-offset")
    #expect(TraceAnalysis(of: trace).surfaces[0].hitches.value?.times == [])
  }

  @Test("no change of depth is told across a rest, and no stage without its times")
  func silence() throws {
    let rest = try #require(
      TraceAnalysis(of: Self.trace("buffers-change-at-rest")).surfaces[0].buffers.value)
    #expect(rest.changes.count <= 1)
    let held = try #require(TraceAnalysis(of: Self.trace("held-nor")).surfaces[0].drops.value)
    #expect(held.drops.allSatisfy { $0.heldIn == nil && $0.refreshes.stage == .unknown })
    let queued = try #require(
      TraceAnalysis(of: Self.trace("cadence-queued")).surfaces[0].drops.value)
    // Finished buffers show no load, so the clock of the display decides, as without them.
    #expect(queued.refreshes == 0 && queued.cadence?.isInferred == true)
    // Compositor and GPU share a budget, and exceed it together.
    let shared = try #require(
      TraceAnalysis(of: Self.trace("cadence-shared-budget")).surfaces[0].drops.value)
    #expect(shared.cadenceFrames == 0 && shared.refreshes > 4)
  }

  @Test(
    "absurd numbers stop nothing",
    arguments: [
      "refreshes-73-years-apart", "negative-interval", "display-times-at-the-bounds",
      "interval-of-73-years", "refresh-number-at-the-bound", "absurd-numbers-everywhere",
      "stages-at-the-bounds",
    ])
  func absurd(_ name: String) throws {
    let analysis = TraceAnalysis(of: try Self.trace(name))
    for format in OutputFormat.allCases { #expect(!Writers.write([analysis], as: format).isEmpty) }
  }
}

@Suite("Starts that a source derives")
struct DerivedStartTests {
  @Test("long work of the app may be a rest, and is marked")
  func marked() throws {
    var text = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
    text += "{\"type\": \"display\", \"id\": \"d\", \"interval\": 16}\n"
    text += "{\"type\": \"surface\", \"id\": \"s\", \"bufferOwner\": \"app\"}\n"
    var start = 0
    for frame in 0..<40 {
      let commit = start + (frame == 20 ? 206 : 14)
      let shown = (commit + 15) / 16 * 16 + 16
      text +=
        "{\"type\": \"frame\", \"appStart\": \(start), \"commit\": \(commit), \"appEnd\": \(commit + 2), \"gpuStart\": \(commit), \"gpuEnd\": \(commit + 1), \"displayed\": \(shown)}\n"
      start = commit + 2
    }
    let drops = try #require(TraceAnalysis(of: TestData.read(text: text)).surfaces[0].drops.value)
    #expect(drops.derivesStarts && drops.refreshes == 12)
    #expect(drops.drops.map(\.refreshes.stage) == [.app])
    let areInferred = drops.drops.allSatisfy { $0.refreshes.isInferred }
    #expect(areInferred)
  }
}

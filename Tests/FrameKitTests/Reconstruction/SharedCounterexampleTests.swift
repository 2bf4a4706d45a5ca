import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// Small traces on which an earlier version differed from an expert's judgment, with the right
/// results.
@Suite(
  "Counterexamples of free chains, rates and stages",
  .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
struct SharedCounterexampleTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let file: String
    var drops: [PipelineStage: Int] = [:]
    /// Whether a lower rate is reported; `nil` if it does not matter.
    var isCadence: Bool?
    var testDescription: String { file }
  }

  static let cases = [
    Case(file: "p_30.jsonl.gz", isCadence: true), Case(file: "p30_jit.jsonl.gz", isCadence: true),
    Case(file: "idle5hz_shift0.jsonl.gz"), Case(file: "idle5hz_shift1.jsonl.gz"),
    Case(file: "free_backpressure_1.jsonl.gz", drops: [.app: 56], isCadence: false),
    Case(file: "hz_60_120.jsonl.gz", isCadence: false),
    Case(file: "hz_many_rec.jsonl.gz", isCadence: false),
    Case(file: "hz_many_rec_nonumber.jsonl.gz", isCadence: false),
    Case(file: "hz_60_stated120.jsonl.gz", isCadence: true),
    Case(file: "s5d_60on120_10ms.jsonl.gz", isCadence: true),
    Case(file: "s2_24_oneLate.jsonl.gz", drops: [.unknown: 1], isCadence: true),
    Case(file: "s0_freeze66.jsonl.gz", drops: [.unknown: 3], isCadence: false),
    Case(file: "s0_freeze83.jsonl.gz", drops: [.unknown: 4], isCadence: false),
    Case(file: "sf_real_30.txt", isCadence: true),
    Case(file: "ll_noq.jsonl.gz", drops: [.app: 90]),
    Case(file: "ll_gpu_.2_.6_b3.jsonl.gz", drops: [.gpu: 1]),
    Case(file: "switch_g.95_at50.jsonl.gz", drops: [.gpu: 50]),
    Case(file: "app-overrun.jsonl.gz", drops: [.app: 12]),
    Case(file: "app-overrun_R0-20us.jsonl.gz", drops: [.app: 12]),
    Case(file: "frame-generation-real-first.csv", isCadence: false),
    Case(file: "frame-generation-generated-first.csv", isCadence: false),
    Case(file: "straddle_30.jsonl.gz", isCadence: true),
    Case(file: "coincidence_30.jsonl.gz", isCadence: true),
    Case(file: "latency_late_app.jsonl.gz", drops: [.app: 2], isCadence: true),
    Case(file: "cadence2_late_compositor.jsonl.gz", drops: [.compositor: 1], isCadence: true),
    Case(file: "cadence2_phase.jsonl.gz", isCadence: true),
    Case(file: "wait_compositor.jsonl.gz", drops: [.compositor: 60]),
  ]

  static func analysis(_ file: String) throws -> (trace: Trace, drops: DropFindings) {
    let path = TestData.folder.appending(path: "counterexamples/\(file)").path
    let trace = try TestData.read(path)
    return (trace, try #require(TraceAnalysis(of: trace).surfaces[0].drops.value))
  }

  @Test("an expert would say the same", arguments: cases)
  func verdict(_ example: Case) throws {
    let (trace, drops) = try Self.analysis(example.file)
    #expect(drops.byStage.filter { $0.value > 0 } == example.drops)
    if let isCadence = example.isCadence { #expect((drops.cadence != nil) == isCadence) }
    #expect(Pipeline(reconstructing: trace).violations == [])
  }

  @Test("all files are looked at")
  func all() {
    let names = TestData.files(in: "counterexamples").map {
      String($0.split(separator: "/").last ?? "")
    }
    #expect(Set(names).subtracting(["README.md"]) == Set(Self.cases.map(\.file)))
  }

  @Test("a slow app at a lower rate says what it would drop at the display's")
  func eager() throws {
    let cadence = try #require(Self.analysis("s5d_60on120_10ms.jsonl.gz").drops.cadence)
    #expect(cadence.isInferred && cadence.source == .kept)
    #expect(cadence.droppedIfEager == 949)
    let within = try #require(Self.analysis("p_30.jsonl.gz").drops.cadence)
    #expect(!within.isInferred && within.droppedIfEager == nil)
    #expect(abs(within.interval.milliseconds - 1000 / 30) < 0.01)
  }

  @Test("a freeze is told with its length")
  func freeze() throws {
    let drops = try Self.analysis("s0_freeze83.jsonl.gz").drops
    #expect(drops.freezes.map { ($0.length.milliseconds * 10).rounded() / 10 } == [83.3])
    #expect(drops.restTime.count == 0)
  }

  @Test("more GPU work is behind the third buffer")
  func depth() throws {
    let trace = try Self.analysis("ll_gpu_.2_.6_b3.jsonl.gz").trace
    let buffers = try #require(TraceAnalysis(of: trace).surfaces[0].buffers.value)
    #expect(buffers.changes.map(\.stage) == [.gpu])
  }

  @Test("generated frames are counted and end the showing of others")
  func generated() throws {
    for name in ["real", "generated"] {
      let trace = try Self.analysis("frame-generation-\(name)-first.csv").trace
      let surface = TraceAnalysis(of: trace).surfaces[0]
      #expect(surface.outcomes.generated == 300 && surface.outcomes.displayed == 600)
      #expect(!trace.issues.contains { $0.kind == .timeRebuilt })
    }
  }

  @Test("rates that change are the same by way of xctrace's tables")
  func throughXctrace() throws {
    for name in ["hz_many_rec", "hz_many_rec_nonumber"] {
      let trace = try Self.analysis("\(name).jsonl.gz").trace
      let back = try Importers.read(InputFile(bytes: XctraceEncoder().encode(trace)))
      let drops = try #require(TraceAnalysis(of: back).surfaces[0].drops.value)
      #expect(drops.refreshes == 0)
    }
  }
}

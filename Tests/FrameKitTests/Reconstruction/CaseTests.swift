import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameStatistics
@testable import FrameTrace

/// Small traces of kinds that no earlier example had, on which an earlier version was wrong.
@Suite(
  "Cases that were judged wrongly",
  .enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
struct CaseTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let file: String
    var drops: [PipelineStage: Int] = [:]
    /// How many refreshes are dropped, if the stage does not matter.
    var count: Int?
    /// The deliberate rate, in frames a second; 0 for none, `nil` if it does not matter.
    var cadence: Double?
    /// The refresh interval, in milliseconds; 0 for none.
    var interval: Double?
    var testDescription: String { file }
  }

  static let cases = [
    Case(file: "law/asleep_8h.csv", interval: 16.667),
    Case(file: "law/cap30_in_present.csv", count: 2, cadence: 30),
    Case(file: "law/cap45_in_busy_on60.csv", cadence: 45, interval: 16.667),
    Case(file: "law/cap60_in_present_on144.csv", cadence: 60, interval: 6.944),
    Case(file: "law/hidden_1s.csv"),
    Case(file: "law/late30_app.jsonl.gz", drops: [.app: 30]),
    Case(file: "law/late30_compositor.jsonl.gz", drops: [.compositor: 30]),
    Case(file: "law/late30_gpu_min.jsonl.gz", drops: [.unknown: 30]),
    Case(file: "law/late60_display.jsonl.gz", drops: [.display: 60]),
    Case(file: "law/lfr_30_one_late.jsonl.gz", count: 1),
    Case(file: "law/overload_56hz.csv", count: 80, cadence: 0, interval: 17.857),
    Case(file: "law/overload_half_rate.csv", drops: [.app: 149], cadence: 0),
    Case(file: "law/straddle_few.jsonl.gz"),
    Case(file: "law/sync2_two_late.csv", count: 2, cadence: 29.8),
    Case(file: "capture/hang90-at-60.jsonl.gz", drops: [.app: 35]),
    Case(file: "capture/hang130-at-60.jsonl.gz", drops: [.app: 49]),
    Case(file: "capture/hang130-vulkan.jsonl.gz", drops: [.app: 49]),
    Case(file: "capture/hang600-at-60.jsonl.gz", drops: [.app: 252]),
    Case(file: "capture/frames-without-commit.jsonl.gz"),
    Case(file: "capture/frames-without-commit-touch.jsonl.gz"),
    Case(file: "formats/presentmon-fg/made_same.csv.gz", interval: 8.333),
    Case(file: "formats/presentmon-fg/made_separate.csv.gz", interval: 8.333),
    Case(file: "formats/presentmon-fg/sep_even.csv.gz", interval: 8.333),
    Case(file: "formats/presentmon-fg/sep_uneven.csv.gz", interval: 0),
    Case(file: "formats/presentmon-fg/same_uneven.csv.gz", interval: 0),
  ]

  @Test("an expert would say the same", arguments: cases)
  func verdict(_ example: Case) throws {
    let trace = try TestData.read(TestData.cases.appending(path: example.file).path)
    let analysis = TraceAnalysis(of: trace)
    let drops = analysis.surfaces[0].drops.value
    let found = (drops?.byStage ?? [:]).filter { $0.value > 0 }
    if let count = example.count {
      #expect(drops?.refreshes == count)
    } else {
      #expect(found == example.drops)
    }
    if let rate = example.cadence {
      let own = drops?.cadence.map { 1000 / $0.interval.milliseconds } ?? 0
      #expect(abs(own - rate) < 0.3)
    }
    let pipeline = Pipeline(reconstructing: trace)
    if let interval = example.interval {
      #expect(abs((pipeline.surfaces[0].refreshes.interval?.milliseconds ?? 0) - interval) < 0.01)
    }
    #expect(pipeline.violations == [])
  }

  @Test("frames that a recorder missed the hand-over of stay in their place")
  func withoutCommit() throws {
    let path = TestData.cases.appending(path: "capture/frames-without-commit-touch.jsonl.gz").path
    let trace = try TestData.read(path)
    var options = AnalysisOptions()
    let start = TraceAnalysis(of: trace).origin
    options.region = TraceRegion(
      start: start + Nanoseconds(2_000_000_000), end: start + Nanoseconds(3_000_000_000))
    let surface = TraceAnalysis(of: trace, metrics: .all, options: options).surfaces[0]
    #expect(surface.outcomes.count == 120)
    guard
      case .summary(let latency) = TraceAnalysis(of: trace).surfaces[0]["inputToPhoton"]?.figures
    else {
      Issue.record("no latency")
      return
    }
    #expect(latency.minimum > 0 && latency.maximum < 50, "in ms: \(latency)")
  }

  @Test("what a source cannot tell is a stop that drops nothing")
  func aMachineThatSlept() throws {
    let trace = try TestData.read(TestData.cases.appending(path: "law/asleep_8h.csv").path)
    let surface = TraceAnalysis(of: trace).surfaces[0]
    #expect(surface.drops.value?.refreshes == 0)
    let stop = try #require(surface.stops.stops.first)
    #expect(surface.stops.stops.count == 1 && stop.cause == .unknown)
    #expect((stop.length.milliseconds * 10).rounded() / 10 == 28_800_016.7)
    #expect(abs(try #require(surface.stops.rateWithout) - 60) < 0.1)
    #expect(surface.stops.atMost == 1_728_000)
    // Of eight hours, 10 s count.
    let rate = try #require(MetricTests.figure(surface, "averageFrameRate"))
    #expect(abs(rate - 149 / (10 + 148.0 / 60)) < 0.1)
    #expect(surface["frameTime"]?.shortened == 1)
  }

  @Test("a window whose frames are all discarded is hidden, and rests")
  func aHiddenWindow() throws {
    let trace = try TestData.read(TestData.cases.appending(path: "law/hidden_1s.csv").path)
    let surface = TraceAnalysis(of: trace).surfaces[0]
    #expect(surface.drops.value?.refreshes == 0 && surface.stops.stops.isEmpty)
    let hidden = surface.stops.hidden.map { ($0.length.milliseconds * 10).rounded() / 10 }
    #expect(hidden == [1016.7])
    let rate = try #require(MetricTests.figure(surface, "averageFrameRate"))
    #expect(abs(rate - 60) < 0.1)
  }
}

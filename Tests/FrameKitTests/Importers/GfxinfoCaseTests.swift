import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace
@testable import FrameVerdicts

/// Summaries of Android of no frames, and of values beyond the last bin.
@Suite(.enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)))
struct GfxinfoCaseTests {
  private static func study(_ name: String) throws -> Study {
    Study(
      of: try TestData.read(TestData.cases.appending(path: "mobile/\(name)").path),
      AnalysisOptions())
  }

  private static func isKept(_ limit: String, _ name: String) throws -> Bool? {
    let gated = GatedTrace(try study(name), [try GateLimit(limit)], slower: nil)
    #expect(!gated.results.isEmpty)
    return gated.results.first?.result.isKept
  }

  @Test func nothingIsJudgedWithoutFrames() throws {
    let trace = try Self.study("gfxinfo-no-frames.txt").trace
    let stated = StatedFigures.all(trace)
    #expect(stated.contains { $0.metric == "frames" && $0.values == [0] })
    #expect(!stated.contains { $0.metric.hasPrefix("jankShare") || $0.metric.contains("Duration") })
    #expect(trace.issues.map(\.count) == [10])
    #expect(
      StatedTables(trace).headline
        == "no frames of com.example.idle since the last reset: nothing to judge; as reported by the source"
    )
    for limit in ["jankShare<=5%", "frameDuration.p50<=20ms", "p99(gpuDuration)<=20ms"] {
      #expect(try Self.isKept(limit, "gfxinfo-no-frames.txt") == nil, "\(limit)")
    }
  }

  /// Both sides of the lower bound of the last bin, with each relation.
  @Test(arguments: [
    ("p99(gpuDuration)<=33ms", Bool?.none), ("p99(gpuDuration)<=25ms", nil),
    ("p99(gpuDuration)<25ms", false), ("p99(gpuDuration)<=24.9ms", false),
    ("p99(gpuDuration)>=25ms", true), ("p99(gpuDuration)>=25.1ms", nil),
    ("gpuDuration.p99<=33ms", nil), ("gpuDuration.p99<=20ms", false),
    ("p95(gpuDuration)<=22ms", true), ("gpuDuration.p95<=22ms", true),
  ])
  func beyondTheLastBinNothingIsKept(_ limit: String, _ isKept: Bool?) throws {
    #expect(try Self.isKept(limit, "gfxinfo-gpu-overflow-bucket.txt") == isKept)
  }

  /// Each process of a dump has its own frames, and old versions print no histogram.
  @Test func processesAreToldApart() throws {
    let part = { (number: Int, frames: Int, end: String) in
      """
      ** Graphics info for pid \(number) [p\(number)] **
      Total frames rendered: \(frames)
      Janky frames: 0 (0.00%)
      90th percentile: 12ms
      99th percentile: 4950ms
      90th gpu percentile: 4950ms
      \(end)

      """
    }
    let histograms = "HISTOGRAM: 5ms=9 6ms=1\nGPU HISTOGRAM: 1ms=0 4950ms=0"
    let text = part(1, 0, "") + part(2, 10, "") + part(3, 10, histograms)
    let trace = try TestData.read(text: text, path: "dump.txt")
    let stated = StatedFigures.all(trace).filter { $0.metric.contains("Duration") }
    #expect(
      stated.map { "\($0.scene ?? "") \($0.metric) \($0.values) \($0.isLowerBound)" } == [
        "p2 frameDuration.p90 [12.0] false", "p2 frameDuration.p99 [4950.0] true",
        "p2 gpuDuration.p90 [25.0] true", "p3 frameDuration.p90 [12.0] false",
        "p3 frameDuration.p99 [4950.0] true",
      ])
    // Three percentiles and a share of p1, and one percentile of the GPU of p3.
    #expect(trace.issues.map(\.count) == [5])
  }

  @Test func theFirstSentenceHasBothCounts() throws {
    let trace = try Self.study("gfxinfo-gpu-overflow-bucket.txt").trace
    let headline = StatedTables(trace).headline
    #expect(
      headline.hasPrefix(
        "6.5 % of 139 frames of com.example.frontend janky (65.5 % took longer than a refresh)"))
  }

  @Test func aSummaryWithoutItsHeadingIsRead() throws {
    let stated = StatedFigures.all(try Self.study("gfxinfo-without-heading.txt").trace)
    #expect(stated.first { $0.metric == "frames" }?.values == [200])
    #expect(stated.first { $0.metric == "frameDuration.p99" }?.values == [150])
  }
}
